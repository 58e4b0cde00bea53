/** Numbers along an axis: as many decimals as tell its ticks apart. */
import { expect, test } from "vitest"
import { plainLabel } from "../../../runtime/report/figures/axis.ts"

test.each([
  [
    [0, 1, 2],
    ["0", "1", "2"],
  ],
  [
    [-0.5, 0, 0.5],
    ["−0.5", "0.0", "0.5"],
  ],
  [
    [0, 0.00025, 0.0005],
    ["0.00000", "0.00025", "0.00050"],
  ],
  [
    [0, 1e-6, 2e-6],
    ["0.000000", "0.000001", "0.000002"],
  ],
  [
    [0, 5e-7, 1e-6],
    ["0", "5e-7", "1e-6"],
  ],
  [
    [-2.5e-8, 0, 2.5e-8],
    ["−2.5e-8", "0", "2.5e-8"],
  ],
  [
    [0, 1e21],
    ["0", "1e+21"],
  ],
])("ticks at %j", (ticks, labels) => {
  expect(ticks.map(plainLabel(ticks))).toEqual(labels)
})
