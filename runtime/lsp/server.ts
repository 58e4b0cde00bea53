/**
 * The language server: a thin layer between the protocol and `compiler/service`, which knows nothing of it.
 *
 *   editor ──request──> server ──path, offset──> service ──spans──> server ──ranges──> editor
 */
import {
  CompletionItemKind,
  type Connection,
  DiagnosticSeverity,
  MarkupKind,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node"
import { TextDocument } from "vscode-languageserver-textdocument"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import type { Files } from "../../compiler/files.ts"
import type { Module } from "../../compiler/load.ts"
import { type Analysis, analyse } from "../../compiler/service/analysis.ts"
import { type Completion, completionsAt } from "../../compiler/service/completion.ts"
import { definitionAt, type Location } from "../../compiler/service/definition.ts"
import { hoverAt } from "../../compiler/service/hover.ts"
import { renameAt } from "../../compiler/service/rename.ts"
import { format } from "../../grammar/format.ts"
import type { Source, Span } from "../../grammar/source.ts"
import { openFiles, pathOf, uriOf } from "./documents.ts"

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
  const analysed = new Map<string, Analysis | undefined>()
  const published = new Set<string>()
  let waiting: NodeJS.Timeout | undefined

  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      hoverProvider: true,
      definitionProvider: true,
      completionProvider: { triggerCharacters: ["{", '"', "=", "[", " ", "."] },
      renameProvider: { prepareProvider: false },
      documentFormattingProvider: true,
    },
    serverInfo: { name: "cfx" },
  }))

  documents.onDidChangeContent(() => {
    analysed.clear()
    clearTimeout(waiting)
    waiting = setTimeout(publish, QUIET_MS)
  })
  documents.onDidClose(() => {
    analysed.clear()
    publish()
  })
  connection.onDidChangeWatchedFiles(() => {
    analysed.clear()
    publish()
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
    const place = placeIn(textDocument.uri, position)
    if (place === undefined) return null
    const others = documents
      .all()
      .flatMap(({ uri }) => (uri === textDocument.uri ? [] : (analysisOf(uri) ?? [])))
    const renaming = renameAt([place.analysis, ...others], place.offset, newName)
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

  function analysisOf(uri: string): Analysis | undefined {
    const path = pathOf(uri)
    if (path === undefined) return undefined
    if (!analysed.has(uri)) analysed.set(uri, analyse(path, files))
    return analysed.get(uri)
  }

  function placeIn(uri: string, position: { readonly line: number; readonly character: number }) {
    const document = documents.get(uri)
    const analysis = analysisOf(uri)
    if (document === undefined || analysis === undefined) return undefined
    return { document, analysis, offset: document.offsetAt(position) }
  }

  /** Diagnostics of every open file and of what it needs; a file that has none any more is cleared. */
  function publish(): void {
    const byUri = new Map<string, Map<string, Diagnostic>>()
    for (const { uri } of documents.all()) {
      byUri.set(uri, byUri.get(uri) ?? new Map())
      const analysis = analysisOf(uri)
      for (const diagnostic of analysis?.diagnostics ?? []) {
        const of = uriOfSource(diagnostic.source, analysis?.modules ?? []) ?? uri
        const known = byUri.get(of) ?? new Map<string, Diagnostic>()
        byUri.set(of, known)
        known.set(`${diagnostic.code} ${diagnostic.span.start} ${diagnostic.message}`, diagnostic)
      }
    }
    for (const uri of published)
      if (!byUri.has(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] })
    published.clear()
    for (const [uri, found] of byUri) {
      published.add(uri)
      void connection.sendDiagnostics({ uri, diagnostics: [...found.values()].map(wire) })
    }
  }

  function wire({ severity, code, message, label, hint, source, span, related }: Diagnostic) {
    const text = TextDocument.create("", "cfx", 0, source.text)
    return {
      range: rangeOf(text, span),
      severity: severities[severity],
      code,
      source: "cfx",
      message: [message === "" ? label : message, ...(hint === undefined ? [] : [hint])].join("\n"),
      relatedInformation: related.flatMap((one) => {
        const uri = [...analysed.values()].flatMap(
          (analysis) => uriOfSource(one.source, analysis?.modules ?? []) ?? [],
        )[0]
        if (uri === undefined) return []
        const range = rangeOf(TextDocument.create("", "cfx", 0, one.source.text), one.span)
        return [{ location: { uri, range }, message: one.label }]
      }),
    }
  }

  function located({ path, span }: Location) {
    const uri = uriOf(path)
    const open = documents.get(uri)
    const read = files.read(path)
    const text = "text" in read ? read.text : ""
    return { uri, range: rangeOf(open ?? TextDocument.create(uri, "cfx", 0, text), span) }
  }
}

const uriOfSource = (source: Source, modules: readonly Module[]): string | undefined => {
  const module = modules.find((one) => one.source.name === source.name && one.source.text === source.text)
  return module === undefined ? undefined : uriOf(module.path)
}

const rangeOf = (document: TextDocument, { start, end }: Span) => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
})
