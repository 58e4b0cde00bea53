/** Debian's Chromium without a window, spoken to over its debugging pipe (the DevTools protocol: JSON texts, each ended by a zero byte). */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"

/** Where it may be; `CFX_CHROMIUM` names another place. */
const places = [
  process.env.CFX_CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
]

/** The program, or why there is none. */
export function chromium(): string | { readonly missing: string } {
  const found = places.find((place) => place !== "" && existsSync(place))
  return found ?? { missing: "no Chromium is there: apt-get install chromium, or name it by CFX_CHROMIUM" }
}

type Parameters = Readonly<Record<string, unknown>>
interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Parameters
  readonly result?: Parameters
  readonly error?: { readonly message: string }
}

export class Browser {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #listeners = new Set<(message: Message) => void>()
  #last = 0

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child
    this.#folder = folder
    let rest = ""
    const output = child.stdio[4] as Readable
    output.setEncoding("utf8")
    output.on("data", (text: string) => {
      const texts = `${rest}${text}`.split("\0")
      rest = texts.pop() ?? ""
      for (const one of texts) this.#take(JSON.parse(one) as Message)
    })
  }

  static open(program: string): Browser {
    const folder = mkdtempSync(join(tmpdir(), "cfx-browser-"))
    const flags = [
      "--headless=new",
      // As root in a container there is no sandbox to be had; the pages are this test's own files.
      "--no-sandbox",
      "--remote-debugging-pipe",
      `--user-data-dir=${folder}`,
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--hide-scrollbars",
    ]
    const child = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] })
    return new Browser(child, folder)
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve))
    await this.send("Browser.close")
    await ended
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  #take(message: Message): void {
    if (message.id === undefined) for (const listen of this.#listeners) listen(message)
    else this.#waiting.get(message.id)?.(message)
  }

  listen(listener: (message: Message) => void): void {
    this.#listeners.add(listener)
  }

  async send(method: string, params: Parameters = {}, sessionId?: string): Promise<Parameters> {
    const id = ++this.#last
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve))
    const session = sessionId === undefined ? {} : { sessionId }
    ;(this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`)
    const { result, error } = await answered
    this.#waiting.delete(id)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  /** A tab of its own, with what is heard of it from its start. */
  async page(): Promise<Page> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" })
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true })
    const page = new Page(this, sessionId as string)
    await page.start()
    return page
  }
}

export interface Size {
  readonly width: number
  readonly height: number
}

export class Page {
  readonly #browser: Browser
  readonly #session: string
  /** Errors of scripts and of the content policy, and what was written to the console. */
  readonly complaints: string[] = []
  /** Addresses that were asked for. */
  readonly requests: string[] = []
  #loaded: () => void = () => undefined

  constructor(browser: Browser, session: string) {
    this.#browser = browser
    this.#session = session
    browser.listen(({ sessionId, method, params = {} }) => {
      if (sessionId !== session) return
      if (method === "Page.loadEventFired") this.#loaded()
      if (method === "Network.requestWillBeSent") this.requests.push((params.request as { url: string }).url)
      if (method === "Runtime.exceptionThrown") this.complaints.push(JSON.stringify(params.exceptionDetails))
      if (method === "Runtime.consoleAPICalled") this.complaints.push(JSON.stringify(params.args))
      if (method === "Log.entryAdded") this.complaints.push((params.entry as { text: string }).text)
    })
  }

  send(method: string, params: Parameters = {}): Promise<Parameters> {
    return this.#browser.send(method, params, this.#session)
  }

  async start(): Promise<void> {
    for (const domain of ["Page", "Runtime", "Log", "Network", "DOM", "Accessibility"])
      await this.send(`${domain}.enable`)
  }

  async open(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      this.#loaded = resolve
    })
    await this.send("Page.navigate", { url })
    await loaded
  }

  async look(size: Size, theme: "light" | "dark"): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false })
    await this.send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: theme }],
    })
  }

  /** What an expression comes to in the page, as JSON can hold it. */
  async value<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { value: Value }).value
  }

  /** One press of a key, by its DOM name. */
  async press(key: "Tab" | "Enter" | "Space"): Promise<void> {
    const codes = { Tab: 9, Enter: 13, Space: 32 } as const
    const text = { Tab: "", Enter: "\r", Space: " " }[key]
    const common = { key: key === "Space" ? " " : key, code: key, windowsVirtualKeyCode: codes[key] }
    await this.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      ...common,
      ...(text === "" ? {} : { text }),
    })
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common })
  }

  /** A PNG of the page, to the height given at most. */
  async screenshot(tallest: number): Promise<Buffer> {
    const { width, height } = await this.value<Size>(
      "({ width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight })",
    )
    const { data } = await this.send("Page.captureScreenshot", {
      captureBeyondViewport: true,
      clip: { x: 0, y: 0, width, height: Math.min(height, tallest), scale: 1 },
    })
    return Buffer.from(data as string, "base64")
  }
}
