/** What is asked of a page from within: expressions for `Page.value`. */

/** All that can be opened is, so that it is looked at too. */
export const OPEN = `document.querySelectorAll("details").forEach((one) => { one.open = true })`

/** Elements that reach over the page's edge, but for what stands in a frame that scrolls by itself. */
export const OVERFLOWING = `(() => {
  const edge = document.documentElement.clientWidth + 1
  const over = document.documentElement.scrollWidth > edge ? ["the page"] : []
  const found = [...document.querySelectorAll("body *")].filter((one) =>
    !one.closest(".scroll") && !one.closest(".unseen, .skip") && one.getBoundingClientRect().right > edge)
  return [...over, ...found.map((one) => one.outerHTML.slice(0, 120))]
})()`

/**
 * What a reader would not see of a table: what reaches over its frame, or over the cell that it stands in. `many`: how many tables were looked at, and how many of
 * them are folded, their rows laid out as lists.
 */
export const CUT = `(() => {
  const cut = []
  const tables = [...document.querySelectorAll(".scroll > table")]
  for (const table of tables) {
    const frame = table.parentElement.getBoundingClientRect()
    for (const one of table.querySelectorAll("*")) {
      const box = one.getBoundingClientRect()
      if (one.closest(".unseen") || box.width === 0) continue
      const cell = one.closest("th, td")?.getBoundingClientRect() ?? frame
      if (box.right > frame.right + 1 || box.left < frame.left - 1 || box.right > cell.right + 1 || box.left < cell.left - 1)
        cut.push(Math.round(box.right - frame.right) + " " + one.outerHTML.slice(0, 120))
    }
  }
  return { cut, many: tables.length, folded: tables.filter((one) => getComputedStyle(one).display === "block").length }
})()`

/** Frames whose content is wider than they are, without a shade on the side that has more or with a figure's own ground over it, or out of the reach of the keyboard. */
export const UNMARKED = `[...document.querySelectorAll(".scroll")].filter((one) =>
  one.scrollWidth > one.clientWidth + 1 &&
  (one.tabIndex !== 0 || !one.ariaLabel || (getComputedStyle(one).backgroundImage.match(/gradient/g) ?? []).length !== 4 ||
    [...one.querySelectorAll(".cfx-f-page")].some((ground) => getComputedStyle(ground).display !== "none"))).map((one) => one.outerHTML.slice(0, 120))`

/** Rows of a table, as who hears the page meets them. */
export const ROLES = `[...document.querySelectorAll("table")].flatMap((table) => [table, ...table.querySelectorAll("thead, tbody, tr, th, td")]
  .filter((one) => one.getAttribute("role") !== { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell", TH: one.scope === "col" ? "columnheader" : "rowheader" }[one.tagName])
  .map((one) => one.outerHTML.slice(0, 120)))`

/**
 * Texts whose contrast with what they stand on is below 4.5 (WCAG 2.2, 1.4.3), 3 where they are large. Grounds that let something through are laid over what
 * is below them. Figures have tests of their own.
 */
export const PALE = `(() => {
  const parts = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number)
    return { rgb: [red, green, blue], alpha }
  }
  const groundOf = (element) => {
    const layers = []
    for (let at = element; at; at = at.parentElement) {
      const layer = parts(getComputedStyle(at).backgroundColor)
      layers.push(layer)
      if (layer.alpha === 1) break
    }
    return layers.reverse().reduce((below, { rgb, alpha }) => rgb.map((one, at) => alpha * one + (1 - alpha) * below[at]), [255, 255, 255])
  }
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (walker.currentNode.data.trim() === "" || element.closest("svg, script, .unseen, .skip")) continue
    const style = getComputedStyle(element)
    const [a, b] = [luminance(parts(style.color).rgb), luminance(groundOf(element))].sort((x, y) => x - y)
    const ratio = (b + 0.05) / (a + 0.05)
    const size = Number.parseFloat(style.fontSize)
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (large ? 3 : 4.5)) found.add(ratio.toFixed(2) + " " + element.outerHTML.slice(0, 120))
  }
  return [...found]
})()`

/** Headings in their order, as levels. */
export const HEADINGS = `[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((one) => Number(one.tagName[1]))`

/** Landmarks, by their elements. */
export const LANDMARKS = `["header", "nav", "main", "footer"].map((name) => document.querySelectorAll("body > " + name + ", header > " + name).length)`
