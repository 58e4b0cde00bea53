/**
 * The page's one script: tables can be sorted by their columns. Without it everything is there, in the order of the design. The page's content policy names it by its
 * hash and lets no other run.
 */
import { createHash } from "node:crypto"

/**
 * Each head gets a button beside its words, which sorts by its column: up, down, and back to the order of the design. Cells are numbers where they say what they are
 * sorted by, and texts where they do not; what has no value goes last.
 */
export const SORTING = `(() => {
  const next = { none: "ascending", ascending: "descending", descending: "none" }
  const signs = { none: "↕", ascending: "↑", descending: "↓" }
  const keyOf = (row, column) => {
    const cell = row.cells[column]
    const number = cell.dataset.sort
    return number === undefined ? cell.textContent.trim() : number === "" ? undefined : Number(number)
  }
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true })
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0]
    const rows = [...body.rows]
    if (rows.length < 2) continue
    const heads = [...table.tHead.rows[0].cells]
    const show = (head, order) => {
      head.setAttribute("aria-sort", order)
      head.querySelector("button.sort span").textContent = signs[order]
    }
    heads.forEach((head, column) => {
      const button = document.createElement("button")
      button.type = "button"
      button.className = "sort"
      button.setAttribute("aria-label", "Sort by " + head.dataset.name)
      const sign = document.createElement("span")
      sign.setAttribute("aria-hidden", "true")
      button.append(sign)
      head.querySelector(".head").append("\\u00a0", button)
      show(head, "none")
      button.addEventListener("click", () => {
        const order = next[head.getAttribute("aria-sort")]
        for (const other of heads) show(other, other === head ? order : "none")
        const keyed = rows.map((row, at) => ({ row, at, key: keyOf(row, column) }))
        const up = order === "ascending" ? 1 : -1
        if (order !== "none")
          keyed.sort((a, b) => {
            const [none, other] = [a.key === undefined || a.key === "", b.key === undefined || b.key === ""]
            if (none || other) return none - other || a.at - b.at
            return up * compare(a.key, b.key) || a.at - b.at
          })
        table.toggleAttribute("data-sorted", order !== "none")
        body.append(...keyed.map(({ row }) => row))
      })
    })
  }
})()`

/** As a content policy names it. */
export const SORTING_HASH = `sha256-${createHash("sha256").update(SORTING, "utf8").digest("base64")}`
