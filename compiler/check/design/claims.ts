/** Claims of no difference. */
import type { ExpectIR } from "../../ir.ts"
import { fieldsOf } from "../../lower/columns.ts"
import type { Check } from "./review.ts"

type Comparison = Extract<ExpectIR, { kind: "comparison" }>

/**
 * A contrast that is expected to lie on both sides of zero, between two bounds or with zero in its interval, is expected to make no
 * difference. That is claimed by an equivalence test with a margin; an estimate near zero, or a wide interval, shows nothing of the kind.
 */
export const checkClaims: Check = ({ experiment, declaration, scene }) => {
  const comparisons = experiment.expects.filter((one): one is Comparison => one.kind === "comparison")
  for (const { name } of experiment.contrasts) {
    const own = comparisons.filter(({ contrast }) => contrast === name)
    const above = own.find(({ operator, bound }) => operator.startsWith(">") && bound <= 0 && bound > -1)
    const below = own.find(({ operator, bound }) => operator.startsWith("<") && bound >= 0 && bound < 1)
    if (above === undefined || below === undefined) continue
    if (experiment.expects.some((one) => one.kind === "equivalent" && one.contrast === name)) continue
    const margin = Math.max(Math.abs(above.bound), Math.abs(below.bound))
    const [at] = fieldsOf(declaration, "expect").flatMap(({ claim }) =>
      claim.kind === "comparison" && isAbout(claim.value, name) ? [claim.value] : [],
    )
    scene.say("CFX4018", { contrast: name, claims: [below.text, above.text], margin }, at ?? declaration.name)
  }
}

type Claim = Extract<
  ReturnType<typeof fieldsOf<"expect">>[number]["claim"],
  { readonly kind: "comparison" }
>["value"]

const isAbout = (claim: Claim, contrast: string): boolean => {
  if (claim.kind === "binary") return isAbout(claim.left, contrast) || isAbout(claim.right, contrast)
  if (claim.kind === "member") return isAbout(claim.object, contrast)
  return claim.kind === "name" && claim.text === contrast
}
