/** What a report of scored records says that they are of. */
import { expect, test } from "vitest"
import { scoredInput } from "../../runtime/records/reportInput.ts"
import type { Scored } from "../../runtime/records/score.ts"
import { temporary } from "../run/temporary.ts"
import { scored, specOf } from "./support.ts"

const folder = temporary()

const spec = (experiment: string, pool = ""): string => `
metric accuracy(read = a0) {
  rate read == item.gold
  interval wilson 95
}
experiment ${experiment} {
  records {
    item = id
    gold = key
    labels { A, B }
    a0 = a0
    ${pool}
  }
  measure accuracy
}
`

const poolsOf = (...all: readonly Scored[]) =>
  scoredInput({
    program: { ...specOf(spec("first")).program, experiments: all.map(({ experiment }) => experiment) },
    hash: "",
    items: new Map(),
    spec: { name: "spec.cfx", text: "" },
    version: "1",
    scored: all,
    warnings: [],
  }).pools.map(({ name, count }) => `${count} of ${name}`)

const three = "id,key,a0\n1,A,A\n2,A,B\n3,A,A\n"
const other = "id,key,a0\n7,A,A\n"

test("pools of one name out of two files are told apart by their experiments", async () => {
  const first = await scored(folder, spec("first"), "three.csv", three)
  const second = await scored(folder, spec("second"), "other.csv", other)
  expect(poolsOf(first)).toEqual(["3 of records"])
  expect(poolsOf(first, second)).toEqual(["3 of records of first", "1 of records of second"])
})

test("of one file they are one pool", async () => {
  const first = await scored(folder, spec("first"), "three.csv", three)
  const second = await scored(folder, spec("second"), "three.csv", three)
  expect(poolsOf(first, second)).toEqual(["3 of records"])
})

test("of other names they are apart by these", async () => {
  const [a, b] = ["id,key,a0,task\n1,A,A,sums\n", "id,key,a0,task\n1,A,A,logic\n2,A,A,logic\n"]
  const first = await scored(folder, spec("first", "pool = task"), "a.csv", a)
  const second = await scored(folder, spec("second", "pool = task"), "b.csv", b)
  expect(poolsOf(first, second)).toEqual(["1 of sums", "2 of logic"])
})
