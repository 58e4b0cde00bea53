/** The address of a server: where its endpoints are, and how it is shown. */
import { webAddress } from "../../../compiler/address.ts"

export interface Address {
  /** As it may be shown and hashed: neither a query nor anything before an `@`. */
  readonly shown: string
  /** The address of an endpoint, such as `chat/completions`, with the declared query. */
  readonly endpoint: (path: string) => string
}

/** Reads a declared address, such as `http://localhost:8080/v1`; or says in words why nothing can be asked there. */
export function addressOf(text: string): Address | { readonly problem: string } {
  const url = webAddress(text)
  if ("problem" in url) return url
  // Where servers document the whole address of an endpoint, that is what gets copied.
  const path = url.pathname.replace(/\/+$/, "").replace(/(\/chat)?\/completions$/, "")
  const base = `${url.origin}${path}`
  return { shown: base, endpoint: (path) => `${base}/${path}${url.search}` }
}

/** Whether two addresses are one but for a slash at the end. */
export function sameAddress(one: string, other: string): boolean {
  const [a, b] = [addressOf(one), addressOf(other)]
  return "shown" in a && "shown" in b && a.shown === b.shown
}

/** Where a redirection leads, if what is meant for `from` may be sent there: the same host, port and scheme. */
export function withinHost(from: string, location: string): string | undefined {
  const url = parsed(location, from)
  return url !== undefined && url.origin === new URL(from).origin ? url.href : undefined
}

/** An address in words that hold no secret. */
export function shownAddress(text: string, base?: string): string {
  const url = parsed(text, base)
  return url === undefined ? "an unreadable address" : `${url.origin}${url.pathname}`
}

function parsed(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
