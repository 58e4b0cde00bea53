/** Rows of a Parquet file, a row group at a time and only of the columns that are looked at. */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import * as zlib from "node:zlib"
import type { RowGroup } from "hyparquet"
import { cellOf } from "./cells.ts"
import { readFailure } from "./readFailure.ts"
import type { EachRecord, Field } from "./rows.ts"

type Values = ArrayLike<unknown>

interface Chunk {
  readonly columnName: string
  readonly columnData: Values
  readonly rowStart: number
  readonly rowEnd: number
}

export interface ParquetFile {
  /** Of its columns, in their order. */
  readonly names: readonly string[]
  readonly each: EachRecord
}

/** @throws EnvironmentFailure where it is no Parquet file, is cut off, or is compressed in a way that cannot be read */
export async function openParquet(path: string, shown: string): Promise<ParquetFile> {
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await import("hyparquet")
  const guarded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      throw unreadable(shown, error as Error)
    }
  }
  const file = rangesOf(path)
  const metadata = await guarded(() => parquetMetadataAsync(file))
  const names = await guarded(async () => parquetSchema(metadata).children.map(({ element }) => element.name))
  const rows = metadata.row_groups.map((group) => Number(group.num_rows))
  // Every column has a value of every row: a damaged count would be gone through for hours.
  const isSound = metadata.row_groups.every(({ num_rows, columns }) =>
    columns.every(({ meta_data }) => num_rows >= 0 && num_rows <= (meta_data?.num_values ?? 0)),
  )
  if (!isSound) throw readFailure(shown, DAMAGED)
  return {
    names,
    each: async (asked, take) => {
      const columns = asked.filter((name) => names.includes(name))
      let from = 0
      for (const [at, count] of rows.entries()) {
        const to = from + count
        const chunks = new Map<string, Chunk[]>(columns.map((name) => [name, []]))
        const group = metadata.row_groups[at]!
        if (!(await guarded(() => hasPages(file, group, columns)))) throw readFailure(shown, DAMAGED)
        if (columns.length > 0)
          await guarded(() =>
            parquetRead({
              file,
              metadata,
              columns,
              compressors,
              rowStart: from,
              rowEnd: to,
              onChunk: (chunk) => chunks.get(chunk.columnName)?.push(chunk as Chunk),
            }),
          )
        const isWhole = [...chunks.values()].every(
          (own) => Math.max(from, ...own.map((one) => one.rowEnd)) >= to,
        )
        if (!isWhole) throw readFailure(shown, DAMAGED)
        const readers = asked.map((name) => reader(chunks.get(name)))
        for (let row = from; row < to; row++) {
          const fields = readers.map((one): Field => one?.(row))
          take({ fields, place: row + 1 })
        }
        from = to
      }
    },
  }
}

/**
 * Whether the pages of these columns come one behind another to the end, with all of their values. The library takes what a page says of its own length
 * as it is, and of a damaged one reads the same bytes again for ever.
 */
async function hasPages(
  file: ReturnType<typeof rangesOf>,
  { columns }: RowGroup,
  asked: readonly string[],
): Promise<boolean> {
  const { parquetHeader } = await import("hyparquet/src/column.js")
  for (const { meta_data } of columns) {
    if (meta_data === undefined || !asked.includes(meta_data.path_in_schema[0] ?? "")) continue
    const {
      dictionary_page_offset: dictionary = 0n,
      data_page_offset: data,
      total_compressed_size,
    } = meta_data
    const start = Number(dictionary > 0n && dictionary < data ? dictionary : data)
    const view = new DataView(await file.slice(start, start + Number(total_compressed_size)))
    const reader = { view, offset: 0 }
    let values = 0
    while (reader.offset < view.byteLength) {
      const { compressed_page_size: size, data_page_header, data_page_header_v2 } = parquetHeader(reader)
      if (!(size >= 0)) return false
      values += data_page_header?.num_values ?? data_page_header_v2?.num_values ?? 0
      reader.offset += size
    }
    if (reader.offset !== view.byteLength || values !== Number(meta_data.num_values)) return false
  }
  return true
}

/** Ways to compress that Node knows, by what Parquet calls them; the last only a newer Node. */
const decompress: Readonly<Record<string, ((bytes: Uint8Array) => Uint8Array) | undefined>> = {
  GZIP: zlib.gunzipSync,
  BROTLI: zlib.brotliDecompressSync,
  ZSTD: (zlib as { readonly zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array }).zstdDecompressSync,
}

/** The library has SNAPPY itself. What it gets must hold nothing but the page, as parts of Node's buffers do. */
const compressors = Object.fromEntries(
  Object.entries(decompress).flatMap(([codec, work]) =>
    work === undefined ? [] : [[codec, (bytes: Uint8Array) => new Uint8Array(work(bytes))]],
  ),
)

/** What a column has in a row, as rows are gone through in their order. */
function reader(chunks: readonly Chunk[] | undefined): ((row: number) => Field) | undefined {
  if (chunks === undefined) return undefined
  const sorted = [...chunks].sort((a, b) => a.rowStart - b.rowStart)
  let next = 0
  return (row) => {
    while (next < sorted.length - 1 && row >= sorted[next]!.rowEnd) next += 1
    const chunk = sorted[next]
    return cellOf(chunk?.columnData[row - chunk.rowStart])
  }
}

/** A file whose parts are read when they are needed. */
function rangesOf(path: string) {
  const byteLength = statSync(path).size
  return {
    byteLength,
    slice: async (start: number, end: number = byteLength): Promise<ArrayBuffer> => {
      const buffer = new ArrayBuffer(Math.max(0, end - start))
      const bytes = new Uint8Array(buffer)
      const file = openSync(path, "r")
      try {
        for (let done = 0; done < bytes.length; ) {
          const read = readSync(file, bytes, done, bytes.length - done, start + done)
          if (read === 0) throw new Error("the file ends too soon")
          done += read
        }
      } finally {
        closeSync(file)
      }
      return buffer
    },
  }
}

const DAMAGED = "it is no whole Parquet file: its bytes are damaged"

function unreadable(shown: string, error: Error): Error {
  // What the library trips over says nothing to a person.
  if (error instanceof TypeError || error instanceof RangeError) return readFailure(shown, DAMAGED)
  const { message } = error
  const codec = /unsupported compression codec: (\w+)/.exec(message)?.[1]
  if (codec !== undefined)
    return readFailure(
      shown,
      `it is a Parquet file compressed with ${codec}, which cannot be opened here; write it anew with snappy, in pandas by \`to_parquet(path, compression="snappy")\`, in polars by \`write_parquet(path, compression="snappy")\``,
    )
  const first = message.split("\n")[0]?.replace(/\.$/, "") ?? ""
  return readFailure(shown, `it is no whole Parquet file (${first.charAt(0).toLowerCase()}${first.slice(1)})`)
}
