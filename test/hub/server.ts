/** A hub on this machine that does to files what networks do: cuts them, falls silent, redirects, changes bytes, forgets where it was. */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { Settings } from "../../runtime/hub/settings.ts"
import type { Watch } from "../../runtime/hub/watch.ts"

export const COMMIT = "0123456789abcdef0123456789abcdef01234567"

export const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Bytes that differ everywhere, the same on every call. */
export function bytesOf(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  for (let index = 0; index < length; index++) bytes[index] = (index * 31 + (index >> 8) * 7 + seed) & 255
  return bytes
}

/** Answers one request for a file. */
export type Act = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

/** As a server should: ranges, with a strong mark that a range has to be asked with. */
export const whole: Act = (request, response, body) => {
  const etag = `"${sumOf(body).slice(0, 16)}"`
  const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1]
  const isSame = request.headers["if-range"] === undefined || request.headers["if-range"] === etag
  if (from === undefined || !isSame) {
    response.writeHead(200, { etag, "content-length": body.length }).end(body)
  } else if (Number(from) >= body.length) {
    response.writeHead(416, { "content-range": `bytes */${body.length}` }).end()
  } else {
    const rest = body.subarray(Number(from))
    response
      .writeHead(206, {
        etag,
        "content-length": rest.length,
        "content-range": `bytes ${from}-${body.length - 1}/${body.length}`,
      })
      .end(rest)
  }
}

/** Milliseconds. */
const LOOKING = 300

/** Sends so many bytes of what was asked for, and then breaks the connection or falls silent. */
export const cut =
  (bytes: number, what: "breaks" | "silent"): Act =>
  (request, response, body) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0)
    const etag = `"${sumOf(body).slice(0, 16)}"`
    response.writeHead(from === 0 ? 200 : 206, {
      etag,
      "content-length": body.length - from,
      ...(from === 0 ? {} : { "content-range": `bytes ${from}-${body.length - 1}/${body.length}` }),
    })
    response.write(body.subarray(from, from + bytes), () => {
      // A reader that is told of the end drops what it has not looked at yet, so it is given time to look.
      if (what === "breaks") setTimeout(() => response.socket?.end(), LOOKING)
    })
  }

export const says =
  (status: number, headers: Readonly<Record<string, string>> = {}): Act =>
  (_, response) =>
    void response.writeHead(status, headers).end("no")

/** Sends another file than the one that is meant, of the same length. */
export const another: Act = (request, response, body) => whole(request, response, bytesOf(body.length, 99))

/** Starts over whatever is asked. */
export const deaf: Act = (_, response, body) =>
  void response.writeHead(200, { "content-length": body.length }).end(body)

export interface HubScript {
  /** By name in the repository `a/b`. */
  readonly files: Readonly<Record<string, Buffer>>
  /** For the requests of files, in their order; from the last on as a server should. */
  readonly acts?: readonly Act[]
  /** In place of the hub's description of the repository. */
  readonly describes?: Act
  /** Files are redirected to another host, as the hub does. */
  readonly elsewhere?: boolean
  /** Sizes and sums are left out of the description. */
  readonly knowsNothing?: boolean
}

export interface Asked {
  readonly url: string
  readonly host: string
  readonly headers: IncomingMessage["headers"]
}

export async function hub(
  script: HubScript,
): Promise<{ readonly endpoint: string; readonly asked: Asked[] }> {
  const asked: Asked[] = []
  const acts = [...(script.acts ?? [])]
  const note = (request: IncomingMessage): void =>
    void asked.push({
      url: request.url ?? "",
      host: request.headers.host ?? "",
      headers: request.headers,
    })
  const file: Act = (request, response) => {
    const name = decodeURIComponent(/\/(?:resolve|blob)\/[^/]+\/(.*)$/.exec(request.url ?? "")?.[1] ?? "")
    const body = script.files[name]
    if (body === undefined) response.writeHead(404).end()
    else (acts.shift() ?? whole)(request, response, body)
  }
  const other = script.elsewhere
    ? await listen((request, response) => {
        note(request)
        file(request, response, Buffer.alloc(0))
      })
    : ""
  const endpoint = await listen((request, response) => {
    note(request)
    const url = request.url ?? ""
    if (url.startsWith("/api/models/a/b/revision/")) {
      if (script.describes) return script.describes(request, response, Buffer.alloc(0))
      const siblings = Object.entries(script.files).map(([rfilename, body]) =>
        script.knowsNothing
          ? { rfilename }
          : { rfilename, size: body.length, lfs: { size: body.length, sha256: sumOf(body) } },
      )
      return void response.end(JSON.stringify({ sha: COMMIT, siblings }))
    }
    if (script.elsewhere && url.includes("/resolve/"))
      return void response.writeHead(302, { location: `${other}${url.replace("/resolve/", "/blob/")}` }).end()
    file(request, response, Buffer.alloc(0))
  })
  return { endpoint, asked }
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A folder that is gone after the test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "cfx-hub-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Settings of a test: hardly any waiting, and a home of its own. */
export const settingsOf = (endpoint: string, more: Partial<Settings> = {}): Settings => ({
  endpoint,
  offline: false,
  home: folder(),
  shared: "/nowhere",
  stall: 20_000,
  pauses: [1, 1, 1],
  fetch,
  free: () => 1e12,
  ...more,
})

/** What a person would have read. */
export function listener(): { readonly watch: Watch; readonly notes: string[]; readonly begun: string[] } {
  const notes: string[] = []
  const begun: string[] = []
  const watch: Watch = {
    note: (text) => void notes.push(text),
    begin: ({ doing, name, done }) => void begun.push(`${doing} ${name} from ${done}`),
    passed: () => {},
    end: () => {},
  }
  return { watch, notes, begun }
}

/** An address that nobody listens at. */
export async function nobody(): Promise<string> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return `http://127.0.0.1:${port}`
}
