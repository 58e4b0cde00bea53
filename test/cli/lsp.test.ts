/** The language server as an editor has it: the bundle in a process, spoken to over its standard input and output. */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import {
  createProtocolConnection,
  type Diagnostic,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type WorkspaceEdit,
} from "vscode-languageserver-protocol/node"
import { makeFolder, removeFolder, root } from "./support.ts"

let folder: string
let child: ChildProcess
let client: ProtocolConnection
let published: Map<string, readonly Diagnostic[]>
let heard: () => void = () => undefined

/** What the server has asked to be told of. */
let watched: readonly string[]

const uri = (name: string): string => pathToFileURL(join(folder, name)).href

/** A URI as Visual Studio Code spells it: with these signs encoded, which Node leaves as they are. */
const asEncoded = (name: string): string =>
  uri(name).replace(/[()@+&,'!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const open = (name: string, text = readFileSync(join(folder, name), "utf8"), spelt = uri(name)) =>
  client.sendNotification("textDocument/didOpen", {
    textDocument: { uri: spelt, languageId: "cfx", version: 1, text },
  })

/** The diagnostics of a file once they are as awaited. */
const diagnostics = async (
  name: string,
  isAwaited: (found: readonly Diagnostic[]) => boolean,
  spelt = uri(name),
) => {
  for (;;) {
    const found = published.get(spelt)
    if (found !== undefined && isAwaited(found)) return found
    await new Promise<void>((resolve) => {
      heard = resolve
    })
  }
}

/** Where a text stands in a document: `|` marks the place. */
const at = (text: string, marked: string): Position => {
  const offset = text.indexOf(marked.replace("|", "")) + marked.indexOf("|")
  const before = text.slice(0, offset).split("\n")
  return { line: before.length - 1, character: before.at(-1)!.length }
}

beforeEach(async () => {
  folder = makeFolder()
  cpSync(join(root, "specs/quickstart.cfx"), join(folder, "quickstart.cfx"))
  cpSync(join(root, "specs/items"), join(folder, "items"), { recursive: true })
  published = new Map()
  child = spawn(process.execPath, [inject("bundle"), "lsp"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
  })
  client = createProtocolConnection(
    new StreamMessageReader(child.stdout!),
    new StreamMessageWriter(child.stdin!),
  )
  client.onNotification(
    "textDocument/publishDiagnostics",
    (sent: { uri: string; diagnostics: Diagnostic[] }) => {
      published.set(sent.uri, sent.diagnostics)
      heard()
    },
  )
  watched = []
  client.onRequest(
    "client/registerCapability",
    ({
      registrations,
    }: {
      registrations: { registerOptions: { watchers: { globPattern: string }[] } }[]
    }) => {
      watched = registrations.flatMap(({ registerOptions }) =>
        registerOptions.watchers.map(({ globPattern }) => globPattern),
      )
      heard()
    },
  )
  client.listen()
  await client.sendRequest("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  })
  await client.sendNotification("initialized", {})
})

afterEach(async () => {
  const ended = new Promise((resolve) => child.on("close", resolve))
  await client.sendRequest("shutdown")
  await client.sendNotification("exit")
  await ended
  client.dispose()
  removeFolder(folder)
})

describe("the language server", () => {
  it("finds nothing wrong with the quickstart, and says what is as one types", async () => {
    await open("quickstart.cfx")
    await diagnostics("quickstart.cfx", (found) => found.length === 0)
    const text = readFileSync(join(folder, "quickstart.cfx"), "utf8")
    const start = at(text, "measure |BenR")
    await client.sendNotification("textDocument/didChange", {
      textDocument: { uri: uri("quickstart.cfx"), version: 2 },
      contentChanges: [
        { range: { start, end: { line: start.line, character: start.character + 4 } }, text: "BenX" },
      ],
    })
    const [wrong] = await diagnostics("quickstart.cfx", (found) =>
      found.some(({ code }) => code === "CFX2001"),
    )
    expect(wrong).toMatchObject({
      code: "CFX2001",
      severity: 1,
      range: { start, end: { line: start.line, character: start.character + 4 } },
    })
    expect(wrong?.message).toContain("BenX")
    expect(wrong?.message).toContain("`BenR`")
  })

  it("shows a framing's documentation and how its lines read", async () => {
    await open("quickstart.cfx")
    const text = readFileSync(join(folder, "quickstart.cfx"), "utf8")
    const hover = await client.sendRequest<{ contents: { value: string } }>("textDocument/hover", {
      textDocument: { uri: uri("quickstart.cfx") },
      position: at(text, "framing in { no_source, peo|ple"),
    })
    expect(hover.contents.value).toContain("**framing** `people`")
    expect(hover.contents.value).toContain("Anonymous numbered people.")
    expect(hover.contents.value).toContain("Person 2: The answer is B.")
  })

  it("leads from a name to its declaration in a library, and from an import to the library", async () => {
    await open("quickstart.cfx")
    const text = readFileSync(join(folder, "quickstart.cfx"), "utf8")
    const definition = (marked: string) =>
      client.sendRequest<{ uri: string; range: { start: Position } }>("textDocument/definition", {
        textDocument: { uri: uri("quickstart.cfx") },
        position: at(text, marked),
      })
    const framings = readFileSync(join(root, "stdlib/framings.cfx"), "utf8")
    expect(await definition("framing in { no_source, people, rich_peers, exp|erts")).toMatchObject({
      uri: pathToFileURL(join(root, "stdlib/framings.cfx")).href,
      range: { start: at(framings, "framing |experts") },
    })
    expect(await definition('from "std/fram|ings"')).toMatchObject({
      uri: pathToFileURL(join(root, "stdlib/framings.cfx")).href,
    })
    const protocols = readFileSync(join(root, "stdlib/protocols.cfx"), "utf8")
    expect(await definition("target top_wrong(a|0)")).toMatchObject({
      uri: pathToFileURL(join(root, "stdlib/protocols.cfx")).href,
      range: { start: at(protocols, "{|a0: option") },
    })
  })

  it("offers levels, measures, columns and placeholders where each can stand", async () => {
    const text = readFileSync(join(folder, "quickstart.cfx"), "utf8")
    await open("quickstart.cfx")
    const offered = async (marked: string) => {
      const items = await client.sendRequest<{ label: string }[]>("textDocument/completion", {
        textDocument: { uri: uri("quickstart.cfx") },
        position: at(text, marked),
      })
      return items.map(({ label }) => label)
    }
    expect(await offered("HRR[framing = |experts]")).toEqual(
      expect.arrayContaining(["no_source", "people", "rich_peers", "experts"]),
    )
    expect(await offered("rows arm, |framing")).toEqual(
      expect.arrayContaining(["arm", "framing", "dose", "model"]),
    )
    expect(await offered("columns HRR, |BenR")).toEqual(["HRR", "BenR", "delta_p_pushed"])
    expect(await offered("measure |BenR")).toEqual(["HRR", "BenR", "delta_p_pushed"])
    expect(await offered("target top_wrong(|a0)")).toEqual(["a0", "k0", "a1"])
    expect(await offered('from "std/|framings"')).toContain("std/containers")
    const library = 'framing odd {\n  line "Person {}: "\n}\n'
    writeFileSync(join(folder, "odd.cfx"), library)
    await open("odd.cfx")
    const places = await client.sendRequest<{ label: string }[]>("textDocument/completion", {
      textDocument: { uri: uri("odd.cfx") },
      position: at(library, "{|}: "),
    })
    expect(places.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["assertion", "answer", "i", "speaker"]),
    )
  })

  it("renames a declaration in every open file that names it, and nothing else", async () => {
    const library = 'framing crowd {\n  preamble "A crowd says:"\n  line "{assertion}"\n}\n'
    const spec = readFileSync(join(folder, "quickstart.cfx"), "utf8")
      .replace('from "std/framings"', 'from "std/framings"\nimport { crowd } from "./crowd.cfx"')
      .replace("framing in { no_source", "framing in { crowd, no_source")
    writeFileSync(join(folder, "crowd.cfx"), library)
    writeFileSync(join(folder, "quickstart.cfx"), spec)
    await open("crowd.cfx")
    await open("quickstart.cfx")
    const edit = await client.sendRequest<WorkspaceEdit>("textDocument/rename", {
      textDocument: { uri: uri("crowd.cfx") },
      position: at(library, "framing cr|owd"),
      newName: "mob",
    })
    const starts = (name: string) => (edit.changes?.[uri(name)] ?? []).map(({ range }) => range.start)
    expect(starts("crowd.cfx")).toEqual([at(library, "framing |crowd")])
    expect(starts("quickstart.cfx")).toEqual([
      at(spec, "import { |crowd }"),
      at(spec, "framing in { |crowd,"),
    ])
    const refused = client.sendRequest("textDocument/rename", {
      textDocument: { uri: uri("quickstart.cfx") },
      position: at(spec, "framing in { crowd, no_so|urce"),
      newName: "floor",
    })
    await expect(refused).rejects.toThrow("standard library")
  })

  it("renames in specs that are not open, where they stand in the editor's folder", async () => {
    const library = 'framing crowd {\n  preamble "A crowd says:"\n  line "{assertion}"\n}\n'
    const spec =
      'import { crowd } from "../crowd.cfx"\nframing mob extends crowd { line "We say: {assertion}" }\n'
    writeFileSync(join(folder, "crowd.cfx"), library)
    mkdirSync(join(folder, "later"))
    writeFileSync(join(folder, "later/mob.cfx"), spec)
    await open("crowd.cfx")
    const rename = (newName: string) =>
      client.sendRequest<WorkspaceEdit>("textDocument/rename", {
        textDocument: { uri: uri("crowd.cfx") },
        position: at(library, "framing cr|owd"),
        newName,
      })
    const { changes } = await rename("many")
    expect(Object.keys(changes ?? {}).sort()).toEqual([uri("crowd.cfx"), uri("later/mob.cfx")])
    await expect(rename("mob")).rejects.toThrow("would break later/mob.cfx:2: ")
  })

  it("formats as `cfx fmt` does, and leaves a file with a syntax error alone", async () => {
    const text = 'block   b{text "x"}\n'
    writeFileSync(join(folder, "b.cfx"), text)
    await open("b.cfx")
    const format = (name: string) =>
      client.sendRequest<{ newText: string }[]>("textDocument/formatting", {
        textDocument: { uri: uri(name) },
        options: { tabSize: 2, insertSpaces: true },
      })
    expect(await format("b.cfx")).toMatchObject([{ newText: 'block b {\n  text "x"\n}\n' }])
    writeFileSync(join(folder, "c.cfx"), "block {")
    await open("c.cfx")
    expect(await format("c.cfx")).toEqual([])
  })
})

describe("what a spec rests on", () => {
  const items = "items/kinds.yaml"
  const gold = "gold: A"

  /** Breaks the first gold answer of the items. */
  const breakItems = (): { readonly sound: string; readonly line: number } => {
    const sound = readFileSync(join(folder, items), "utf8")
    const start = sound.indexOf(gold)
    writeFileSync(join(folder, items), `${sound.slice(0, start)}gold: Q${sound.slice(start + gold.length)}`)
    return { sound, line: at(sound, `|${gold}`).line }
  }

  const save = (name: string) =>
    client.sendNotification("textDocument/didSave", { textDocument: { uri: uri(name) } })

  it("shows what is wrong with items in their own file, as `cfx check` does, and clears it once it is mended", async () => {
    const { sound, line } = breakItems()
    await open("quickstart.cfx")
    const [wrong] = await diagnostics(items, (found) => found.length > 0)
    expect(wrong).toMatchObject({ code: "CFX3011", range: { start: { line } } })
    expect(published.get(uri("quickstart.cfx"))).toEqual([])
    writeFileSync(join(folder, items), sound)
    await save("quickstart.cfx")
    expect(await diagnostics(items, (found) => found.length === 0)).toEqual([])
  })

  it("leads from what is wrong with a mapping to the row in the file of items", async () => {
    const text = readFileSync(join(folder, "quickstart.cfx"), "utf8").replace("gold = gold", "gold = golden")
    await open("quickstart.cfx", text)
    const [wrong] = await diagnostics("quickstart.cfx", (found) =>
      found.some(({ code }) => code === "CFX3008"),
    )
    const { line } = at(readFileSync(join(folder, items), "utf8"), "|id: kind-001")
    expect(wrong?.relatedInformation).toMatchObject([
      { message: "the first row", location: { uri: uri(items), range: { start: { line } } } },
    ])
  })

  it("is watched where the editor can: what changes on the disk is checked again", async () => {
    await open("quickstart.cfx")
    await diagnostics("quickstart.cfx", (found) => found.length === 0)
    expect(watched).toEqual(["**/*.{cfx,yaml,yml,json,jsonl,ndjson,csv}"])
    breakItems()
    await client.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uri(items), type: 2 }],
    })
    const [wrong] = await diagnostics(items, (found) => found.length > 0)
    expect(wrong?.code).toBe("CFX3011")
  })

  it("is checked again when a spec is saved", async () => {
    await open("quickstart.cfx")
    await diagnostics("quickstart.cfx", (found) => found.length === 0)
    breakItems()
    await save("quickstart.cfx")
    const [wrong] = await diagnostics(items, (found) => found.length > 0)
    expect(wrong?.code).toBe("CFX3011")
  })
})

describe("a folder whose name an editor spells otherwise than Node", () => {
  const name = (file: string): string => `lab (1)@x/${file}`

  it("has each file once: by the editor's spelling while it is open, and else by Node's", async () => {
    const library = 'framing crowd {\n  preamble "A crowd says:"\n  line "{assertion}"\n}\nsurprise\n'
    const spec =
      'import { crowd } from "./lib.cfx"\nframing mob extends crowd { line "We say: {assertion}" }\n'
    mkdirSync(join(folder, name("")))
    writeFileSync(join(folder, name("lib.cfx")), library)
    writeFileSync(join(folder, name("main.cfx")), spec)
    const encoded = asEncoded(name("lib.cfx"))
    expect(encoded).not.toBe(uri(name("lib.cfx")))
    const has = (found: readonly Diagnostic[]) =>
      found.some(({ code }) => code === "CFX1006" || code === "CFX1007")
    const hasNone = (found: readonly Diagnostic[]) => found.length === 0

    await open(name("main.cfx"), spec, asEncoded(name("main.cfx")))
    await diagnostics(name("lib.cfx"), has)
    await open(name("lib.cfx"), library, encoded)
    await diagnostics(name("lib.cfx"), has, encoded)
    await diagnostics(name("lib.cfx"), hasNone)

    const definition = await client.sendRequest<{ uri: string }>("textDocument/definition", {
      textDocument: { uri: asEncoded(name("main.cfx")) },
      position: at(spec, "extends cr|owd"),
    })
    expect(definition.uri).toBe(encoded)
    await client.sendNotification("textDocument/didChange", {
      textDocument: { uri: encoded, version: 2 },
      contentChanges: [{ text: library.replace("surprise\n", "") }],
    })
    await diagnostics(name("lib.cfx"), hasNone, encoded)
    const edit = await client.sendRequest<WorkspaceEdit>("textDocument/rename", {
      textDocument: { uri: asEncoded(name("main.cfx")) },
      position: at(spec, "extends cr|owd"),
      newName: "many",
    })
    expect(Object.keys(edit.changes ?? {}).sort()).toEqual([encoded, asEncoded(name("main.cfx"))].sort())

    await client.sendNotification("textDocument/didChange", {
      textDocument: { uri: encoded, version: 3 },
      contentChanges: [{ text: library }],
    })
    await diagnostics(name("lib.cfx"), has, encoded)
    await client.sendNotification("textDocument/didClose", { textDocument: { uri: encoded } })
    await diagnostics(name("lib.cfx"), has)
    await diagnostics(name("lib.cfx"), hasNone, encoded)
  })
})
