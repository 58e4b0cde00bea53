import { expect, test } from "vitest"
import { get, waitOf } from "../../runtime/hub/wire.ts"

test.each<[string | null, number | undefined]>([
  [null, undefined],
  ["120", 120_000],
  ["Wed, 21 Oct 2026 07:28:30 GMT", 30_000],
  ["Wed, 21 Oct 2026 07:27:00 GMT", 0],
  ["soon", undefined],
])("Retry-After %s", (value, wait) => {
  expect(waitOf(value, Date.parse("2026-10-21T07:28:00Z"))).toBe(wait)
})

/** A network of answers by address; what was sent is kept. */
const network = (answers: Readonly<Record<string, Response>>) => {
  const sent: { readonly url: string; readonly token: string | null }[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push({ url: String(url), token: new Headers(init?.headers).get("authorization") })
    return answers[String(url)] ?? new Response(null, { status: 404 })
  }
  return { sent, fetch: fetch as typeof globalThis.fetch }
}
const to = (location: string): Response => new Response(null, { status: 302, headers: { location } })
const signal = new AbortController().signal

test("a token follows a redirect on its own host, and none to another host, port or scheme", async () => {
  const { sent, fetch } = network({
    "https://hub/old": to("/new"),
    "https://hub/new": to("https://hub:8443/x"),
    "https://hub:8443/x": to("https://cdn/file"),
    "https://cdn/file": new Response("bytes"),
  })
  const wire = { endpoint: "https://hub", token: "t", stall: 1000, fetch }
  const { status, close } = await get(wire, "https://hub/old", {}, signal)
  close()
  expect(status).toBe(200)
  expect(sent.map(({ token }) => token)).toEqual(["Bearer t", "Bearer t", null, null])
})

test.each(["http://hub/file", "file:///etc/passwd", "https://"])(
  "a redirect to %s is not followed",
  async (location) => {
    const { sent, fetch } = network({ "https://hub/x": to(location) })
    const wire = { endpoint: "https://hub", token: "t", stall: 1000, fetch }
    await expect(get(wire, "https://hub/x", {}, signal)).rejects.toThrow("something that is not fetched from")
    expect(sent).toHaveLength(1)
  },
)

test("a signed address is shown without its keys", async () => {
  const { fetch } = network({ "https://hub/x?key=secret": to("ftp://hub/file") })
  const failing = get({ endpoint: "https://hub", stall: 1000, fetch }, "https://hub/x?key=secret", {}, signal)
  await expect(failing).rejects.toThrow("where: https://hub/x\n")
})
