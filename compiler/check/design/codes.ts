import type { Code } from "../../diagnostics/catalogue.ts"

/** The warnings about a design that an experiment may allow. */
export const allowableCodes = [
  "CFX4001",
  "CFX4002",
  "CFX4003",
  "CFX4004",
  "CFX4005",
  "CFX4006",
  "CFX4008",
  "CFX4009",
  "CFX4010",
  "CFX4011",
  "CFX4012",
  "CFX4013",
  "CFX4014",
  "CFX4015",
  "CFX4016",
  "CFX4017",
  "CFX4018",
  "CFX4019",
  "CFX4020",
  "CFX4021",
  "CFX4022",
  "CFX4030",
] as const satisfies readonly Code[]
