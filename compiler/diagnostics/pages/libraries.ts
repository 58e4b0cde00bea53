/** CFX255x: libraries that are shared. */
import { file, page } from "./page.ts"

const SHARED = `
  /// Rumour: nobody in particular says it.
  framing gossip { preamble "People say:" line "{assertion}" }
`

/** What `gossip` means: it changes with a character of it. */
const PINNED = "b2f9f0ea11707d4edb55e7b81c28a5810eb6291bb6d93797fd28c58156273d8b"

export const libraries = {
  CFX2550: page(
    "An import pins what its names mean by a sum, and the library now means something else by them.",
    "Results of a framing that changed by a character are results of another experiment. The sum is taken on the meaning: layout, comments and order of fields leave it as it is.",
    file(
      `
      import { gossip } from "./shared.cfx" sha256:0000000000000000000000000000000000000000000000000000000000000000

      framing whisper extends gossip { preamble "People whisper:" }`,
      { "shared.cfx": SHARED },
    ),
    file(
      `
      import { gossip } from "./shared.cfx" sha256:${PINNED}

      framing whisper extends gossip { preamble "People whisper:" }`,
      { "shared.cfx": SHARED },
    ),
  ),
  CFX2551: page(
    "An import names a library of an npm package that is not installed where the spec is, or a file that the package does not have.",
    "Libraries that are shared are npm packages, so their versions, registries and audits are npm's; cfx looks in `node_modules` and nowhere else.",
    file(`
      import { gossip } from "pkg:cfx-framings-rumour/gossip.cfx"

      framing whisper extends gossip { preamble "People whisper:" }`),
    file(
      `
      import { gossip } from "pkg:cfx-framings-rumour/gossip.cfx"

      framing whisper extends gossip { preamble "People whisper:" }`,
      { "node_modules/cfx-framings-rumour/gossip.cfx": SHARED },
    ),
  ),
}
