/** Revisions are the hub's own word, or stay unlocked. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import { hubDataset, hubFile } from "../../runtime/hub/address.ts"
import { hubFrom, hubOf } from "../../runtime/hub/hub.ts"
import { wholeSum } from "../../runtime/hub/split.ts"
import type { Lock } from "../../runtime/lock/lock.ts"
import { pin } from "../../runtime/lock/pin.ts"

const COMMIT = "0123456789abcdef0123456789abcdef01234567"
const SUM = "ab".repeat(32)

/** A hub that answers by path; what it was asked is kept. */
const hub = async (answers: Readonly<Record<string, unknown>>) => {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    const answer = answers[request.url ?? ""]
    if (answer === undefined) response.writeHead(404).end()
    else if (answer !== "silence") response.end(typeof answer === "string" ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

describe("an address on the hub", () => {
  test.each([
    ["hf:a/b/c.gguf#main", { repository: "a/b", file: "c.gguf", revision: "main" }],
    ["hf:a/b/sub/c.gguf", { repository: "a/b", file: "sub/c.gguf", revision: "main" }],
    ["models/c.gguf", undefined],
    ["hf:a/c.gguf", undefined],
  ])("of a model: %s", (source, expected) => expect(hubFile(source)).toEqual(expected))

  test.each([
    [
      "hf://datasets/allenai/ai2_arc@unlocked#ARC-Challenge/test",
      { repository: "allenai/ai2_arc", revision: "unlocked" },
    ],
    ["hf://datasets/a/b", { repository: "a/b", revision: "main" }],
    ["hf:a/b/c.gguf", undefined],
  ])("of data: %s", (address, expected) => expect(hubDataset(address)).toEqual(expected))
})

describe("a hub that can be reached", () => {
  const file = { repository: "a/b", file: "c.gguf", revision: "unlocked" }

  test("names the commit of a model's repository, and the file's size and sum", async () => {
    const siblings = [{ rfilename: "x" }, { rfilename: "c.gguf", size: 7, lfs: { sha256: SUM, size: 7 } }]
    const { endpoint, asked } = await hub({
      "/api/models/a/b/revision/main?blobs=true": { sha: COMMIT, siblings },
    })
    const found = await hubFrom({ HF_ENDPOINT: `${endpoint}/`, HF_TOKEN: "secret" }).model(file)
    expect(found).toEqual({ revision: COMMIT, bytes: 7, sha256: SUM })
    expect(asked[0]?.headers.authorization).toBe("Bearer secret")
  })

  test("knows a model in several files by the sum of their sums, which it has without fetching any", async () => {
    const names = ["c-00001-of-00002.gguf", "c-00002-of-00002.gguf"]
    const siblings = names.map((rfilename) => ({ rfilename, lfs: { sha256: SUM, size: 7 } }))
    const { endpoint } = await hub({ "/api/models/a/b/revision/main?blobs=true": { sha: COMMIT, siblings } })
    const found = await hubFrom({ HF_ENDPOINT: endpoint }).model({ ...file, file: names[0] ?? "" })
    const { sha256 } = wholeSum(names.map((name) => ({ name, bytes: 7, sha256: SUM })))
    expect(found).toEqual({ revision: COMMIT, bytes: 14, sha256 })
  })

  test("names the commit of data, of the revision that is asked for", async () => {
    const { endpoint, asked } = await hub({ "/api/datasets/a/b/revision/v1.0": { sha: COMMIT } })
    const dataset = { repository: "a/b", revision: "v1.0" }
    expect(await hubFrom({ HF_ENDPOINT: endpoint }).dataset(dataset)).toEqual({ revision: COMMIT })
    expect(asked[0]?.headers.authorization).toBeUndefined()
  })

  test.each<[string, unknown, RegExp]>([
    ["nothing of it", undefined, /answers 404$/],
    ["a revision that is no commit", { sha: "main", siblings: [] }, /names no commit$/],
    ["no such file", { sha: COMMIT, siblings: [{ rfilename: "other.gguf" }] }, /has no c\.gguf in a\/b$/],
    ["no JSON", "<html>", /cannot be reached$/],
    ["something else than a description", [], /names no commit$/],
    ["nothing in time", "silence", /did not answer in time$/],
  ])("but gives %s: the revision is not made up", async (_, answer, why) => {
    const path = "/api/models/a/b/revision/main?blobs=true"
    const { endpoint } = await hub(answer === undefined ? {} : { [path]: answer })
    const found = await hubOf({ endpoint, timeout: 200, fetch }).model(file)
    expect(found).toEqual({ unknown: expect.stringMatching(why) })
  })
})

test("a hub that cannot be reached leaves things unlocked", async () => {
  const found = await hubFrom({ HF_ENDPOINT: "http://127.0.0.1:9" }).dataset({
    repository: "a/b",
    revision: "main",
  })
  expect(found).toEqual({ unknown: "http://127.0.0.1:9 cannot be reached" })
})

test("a hub whose address is none is said, and leaves nothing unlocked in silence", async () => {
  const asked = hubFrom({ HF_ENDPOINT: "hf-mirror.com" }).dataset({ repository: "a/b", revision: "main" })
  await expect(asked).rejects.toThrow('what HF_ENDPOINT holds ("hf-mirror.com") is no address of one')
})

test("a hub that may not be asked is not", async () => {
  const { endpoint, asked } = await hub({})
  const offline = hubFrom({ HF_ENDPOINT: endpoint, CFX_OFFLINE: "1" })
  const unknown = { unknown: "nothing is asked (CFX_OFFLINE)" }
  expect(await offline.dataset({ repository: "a/b", revision: "main" })).toEqual(unknown)
  expect(await offline.model({ repository: "a/b", file: "c.gguf", revision: "main" })).toEqual(unknown)
  expect(asked).toEqual([])
})

describe("what a lock pins", () => {
  const now: Lock = {
    cfx: "0.1.0",
    engine: { "node-llama-cpp": "3.21.1", platform: "linux-x64" },
    libraries: {},
    models: {
      qwen: { source: "hf:a/b/c.gguf#unlocked", revision: "unlocked" },
      local: { source: "m.gguf" },
      judge: { source: "https://example.org/v1" },
    },
    pools: {
      arc: { source: "hf://datasets/a/b@unlocked", revision: "unlocked" },
      made: { source: "runs/r" },
      kinds: { files: { "k.csv": {} } },
    },
  }
  const answering = (revision: string) => ({
    model: async () => ({ revision, bytes: 7, sha256: SUM }),
    dataset: async () => ({ revision }),
  })
  const silent = {
    model: async () => ({ unknown: "it sleeps" }),
    dataset: async () => ({ unknown: "it sleeps" }),
  }

  test("is what the hub says, and what nothing pins is named", async () => {
    const { lock, open } = await pin(now, answering(COMMIT), undefined)
    expect(lock.models.qwen).toEqual({
      source: "hf:a/b/c.gguf#unlocked",
      revision: COMMIT,
      bytes: 7,
      sha256: SUM,
    })
    expect(lock.pools.arc).toEqual({ source: "hf://datasets/a/b@unlocked", revision: COMMIT })
    expect(open).toEqual([
      "model local: its file is not at hand",
      "model judge: nothing pins what a server answers with",
      "pool made: the run is not there",
      "pool kinds: k.csv is not at hand",
    ])
  })

  test("stays unlocked where the hub says nothing", async () => {
    const { lock, open } = await pin(now, silent, undefined)
    expect(lock).toEqual(now)
    expect(open).toContain("model qwen: stays unlocked: it sleeps")
    expect(open).toContain("pool arc: stays unlocked: it sleeps")
  })

  test("keeps what was pinned before, without asking; to accept what is new, nothing is given as before", async () => {
    const before = (await pin(now, answering(COMMIT), undefined)).lock
    expect((await pin(now, silent, before)).lock).toEqual(before)
    const later = "f".repeat(40)
    expect((await pin(now, answering(later), before)).lock.pools.arc?.revision).toBe(COMMIT)
    expect((await pin(now, answering(later), undefined)).lock.pools.arc?.revision).toBe(later)
    const moved = { ...now, pools: { arc: { source: "hf://datasets/a/c@unlocked", revision: "unlocked" } } }
    expect((await pin(moved, answering(later), before)).lock.pools.arc?.revision).toBe(later)
  })

  test("is the declared sum, and a hub's file that has another is not taken for it", async () => {
    const declared = { ...now, models: { qwen: { ...now.models.qwen!, sha256: "cd".repeat(32) } } }
    const { lock, open } = await pin(declared, answering(COMMIT), undefined)
    expect(lock.models.qwen).toEqual(declared.models.qwen)
    expect(open[0]).toMatch(/^model qwen: unlocked, since the hub's file has sha256 abab/)
  })
})
