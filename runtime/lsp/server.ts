/**
 * The language server: a thin layer between the protocol and `compiler/service`, which knows nothing of it.
 *
 *   editor ──request──> server ──path, offset──> service ──spans──> server ──ranges──> editor
 */
import {
  CompletionItemKind,
  type Connection,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  MarkupKind,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node"
import { TextDocument } from "vscode-languageserver-textdocument"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import type { Files } from "../../compiler/files.ts"
import { load } from "../../compiler/load.ts"
import { type Analysis, analyse } from "../../compiler/service/analysis.ts"
import { type Completion, completionsAt } from "../../compiler/service/completion.ts"
import { definitionAt, type Location } from "../../compiler/service/definition.ts"
import { hoverAt } from "../../compiler/service/hover.ts"
import { renameAt } from "../../compiler/service/rename.ts"
import { format } from "../../grammar/format.ts"
import type { Span } from "../../grammar/source.ts"
import { documentAt, openFiles, pathOf, uriOf } from "./documents.ts"
import { foldersOf, specsIn, watchedFiles } from "./workspace.ts"

/** After so many milliseconds without a key the files are checked again. */
const QUIET_MS = 120

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const

const completionKinds = {
  name: CompletionItemKind.Variable,
  level: CompletionItemKind.EnumMember,
  column: CompletionItemKind.Field,
  placeholder: CompletionItemKind.Property,
  keyword: CompletionItemKind.Keyword,
  library: CompletionItemKind.Module,
} as const satisfies Record<Completion["kind"], CompletionItemKind>

const invalidParams = -32602

/** Serves until the connection closes; resolves then. */
export function serve(connection: Connection, disk: Files): Promise<void> {
  const documents = new TextDocuments(TextDocument)
  const files = openFiles(disk, () => documents.all())
  /** By path, as everything here: an editor may spell a URI in its own way. */
  const analysed = new Map<string, Analysis | undefined>()
  /** URIs by path, of the files that have diagnostics. */
  const published = new Map<string, string>()
  let folders: readonly string[] = []
  let waiting: NodeJS.Timeout | undefined

  connection.onInitialize((client) => {
    folders = foldersOf(client)
    if (client.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
      connection.onInitialized(() => {
        const watchers = [{ globPattern: watchedFiles }]
        void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers })
      })
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        definitionProvider: true,
        completionProvider: { triggerCharacters: ["{", '"', "=", "[", " ", "."] },
        renameProvider: { prepareProvider: false },
        documentFormattingProvider: true,
      },
      serverInfo: { name: "cfx" },
    }
  })

  documents.onDidChangeContent(publishSoon)
  documents.onDidClose(publishNow)
  // What the file rests on may have changed too, where nobody watches that.
  documents.onDidSave(publishNow)
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const changed = changes.flatMap(({ uri }) => pathOf(uri) ?? [])
    if (openSpecs().some((path) => changed.some((one) => analysisOf(path)?.restsOn(one)))) publishSoon()
  })

  connection.onHover(({ textDocument, position }) => {
    const place = placeIn(textDocument.uri, position)
    const hover = place && hoverAt(place.analysis, place.offset)
    return hover === undefined || place === undefined
      ? null
      : {
          contents: { kind: MarkupKind.Markdown, value: hover.markdown },
          range: rangeOf(place.document, hover.span),
        }
  })

  connection.onDefinition(({ textDocument, position }) => {
    const place = placeIn(textDocument.uri, position)
    const found = place && definitionAt(place.analysis, place.offset)
    return found === undefined ? null : located(found)
  })

  connection.onCompletion(({ textDocument, position }) => {
    const place = placeIn(textDocument.uri, position)
    if (place === undefined) return []
    return completionsAt(place.analysis, place.offset).map(({ label, kind, detail, doc }) => ({
      label,
      kind: completionKinds[kind],
      detail,
      ...(doc === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: doc } }),
    }))
  })

  connection.onRenameRequest(({ textDocument, position, newName }) => {
    // Files that are not open are changed too: as they are now, whether or not somebody told of it.
    analysed.clear()
    const place = placeIn(textDocument.uri, position)
    if (place === undefined) return null
    const reach = { files, importersOf: (path: string) => importersOf(path, place.analysis) }
    const renaming = renameAt(place.analysis, place.offset, newName, reach)
    if ("problem" in renaming) return new ResponseError(invalidParams, renaming.problem)
    const changes: Record<string, { range: ReturnType<typeof rangeOf>; newText: string }[]> = {}
    for (const edit of renaming.edits) {
      const { uri, range } = located(edit)
      changes[uri] = [...(changes[uri] ?? []), { range, newText: newName }]
    }
    return { changes }
  })

  connection.onDocumentFormatting(({ textDocument }) => {
    const document = documents.get(textDocument.uri)
    if (document === undefined) return null
    const formatted = format({ name: textDocument.uri, text: document.getText() })
    if ("problems" in formatted || formatted.text === document.getText()) return []
    return [
      { range: rangeOf(document, { start: 0, end: document.getText().length }), newText: formatted.text },
    ]
  })

  documents.listen(connection)
  const closed = new Promise<void>((done) => {
    connection.onExit(() => done())
  })
  connection.listen()
  return closed

  function publishSoon(): void {
    analysed.clear()
    clearTimeout(waiting)
    waiting = setTimeout(publish, QUIET_MS)
  }

  function publishNow(): void {
    analysed.clear()
    clearTimeout(waiting)
    publish()
  }

  function analysisOf(path: string): Analysis | undefined {
    if (!analysed.has(path)) analysed.set(path, analyse(path, files))
    return analysed.get(path)
  }

  /** The paths of the specs and libraries that are open; an editor may send files of items too. */
  function openSpecs(): readonly string[] {
    return documents.all().flatMap(({ uri, languageId }) => {
      const path = pathOf(uri)
      return path !== undefined && (languageId === "cfx" || path.endsWith(".cfx")) ? [path] : []
    })
  }

  function placeIn(uri: string, position: { readonly line: number; readonly character: number }) {
    const path = pathOf(uri)
    const document = path === undefined ? undefined : documentAt(path, documents.all())
    const analysis = path === undefined ? undefined : analysisOf(path)
    if (document === undefined || analysis === undefined) return undefined
    return { document, analysis, offset: document.offsetAt(position) }
  }

  /** Of what is open and of what stands in the editor's folders, all but one that take part in a file. */
  function importersOf(path: string, asked: Analysis): readonly Analysis[] {
    const paths = new Set([...openSpecs(), ...folders.flatMap(specsIn)])
    paths.delete(asked.module.path)
    const importing = [...paths].filter((one) =>
      load(one, files).modules.some((module) => module.path === path),
    )
    return importing.flatMap((one) => analysisOf(one) ?? [])
  }

  /** Diagnostics of every open file and of all that it rests on, item files among it; a file that has none any more is cleared. */
  function publish(): void {
    const byPath = new Map<string, Map<string, ReturnType<typeof wire>>>()
    for (const path of openSpecs()) {
      byPath.set(path, byPath.get(path) ?? new Map())
      const analysis = analysisOf(path)
      for (const diagnostic of analysis?.diagnostics ?? []) {
        const of = analysis!.pathOf(diagnostic.source)
        const known = byPath.get(of) ?? new Map<string, ReturnType<typeof wire>>()
        byPath.set(of, known)
        const { code, span, message } = diagnostic
        known.set(`${code} ${span.start} ${message}`, wire(diagnostic, analysis!))
      }
    }
    for (const [path, uri] of published)
      if (!byPath.has(path) || uri !== uriAt(path)) void connection.sendDiagnostics({ uri, diagnostics: [] })
    published.clear()
    for (const [path, found] of byPath) {
      const uri = uriAt(path)
      published.set(path, uri)
      void connection.sendDiagnostics({ uri, diagnostics: [...found.values()] })
    }
  }

  function wire(diagnostic: Diagnostic, analysis: Analysis) {
    const { severity, code, message, label, hint, source, span, related } = diagnostic
    return {
      range: rangeIn(source.text, span),
      severity: severities[severity],
      code,
      source: "cfx",
      message: [message === "" ? label : message, ...(hint === undefined ? [] : [hint])].join("\n"),
      relatedInformation: related.map((one) => ({
        location: { uri: uriAt(analysis.pathOf(one.source)), range: rangeIn(one.source.text, one.span) },
        message: one.label,
      })),
    }
  }

  function uriAt(path: string): string {
    return uriOf(path, documents.all())
  }

  function located({ path, span }: Location) {
    const read = files.read(path)
    return { uri: uriAt(path), range: rangeIn("text" in read ? read.text : "", span) }
  }
}

const rangeIn = (text: string, span: Span) => rangeOf(TextDocument.create("", "cfx", 0, text), span)

const rangeOf = (document: TextDocument, { start, end }: Span) => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
})
