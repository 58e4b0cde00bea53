/** Models by name: whatever the network does, what is opened is the file that is meant, or a person is told what to do. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import type { ModelFile } from "../../runtime/backend/backend.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import type { Obtained } from "../../runtime/hub/atHand.ts"
import { obtain } from "../../runtime/hub/obtain.ts"
import { type Settings, settingsFrom } from "../../runtime/hub/settings.ts"
import { wholeSum } from "../../runtime/hub/split.ts"
import {
  type Act,
  another,
  bytesOf,
  COMMIT,
  cut,
  deaf,
  folder,
  hub,
  listener,
  nobody,
  says,
  settingsOf,
  sumOf,
  whole,
} from "./server.ts"

const body = bytesOf(300_000)
const model: ModelFile = { name: "m", path: `hf:a/b/c.gguf#${COMMIT}` }
const place = (home: string, file = "c.gguf", commit = COMMIT): string =>
  join(home, "models/hf/a/b", commit, file)

/** Obtains the model; a failure is given back as one. */
async function get(
  settings: Settings,
  wanted: ModelFile = model,
  watch = listener().watch,
  signal = new AbortController().signal,
): Promise<Obtained | EnvironmentFailure> {
  try {
    return await obtain(wanted, { settings, watch, signal })
  } catch (error) {
    if (error instanceof EnvironmentFailure) return error
    throw error
  }
}

const failure = (found: Obtained | EnvironmentFailure): EnvironmentFailure => {
  if (found instanceof EnvironmentFailure) return found
  throw new Error(`it was obtained: ${JSON.stringify(found)}`)
}

describe("a file on the hub", () => {
  test("is fetched to its place below CFX_HOME, once", async () => {
    const { endpoint, asked } = await hub({ files: { "c.gguf": body } })
    const settings = settingsOf(endpoint)
    const expected = {
      path: place(settings.home),
      bytes: body.length,
      sha256: sumOf(body),
      source: model.path,
      commit: COMMIT,
    }
    expect(await get(settings)).toEqual(expected)
    expect(readFileSync(place(settings.home))).toEqual(body)
    const before = asked.length
    expect(await get({ ...settings, offline: true })).toEqual(expected)
    expect(asked).toHaveLength(before)
    expect(readdirSync(dirname(place(settings.home)))).toEqual(["c.gguf", "c.gguf.sum.json"])
  })

  test("of no pinned revision is the branch's commit now, which is said, and kept for days without a network", async () => {
    const { endpoint, asked } = await hub({ files: { "c.gguf": body } })
    const settings = settingsOf(endpoint)
    const { watch, notes } = listener()
    const unlocked = { ...model, path: "hf:a/b/c.gguf#unlocked" }
    expect(await get(settings, unlocked, watch)).toMatchObject({ path: place(settings.home), commit: COMMIT })
    expect(asked[0]?.url).toBe("/api/models/a/b/revision/main?blobs=true")
    expect(notes).toEqual([`m: unlocked is commit ${COMMIT} now; cfx lock SPEC pins it`])
    const later = listener()
    expect(await get({ ...settings, offline: true }, unlocked, later.watch)).toMatchObject({ commit: COMMIT })
    expect(later.notes[0]).toContain(`unlocked is taken to be commit ${COMMIT}, as it last was`)
    const gone = settingsOf(await nobody(), { home: settings.home })
    expect(await get(gone, unlocked)).toMatchObject({ commit: COMMIT })
  })

  test("has its progress told, and the wait for its sum", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body } })
    const { watch, begun } = listener()
    await get(settingsOf(endpoint), model, watch)
    expect(begun.slice(0, 2)).toEqual(["fetching c.gguf from 0", "checking the sum of c.gguf from 0"])
  })
})

describe("a network that fails", () => {
  test.each<[string, readonly Act[], number]>([
    ["breaks off: it goes on from there", [cut(100_000, "breaks")], 1],
    ["breaks off twice", [cut(100_000, "breaks"), cut(50_000, "breaks")], 2],
    ["falls silent: after a while it goes on", [cut(100_000, "silent")], 1],
    ["is out of order for a moment", [says(503), says(429, { "retry-after": "0" })], 0],
  ])("and %s", async (_, acts, goesOn) => {
    const { endpoint, asked } = await hub({ files: { "c.gguf": body }, acts })
    const settings = settingsOf(endpoint, { stall: 3000 })
    const { watch, notes } = listener()
    expect(await get(settings, model, watch)).toMatchObject({ sha256: sumOf(body) })
    const ranges = asked.flatMap(({ headers }) => headers.range ?? [])
    expect(ranges).toHaveLength(goesOn)
    for (const range of ranges) expect(range).toMatch(/^bytes=[1-9]\d*-$/)
    for (const { headers } of asked) if (headers.range) expect(headers["if-range"]).toMatch(/^"/)
    expect(notes).toHaveLength(acts.length)
    for (const note of notes) expect(note).toMatch(/: again in \d+ s$/)
  })

  test("tries that bring bytes count anew, so that many breaks are no end", async () => {
    const acts = Array.from({ length: 9 }, () => cut(30_000, "breaks"))
    const { endpoint } = await hub({ files: { "c.gguf": body }, acts })
    expect(await get(settingsOf(endpoint))).toMatchObject({ sha256: sumOf(body) })
  })

  test("for good: what came is kept, and the next call goes on from there", async () => {
    const acts = [cut(100_000, "breaks"), says(503), says(503), says(503), says(503)]
    const { endpoint, asked } = await hub({ files: { "c.gguf": body }, acts })
    const settings = settingsOf(endpoint)
    const { what, todo } = failure(await get(settings))
    expect(what).toContain("cannot be fetched")
    expect(todo).toContain("what has come is kept")
    expect(todo).toContain(place(settings.home))
    expect(todo).toContain("--model m=FILE")
    const part = readFileSync(`${place(settings.home)}.part`)
    expect(part.length).toBeGreaterThan(0)
    expect(part.equals(body.subarray(0, part.length))).toBe(true)
    expect(await get(settings)).toMatchObject({ sha256: sumOf(body) })
    expect(asked.at(-1)?.headers.range).toBe(`bytes=${part.length}-`)
  })

  test("forgets ranges: it starts over, and says so", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body }, acts: [cut(100_000, "breaks"), deaf] })
    const { watch, notes } = listener()
    expect(await get(settingsOf(endpoint), model, watch)).toMatchObject({ sha256: sumOf(body) })
    expect(notes.at(-1)).toMatch(/does not go on after [\d.]+ kB; it starts over/)
  })

  test("has another state of the file by then (ETag): it starts over", async () => {
    const changed: Act = (request, response) =>
      cut(100_000, "breaks")(request, response, bytesOf(body.length, 5))
    const { endpoint } = await hub({ files: { "c.gguf": body }, acts: [changed] })
    const { watch, notes } = listener()
    expect(await get(settingsOf(endpoint), model, watch)).toMatchObject({ sha256: sumOf(body) })
    expect(notes.at(-1)).toMatch(/it starts over/)
  })

  test("has another state of the file by then, and goes on with that one in spite of what it was asked: it starts over", async () => {
    const before: Act = (request, response) =>
      cut(100_000, "breaks")(request, response, bytesOf(body.length, 5))
    // As `whole`, but deaf to `If-Range`.
    const careless: Act = (request, response, bytes) => {
      delete request.headers["if-range"]
      whole(request, response, bytes)
    }
    const { endpoint } = await hub({ files: { "c.gguf": body }, acts: [before, careless] })
    const { watch, notes } = listener()
    expect(await get(settingsOf(endpoint), model, watch)).toMatchObject({ sha256: sumOf(body) })
    expect(notes.at(-1)).toMatch(/is another file by now where it is fetched from: it starts over: again in/)
  })

  test("asks to wait for hours: that is said instead", async () => {
    const busy = says(429, { "retry-after": "7200" })
    const { endpoint, asked } = await hub({ files: { "c.gguf": body }, acts: [busy] })
    expect(failure(await get(settingsOf(endpoint))).what).toContain("asks to wait (429), for 2 h 0 min")
    expect(asked).toHaveLength(2)
  })
})

describe("another file than the one that is meant", () => {
  test("comes: both sums are said, nothing is deleted, and removing it helps", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body }, acts: [another] })
    const settings = settingsOf(endpoint)
    const { what, todo } = failure(await get(settings))
    expect(what).toContain(sumOf(bytesOf(body.length, 99)))
    expect(what).toContain(sumOf(body))
    expect(todo).toContain(`remove ${place(settings.home)}.part`)
    expect(existsSync(place(settings.home))).toBe(false)
    // Again without removing it: the same is said, and nothing is fetched.
    expect(failure(await get(settings)).what).toBe(what)
    rmSync(`${place(settings.home)}.part`)
    expect(await get(settings)).toMatchObject({ sha256: sumOf(body) })
  })

  test("is longer or shorter than the hub says", async () => {
    const short: Act = (request, response) => whole(request, response, body.subarray(0, 1000))
    const { endpoint } = await hub({ files: { "c.gguf": body }, acts: [short] })
    const { what } = failure(await get(settingsOf(endpoint)))
    expect(what).toContain("has 1000 bytes where it is fetched from, and not the 300000")
  })

  test("is declared or locked: the hub is not asked for it", async () => {
    const { endpoint, asked } = await hub({ files: { "c.gguf": body } })
    const wrong = "ab".repeat(32)
    const { what, todo } = failure(await get(settingsOf(endpoint), { ...model, sha256: wrong }))
    expect(what).toContain(`has sha256 ${sumOf(body)} on the hub, and not the declared or locked ${wrong}`)
    expect(todo).toContain("cfx lock SPEC --update")
    const size = failure(await get(settingsOf(endpoint), { ...model, bytes: 7 }))
    expect(size.what).toContain("has 300000 bytes on the hub, and not the declared or locked 7")
    expect(asked.map(({ url }) => url).filter((url) => url.includes("resolve"))).toEqual([])
  })

  test("stands at its place by now: it is not opened", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body } })
    const settings = settingsOf(endpoint)
    await get(settings)
    writeFileSync(place(settings.home), bytesOf(body.length, 7))
    const { what, todo } = failure(await get(settings))
    expect(what).toContain(`and had ${sumOf(body)} when it was fetched`)
    expect(todo).toContain("remove it and run the same command again")
  })
})

describe("a token", () => {
  test("goes to the hub and not to the host that it redirects to", async () => {
    const { endpoint, asked } = await hub({ files: { "c.gguf": body }, elsewhere: true })
    const settings = settingsOf(endpoint, { token: "hf_secret" })
    expect(await get(settings)).toMatchObject({ sha256: sumOf(body) })
    const own = asked.filter(({ host }) => endpoint.endsWith(host))
    const others = asked.filter(({ host }) => !endpoint.endsWith(host))
    expect(own.map(({ headers }) => headers.authorization)).toEqual(["Bearer hf_secret", "Bearer hf_secret"])
    expect(others.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  test("is in no message", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body }, describes: says(403) })
    const { watch, notes } = listener()
    const found = failure(await get(settingsOf(endpoint, { token: "hf_secret" }), model, watch))
    expect(`${found.message} ${notes.join(" ")}`).not.toContain("hf_secret")
    expect(found.what).toContain("the token in HF_TOKEN may not read it")
  })
})

describe("a hub that says no", () => {
  test.each<[string, Act, RegExp, RegExp]>([
    [
      "gated",
      says(401, { "x-error-code": "GatedRepo" }),
      /answers 401 \(GatedRepo\)/,
      /accept its conditions at .*\/a\/b, and set HF_TOKEN/,
    ],
    [
      "no such repository",
      says(401, { "x-error-code": "RepoNotFound" }),
      /no such repository/,
      /check the address against/,
    ],
    [
      "no such revision",
      says(404, { "x-error-code": "RevisionNotFound" }),
      /no such revision/,
      /check the address/,
    ],
    ["no description", (_, response) => void response.end("<html>"), /names no commit/, /check HF_ENDPOINT/],
  ])("%s", async (_, describes, what, todo) => {
    const { endpoint } = await hub({ files: {}, describes })
    const found = failure(await get(settingsOf(endpoint)))
    expect(found.what).toMatch(what)
    expect(found.todo).toMatch(todo)
  })

  test("no such file: those that there are are named", async () => {
    const { endpoint } = await hub({ files: { "x-q4.gguf": body, "x-q8.gguf": body, README: body } })
    expect(failure(await get(settingsOf(endpoint))).what).toBe(
      "the repository a/b has no file c.gguf: it has x-q4.gguf, x-q8.gguf",
    )
  })

  test("redirects in a circle", async () => {
    const round: Act = (request, response) => void response.writeHead(302, { location: request.url }).end()
    const { endpoint } = await hub({ files: {}, describes: round })
    expect(failure(await get(settingsOf(endpoint))).what).toContain("redirects more than 10 times")
  })

  test("knows no sum: the file's own is said", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body }, knowsNothing: true })
    const { watch, notes } = listener()
    expect(await get(settingsOf(endpoint), model, watch)).toMatchObject({ sha256: sumOf(body) })
    expect(notes[0]).toContain(`nobody says what its sum should be; it has sha256 ${sumOf(body)}`)
  })
})

describe("without a network", () => {
  test.each([
    ["nothing may be fetched", { offline: true }, /CFX_OFFLINE/],
    ["nobody answers", {}, /127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/],
  ])("%s: the file's place and --model are named", async (_, more, what) => {
    const settings = settingsOf(await nobody(), more)
    const found = failure(await get(settings))
    expect(found.what).toMatch(what)
    expect(found.todo).toContain(
      `put the file at ${place(settings.home)}, or give another with --model m=FILE`,
    )
  })

  test("a file that a person puts there is used", async () => {
    const settings = settingsOf(await nobody(), { offline: true })
    mkdirSync(dirname(place(settings.home)), { recursive: true })
    writeFileSync(place(settings.home), body)
    expect(await get(settings)).toMatchObject({ path: place(settings.home), sha256: sumOf(body) })
    const { what } = failure(await get(settings, { ...model, sha256: "ab".repeat(32) }))
    expect(what).toContain(`has sha256 ${sumOf(body)}, and not the declared or locked`)
  })

  test("the cache of the hub's own library is looked at, and never written", async () => {
    const shared = folder()
    const blobs = join(shared, "models--a--b/blobs")
    const snapshot = join(shared, "models--a--b/snapshots", COMMIT)
    mkdirSync(blobs, { recursive: true })
    mkdirSync(snapshot, { recursive: true })
    writeFileSync(join(blobs, sumOf(body)), body)
    symlinkSync(join("../../blobs", sumOf(body)), join(snapshot, "c.gguf"))
    const settings = settingsOf(await nobody(), { offline: true, shared })
    expect(await get(settings)).toMatchObject({ path: join(snapshot, "c.gguf"), sha256: sumOf(body) })
    // Bytes that are not those of its name there are not used.
    writeFileSync(join(blobs, sumOf(body)), bytesOf(10))
    const { watch, notes } = listener()
    expect(failure(await get(settings, model, watch)).what).toContain("not on this machine")
    expect(notes[0]).toContain("which is not its name there")
  })
})

describe("the disk", () => {
  test("has no room: said before anything is fetched", async () => {
    const { endpoint, asked } = await hub({ files: { "c.gguf": body } })
    const { what, todo } = failure(await get(settingsOf(endpoint, { free: () => 1000 })))
    expect(what).toContain("the disk has room for 1.00 kB, and c.gguf takes 300 kB more")
    expect(todo).toContain("CFX_HOME")
    expect(asked.filter(({ url }) => url.includes("resolve"))).toEqual([])
  })
})

describe("two at a time", () => {
  test("one fetches, the other waits for it", async () => {
    const slow: Act = (request, response, bytes) =>
      void setTimeout(() => whole(request, response, bytes), 300)
    const { endpoint, asked } = await hub({ files: { "c.gguf": body }, acts: [slow] })
    const settings = settingsOf(endpoint)
    const second = listener()
    const both = await Promise.all([get(settings), get(settings, model, second.watch)])
    expect(both.map((one) => "sha256" in one && one.sha256)).toEqual([sumOf(body), sumOf(body)])
    expect(asked.filter(({ url }) => url.includes("resolve"))).toHaveLength(1)
  })

  test("a lock that a killed process left is taken over", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body } })
    const settings = settingsOf(endpoint)
    const pid = await new Promise<number>((done) => {
      const child = execFile(process.execPath, ["-e", ""], () => done(child.pid ?? 0))
    })
    mkdirSync(dirname(place(settings.home)), { recursive: true })
    writeFileSync(`${place(settings.home)}.lock`, JSON.stringify({ pid, host: hostname(), started: null }))
    expect(await get(settings)).toMatchObject({ sha256: sumOf(body) })
  })
})

test("an interruption keeps what came, and leaves no lock", async () => {
  const { endpoint } = await hub({ files: { "c.gguf": body }, acts: [cut(100_000, "silent")] })
  const settings = settingsOf(endpoint)
  const controller = new AbortController()
  const part = `${place(settings.home)}.part`
  const fetching = get(settings, model, listener().watch, controller.signal)
  while (!existsSync(part) || readFileSync(part).length < 100_000)
    await new Promise((later) => setTimeout(later, 20))
  controller.abort()
  await expect(fetching).rejects.toThrow()
  expect(readFileSync(part)).toEqual(body.subarray(0, 100_000))
  expect(existsSync(`${place(settings.home)}.lock`)).toBe(false)
})

describe("a model in several files", () => {
  const names = [1, 2, 3].map((part) => `s-0000${part}-of-00003.gguf`)
  const files = Object.fromEntries(names.map((name, index) => [name, bytesOf(1000 * (index + 1), index)]))
  const split = { ...model, path: `hf:a/b/${names[0]}#${COMMIT}` }
  const sums = Object.entries(files).map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    sha256: sumOf(bytes),
  }))

  test("has all of them fetched and checked, and is known by the sum of their sums", async () => {
    const { endpoint } = await hub({ files })
    const settings = settingsOf(endpoint)
    const found = await get(settings, { ...split, sha256: wholeSum(sums).sha256 })
    expect(found).toMatchObject({
      path: place(settings.home, names[0]),
      bytes: 6000,
      sha256: sumOf(Buffer.from(sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""))),
    })
    for (const name of names) expect(readFileSync(place(settings.home, name))).toEqual(files[name])
  })

  test("of which the hub lacks one is not fetched", async () => {
    const { [names[2] ?? ""]: _, ...two } = files
    const { endpoint } = await hub({ files: two })
    expect(failure(await get(settingsOf(endpoint), split)).what).toContain(`has no file ${names[2]}`)
  })
})

describe("a file on the web", () => {
  const at = (endpoint: string) => `${endpoint}/a/b/resolve/x/c.gguf`

  test("is fetched by its declared sum, without a token", async () => {
    const { endpoint, asked } = await hub({ files: { "c.gguf": body }, acts: [cut(1000, "breaks")] })
    const settings = settingsOf("http://other.host", { token: "hf_secret" })
    const found = await get(settings, { name: "m", path: at(endpoint), sha256: sumOf(body).toUpperCase() })
    expect(found).toMatchObject({ path: join(settings.home, "models/web", sumOf(body), "c.gguf") })
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  })

  test("without a sum is not", async () => {
    const { todo } = failure(await get(settingsOf("http://h"), { name: "m", path: "http://h/c.gguf" }))
    expect(todo).toContain("give its sha256")
  })

  test("that is not there is said to be not", async () => {
    const { endpoint } = await hub({ files: {} })
    const wanted = { name: "m", path: at(endpoint), sha256: sumOf(body) }
    expect(failure(await get(settingsOf(endpoint), wanted)).what).toMatch(/answers 404/)
  })
})

test.each([
  "hf:../../x.gguf#main",
  "hf:a/b/../../x.gguf#main",
  "hf:a/b/.hidden/x.gguf#main",
  "ftp://h/x.gguf",
])("an address that leads nowhere, or out of its folder, is refused: %s", async (path) => {
  const found = failure(await get(settingsOf("http://h"), { name: "m", path }))
  expect(found.what).toContain("at an address that nothing is fetched from")
})

test("a revision with dots and slashes stays one folder", async () => {
  const { endpoint } = await hub({ files: { "c.gguf": body } })
  const settings = settingsOf(endpoint)
  await get(settings, { ...model, path: "hf:a/b/c.gguf#../../x" })
  expect(readdirSync(settings.home)).toEqual(["models"])
  expect(readdirSync(join(settings.home, "models/hf/a/b/refs"))).toEqual(["%2E%2E%2F..%2Fx"])
})

describe("an HF_ENDPOINT that is no address of a hub", () => {
  test.each([
    "hf-mirror.com",
    "hf-mirror.com:443",
    "ftp://hf-mirror.com",
    "/",
    "https://me:pass@hf-mirror.com",
  ])("is named, with what it should look like: %s", async (HF_ENDPOINT) => {
    const { endpoint } = settingsFrom({ HF_ENDPOINT })
    const { what, where, todo } = failure(await get({ ...settingsOf("https://unused"), endpoint }))
    expect(what).toContain("what HF_ENDPOINT holds")
    expect(where).toBe("the environment variable HF_ENDPOINT")
    expect(todo).toContain('such as "https://huggingface.co"')
    expect(what).not.toContain("pass")
  })

  test("is no matter for a file that is at hand, nor for one on the web", async () => {
    const { endpoint } = await hub({ files: { "c.gguf": body } })
    const settings = settingsOf(endpoint)
    await get(settings)
    const broken = { ...settings, endpoint: "hf-mirror.com" }
    expect(await get(broken)).toHaveProperty("path", place(settings.home))
    const web = `${endpoint}/a/b/resolve/${COMMIT}/c.gguf`
    expect(await get(broken, { ...model, path: web, sha256: sumOf(body) })).toHaveProperty(
      "sha256",
      sumOf(body),
    )
  })
})

test("the environment says where the hub is, what it is told, and where files are kept", () => {
  const env = {
    HF_ENDPOINT: "http://mirror/",
    HF_TOKEN: "t",
    CFX_OFFLINE: "1",
    CFX_HOME: "/h",
    HF_HOME: "/hf",
  }
  expect(settingsFrom(env)).toMatchObject({
    endpoint: "http://mirror",
    token: "t",
    offline: true,
    home: "/h",
    shared: join("/hf", "hub"),
  })
  expect(settingsFrom({ CFX_OFFLINE: "0" })).toMatchObject({
    endpoint: "https://huggingface.co",
    offline: false,
  })
})
