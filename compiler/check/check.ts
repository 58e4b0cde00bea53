/** Phase 3: everything that can be wrong with a spec before any item is read. */
import type { Declaration } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Module } from "../load.ts"
import type { Names } from "../resolve.ts"
import { checkDose } from "./doses.ts"
import { checkExperiment } from "./experiment.ts"
import { checkImports } from "./imports.ts"
import { checkItems } from "./items.ts"
import { checkJudge } from "./judges.ts"
import { checkLexicon } from "./lexicons.ts"
import { checkMetric } from "./metrics.ts"
import { checkModel } from "./models.ts"
import { checkProtocol } from "./protocols.ts"
import { type Scene, sceneOf } from "./scene.ts"
import { checkBlock, checkFraming, checkParaphrase, checkRoster } from "./stimuli.ts"
import { checkOrder, checkStructure } from "./structures.ts"
import { checkTarget } from "./targets.ts"

/** Checks every declaration of every file. One mistake is reported once, where it was made. */
export const check = (modules: readonly Module[], names: Names): readonly Diagnostic[] =>
  modules.flatMap((module) => {
    const diagnostics: Diagnostic[] = [...checkImports(module, names)]
    for (const declaration of module.file.declarations) {
      checkDeclaration(declaration, sceneOf(declaration, module, names, diagnostics))
    }
    return diagnostics
  })

const checkDeclaration = (declaration: Declaration, scene: Scene): void => {
  switch (declaration.kind) {
    case "model":
      checkModel(declaration, scene)
      break
    case "items":
      checkItems(declaration, scene)
      break
    case "framing":
      checkFraming(declaration, scene)
      break
    case "roster":
      checkRoster(declaration, scene)
      break
    case "paraphrase":
      checkParaphrase(declaration, scene)
      break
    case "dose":
      checkDose(declaration, scene)
      break
    case "block":
      checkBlock(declaration, scene)
      break
    case "structure":
      checkStructure(declaration, scene)
      break
    case "order":
      checkOrder(declaration, scene)
      break
    case "target":
      checkTarget(declaration, scene)
      break
    case "protocol":
      checkProtocol(declaration, scene)
      break
    case "judge":
      checkJudge(declaration, scene)
      break
    case "lexicon":
      checkLexicon(declaration, scene)
      break
    case "metric":
      checkMetric(declaration, scene)
      break
    case "experiment":
      checkExperiment(declaration, scene)
      break
    default:
      declaration satisfies never
  }
}
