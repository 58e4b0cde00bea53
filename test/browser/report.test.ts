/** Reports as a reader meets them: in Chromium, narrow and wide, light and dark, by keyboard, without scripts, and with texts that mean harm. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Browser, chromium, type Page } from "./chromium.ts"
import { CUT, HEADINGS, LANDMARKS, OPEN, OVERFLOWING, PALE, ROLES, UNMARKED } from "./looks.ts"
import { pages } from "./pages.ts"

const program = chromium()
if (typeof program !== "string")
  console.warn(`\nNOT RUN: the tests that look at reports in a browser.\n  ${program.missing}\n`)

const sizes = [360, 820, 1280].map((width) => ({ width, height: 900 }))
/** Where tables are looked at: phones, tablets, and on to where a page grows no wider. */
const widths = [320, 360, 480, 600, 720, 820, 900, 960, 1040, 1100, 1160, 1280]
const themes = ["light", "dark"] as const
/** `CFX_SCREENSHOTS` names a folder in which pictures of every page are left. */
const pictures = process.env.CFX_SCREENSHOTS || undefined

describe.skipIf(typeof program !== "string")("a report in a browser", () => {
  let browser: Browser
  let folder: string
  const addressOf = (name: string): string => pathToFileURL(join(folder, `${name}.html`)).href

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "cfx-pages-"))
    for (const [name, html] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), html())
    browser = Browser.open(program as string)
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const opened = async (name: string): Promise<Page> => {
    const page = await browser.page()
    await page.look(sizes[2]!, "light")
    await page.open(addressOf(name))
    return page
  }

  describe.each(Object.keys(pages))("the page %s", (name) => {
    let page: Page
    beforeAll(async () => {
      page = await opened(name)
      await page.value(OPEN)
    })

    test.each(sizes)("is no wider than a window of $width pixels, in either theme", async (size) => {
      for (const theme of themes) {
        await page.look(size, theme)
        expect(await page.value(OVERFLOWING)).toEqual([])
        const picture = await page.screenshot(pictures === undefined ? 3000 : 16_000)
        expect(picture.subarray(1, 4).toString()).toBe("PNG")
        if (pictures !== undefined)
          writeFileSync(join(pictures, `${name}-${size.width}-${theme}.png`), picture)
      }
    })

    test.each(widths)("has no table that is cut or has to be scrolled at %i pixels", async (width) => {
      await page.look({ width, height: 900 }, "light")
      const { cut, many } = await page.value<{ cut: readonly string[]; many: number }>(CUT)
      expect(many).toBeGreaterThan(5)
      expect(cut).toEqual([])
      expect(await page.value(UNMARKED)).toEqual([])
    })

    test("folds tables on a narrow page, which are tables no less", async () => {
      await page.look(sizes[0]!, "light")
      const { folded } = await page.value<{ folded: number }>(CUT)
      expect(folded).toBeGreaterThan(3)
      expect(await page.value(ROLES)).toEqual([])
    })

    test.each(themes)(
      "has words that stand out from their ground by 4.5 to 1 where it is %s",
      async (theme) => {
        await page.look(sizes[2]!, theme)
        expect(await page.value(PALE)).toEqual([])
      },
    )

    test("asks for nothing but itself, and has nothing to complain of", async () => {
      // Chromium looks for a file's icon by itself.
      const others = page.requests.filter((url) => url !== addressOf(name) && !url.endsWith("/favicon.ico"))
      expect(others).toEqual([])
      expect(page.complaints).toEqual([])
    })

    test("has landmarks, and headings that leave out no level", async () => {
      expect(await page.value(LANDMARKS)).toEqual([1, 1, 1, 1])
      const levels = await page.value<number[]>(HEADINGS)
      expect(levels[0]).toBe(1)
      expect(levels.filter((one) => one === 1)).toHaveLength(1)
      for (const [at, one] of levels.entries())
        if (at > 0) expect(one).toBeLessThanOrEqual(levels[at - 1]! + 1)
    })

    test("has a name for all that can be met or used", async () => {
      const { nodes } = (await page.send("Accessibility.getFullAXTree")) as {
        readonly nodes: readonly {
          readonly ignored: boolean
          readonly role?: { readonly value: string }
          readonly name?: { readonly value: string }
        }[]
      }
      const roles = ["link", "button", "table", "region", "heading", "navigation", "image", "columnheader"]
      const met = nodes.filter(({ ignored, role }) => !ignored && roles.includes(role?.value ?? ""))
      expect(met.length).toBeGreaterThan(50)
      expect(met.filter(({ name: own }) => (own?.value ?? "").trim() === "")).toEqual([])
    })
  })

  describe("by keyboard", () => {
    test("the first thing that is met leads to the results", async () => {
      const page = await opened("sample")
      await page.press("Tab")
      expect(await page.value("document.activeElement.textContent")).toBe("Skip to the results")
      expect(await page.value("document.activeElement.getBoundingClientRect().left >= 0")).toBe(true)
      await page.press("Enter")
      expect(await page.value("location.hash")).toBe("#content")
    })

    test("a table is sorted up, down, and back to the order of the design, and says so", async () => {
      const page = await opened("sample")
      const state = `(() => {
        const table = document.querySelector("#table-1 table")
        return {
          order: [...table.tBodies[0].rows].map((row) => row.cells[1].textContent),
          rates: [...table.tBodies[0].rows].map((row) => Number(row.cells[2].dataset.sort)),
          says: [...table.tHead.rows[0].cells].map((head) => head.getAttribute("aria-sort")),
        }
      })()`
      interface State {
        readonly order: readonly string[]
        readonly rates: readonly number[]
        readonly says: readonly string[]
      }
      const before = await page.value<State>(state)
      expect(before.says).toEqual(["none", "none", "none", "none", "none"])
      // On by the keyboard alone, until the head of the rate is met.
      for (let presses = 0; presses < 80; presses++) {
        await page.press("Tab")
        const met = await page.value<string>(
          `document.activeElement.closest("#table-1") ? document.activeElement.getAttribute("aria-label") ?? "" : ""`,
        )
        if (met === "Sort by HRR") break
      }
      expect(await page.value("document.activeElement.getAttribute('aria-label')")).toBe("Sort by HRR")
      expect(await page.value("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid")
      await page.press("Enter")
      const up = await page.value<State>(state)
      expect(up.says).toEqual(["none", "none", "ascending", "none", "none"])
      expect(up.rates).toEqual([...before.rates].sort((a, b) => a - b))
      await page.press("Space")
      const down = await page.value<State>(state)
      expect(down.says[2]).toBe("descending")
      expect(down.rates).toEqual([...before.rates].sort((a, b) => b - a))
      await page.press("Enter")
      expect(await page.value(state)).toEqual(before)
    })
  })

  test("without scripts a report has all its numbers, in the order of the design, and no button that does nothing", async () => {
    const page = await browser.page()
    await page.send("Emulation.setScriptExecutionDisabled", { value: true })
    await page.look(sizes[2]!, "light")
    await page.open(addressOf("sample"))
    const { root } = (await page.send("DOM.getDocument", { depth: 1 })) as { root: { nodeId: number } }
    const count = async (selector: string): Promise<number> =>
      (
        (await page.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector })) as {
          nodeIds: readonly number[]
        }
      ).nodeIds.length
    expect(await count("button")).toBe(0)
    expect(await count("#table-1 tbody tr")).toBe(6)
    expect(await count("#table-1 td.number")).toBe(18)
  })

  test("texts that mean harm are shown and do nothing", async () => {
    const page = await browser.page()
    // Would be written over by a script of an item.
    await page.send("Page.addScriptToEvaluateOnNewDocument", {
      source: "window.harmed = 0; window.alert = () => { window.harmed += 1 }",
    })
    await page.open(addressOf("hostile"))
    await page.value(OPEN)
    expect(await page.value("window.harmed")).toBe(0)
    expect(await page.value("document.scripts.length")).toBe(1)
    expect(await page.value("document.images.length")).toBe(0)
    expect(await page.value("document.querySelector('h1').textContent.includes('<script>')")).toBe(true)
    expect(await page.value("getComputedStyle(document.querySelector('main')).maxWidth")).not.toBe("none")
  })
})
