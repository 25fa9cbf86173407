import type { SeriesStatus, SeriesTable } from '../core/system/service.ts'
import type { Finding } from './finding.ts'

/** Roll-ups that lag by more than this are reported, seconds. */
const LATE_S = 7200

/** A finding for each kind of sample, and one for each maintenance step that fails. */
export function seriesFindings({ tables, problems }: SeriesStatus): Finding[] {
  const kinds = Map.groupBy(tables, (table) => table.kind)
  return [
    ...[...kinds].map(([kind, levels]): Finding => {
      const behindS = Math.max(0, ...levels.map((table) => table.behindS ?? 0))
      const lag = behindS > 0 ? `roll-ups ${duration(behindS)} behind` : 'roll-ups up to date'
      return {
        state: behindS > LATE_S ? 'note' : 'ok',
        what: `series ${kind}`,
        text: levels.every(isEmpty) ? 'empty' : [...levels.map(levelText), lag].join('; '),
        figures: levels,
      }
    }),
    ...problems.map(
      ({ step, rel, since, reason }): Finding => ({
        state: 'bad',
        what: 'series',
        text: `${step} of ${rel} has failed since ${since.toISOString()}: ${reason}`,
      }),
    ),
  ]
}

function isEmpty({ oldest, rows }: SeriesTable): boolean {
  return oldest === null && rows === 0
}

function levelText(table: SeriesTable): string {
  const { level, octets, rows, parts, compressed, before, after, waiting, oldest } = table
  if (isEmpty(table)) return `${level} empty`
  const saved = compressed > 0 ? `, ${compressed} of ${parts} chunks compressed (${ratio(before, after)})` : ''
  const due = waiting > 0 ? `, ${waiting} to compress` : ''
  const since = oldest === null ? '' : ` since ${oldest.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `${level} ${size(octets)}, ${count(rows)} rows${since}${saved}${due}`
}

function ratio(before: number, after: number): string {
  return after > 0 ? `${(before / after).toFixed(1)} to 1` : '-'
}

function size(octets: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = octets
  let unit = 0
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

function count(rows: number): string {
  return Math.round(rows).toLocaleString('en-US')
}

function duration(seconds: number): string {
  return seconds >= 2 * 86_400 ? `${Math.round(seconds / 86_400)} d` : `${Math.round(seconds / 3600)} h`
}
