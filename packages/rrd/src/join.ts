import type { RrdFile, Values } from './file.ts'
import { type Archive, RrdError } from './header.ts'

/**
 * Rows of several resolutions as one sequence in order of time, without overlap: each moment belongs to the finest row
 * that exists for it. A row covers the `widthS` seconds before its end.
 */
export interface Joined {
  readonly rows: number
  /** End of each row, epoch seconds. */
  readonly endS: Float64Array
  readonly widthS: Float64Array
  /** Averages; data set d of row r is at `r * dataSets + d`. NaN: unknown. */
  readonly average: Values
  /** The lowest and highest value of any update interval within each row, if the file stores them; else the average. */
  readonly lowest: Values
  readonly highest: Values
  readonly dataSets: number
  /** Number of coarse rows next to unknown ones; the file does not store how much of them is known. */
  readonly uncertain: number
}

interface Part {
  readonly archive: Archive
  /** Only rows that end after `fromS` and not after `toS` are used. */
  readonly fromS: number
  readonly toS: number
}

const HOUR_S = 3600

/**
 * Joins the AVERAGE archives with the MIN and MAX archives of the same width, from `sinceS` (epoch seconds) on. Within
 * an hour all rows have the same width. Throws RrdError: the file has no averages, or cannot be read.
 */
export function joinArchives(file: RrdFile, sinceS = 0): Joined {
  const { archives, dataSets } = file.header
  const count = dataSets.length
  const parts = partsOf(archives, sinceS)
  const found = parts.map((part) => readPart(file, part, count))
  const rows = found.reduce((sum, part) => sum + part.endS.length, 0)
  const joined = {
    rows,
    endS: new Float64Array(rows),
    widthS: new Float64Array(rows),
    average: new Float64Array(rows * count),
    lowest: new Float64Array(rows * count),
    highest: new Float64Array(rows * count),
    dataSets: count,
    uncertain: found.reduce((sum, part) => sum + part.uncertain, 0),
  }
  let row = 0
  for (const part of found) {
    joined.endS.set(part.endS, row)
    joined.widthS.fill(part.widthS, row, row + part.endS.length)
    joined.average.set(part.average, row * count)
    joined.lowest.set(part.lowest, row * count)
    joined.highest.set(part.highest, row * count)
    row += part.endS.length
  }
  return joined
}

/** Oldest first. */
function partsOf(archives: readonly Archive[], sinceS: number): readonly Part[] {
  const averages = archives.filter(({ cf }) => cf === 'AVERAGE').toSorted((a, b) => a.widthS - b.widthS)
  // If two have the same width, the longer one is used.
  const distinct = averages.filter(
    (a) =>
      !averages.some(
        (b) =>
          b !== a &&
          b.widthS === a.widthS &&
          (b.rows > a.rows || (b.rows === a.rows && averages.indexOf(b) < averages.indexOf(a))),
      ),
  )
  if (distinct.length === 0) throw new RrdError('has no AVERAGE archive')
  const parts: Part[] = []
  let toS = Number.POSITIVE_INFINITY
  distinct.forEach((archive, i) => {
    const coarser = distinct[i + 1]
    const oldest = archive.endS - archive.rows * archive.widthS
    const unit = coarser === undefined ? 1 : Math.max(coarser.widthS, HOUR_S)
    const fromS = Math.max(Math.ceil(oldest / unit) * unit, sinceS)
    if (fromS >= toS) return
    parts.push({ archive, fromS, toS })
    toS = fromS
  })
  return parts.reverse()
}

function readPart(file: RrdFile, { archive, fromS, toS }: Part, count: number) {
  const { endS, rows, widthS } = archive
  const oldest = endS - (rows - 1) * widthS
  const first = Math.max(0, Math.floor((fromS - oldest) / widthS) + 1)
  const last = Math.min(rows - 1, Math.floor((toS - oldest) / widthS))
  const kept = Math.max(0, last - first + 1)
  const cut = (values: Values): Values => values.subarray(first * count, (first + kept) * count)
  const average = cut(file.read(archive))
  const finest = archive.widthS === file.header.stepS
  const like = (cf: string): Values => {
    const same = finest
      ? undefined
      : file.header.archives.find((a) => a.cf === cf && a.widthS === widthS && a.rows === rows)
    return same === undefined ? average : cut(file.read(same))
  }
  const ends = Float64Array.from({ length: kept }, (_, i) => oldest + (first + i) * widthS)
  return {
    widthS,
    endS: ends,
    average,
    lowest: like('MIN'),
    highest: like('MAX'),
    uncertain: finest ? 0 : besideUnknown(average, count),
  }
}

/** Number of known rows next to an unknown row, judged by the first data set. */
function besideUnknown(values: Values, count: number): number {
  let found = 0
  for (let at = 0; at < values.length; at += count) {
    if (Number.isNaN(values[at] as number)) continue
    const before = at === 0 ? 0 : (values[at - count] as number)
    const after = at + count < values.length ? (values[at + count] as number) : 0
    if (Number.isNaN(before) || Number.isNaN(after)) found++
  }
  return found
}
