import type { Lexicon } from "../../grammar/ast.ts"
import { checkProvenance, distinctNames, plain, type Scene } from "./scene.ts"

export const checkLexicon = (lexicon: Lexicon, scene: Scene): void => {
  checkProvenance(scene, lexicon)
  if (lexicon.terms.length === 0 && !scene.torn) scene.say("CFX2017", { what: "term" }, lexicon)
  const terms = lexicon.terms.flatMap((term) => {
    const text = plain(scene, term, "A term")
    // Terms are searched for without regard to case.
    return text === undefined ? [] : [{ text: text.toLowerCase(), span: term.span }]
  })
  distinctNames(scene, "term", terms)
}
