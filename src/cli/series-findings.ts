import type { SeriesStatus, SeriesTable, StorageFacts } from '../core/system/service.ts'
import { diskText, growthText, PACKING_ADVICE, packingText, tableText } from '../core/system/storage-text.ts'
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
        text: `${step} of ${tableText(rel)} has failed since ${since.toISOString()}: ${reason}${step === 'packing' ? `; ${PACKING_ADVICE}` : ''}`,
      }),
    ),
  ]
}

function isEmpty({ oldest, rows }: SeriesTable): boolean {
  return oldest === null && rows === 0
}

function levelText(table: SeriesTable): string {
  const { level, form, octets, rows, parts, longParts, longOctets, before, waiting, oldest } = table
  if (isEmpty(table)) return `${level} empty`
  const done = form === 'columnstore' ? `compressed (${ratio(before, longOctets)})` : 'packed'
  const saved = longParts > 0 ? `, ${longParts} of ${parts} chunks ${done}` : ''
  const due = waiting > 0 ? `, ${waiting} to ${form === 'columnstore' ? 'compress' : 'pack'}` : ''
  const since = oldest === null ? '' : ` since ${oldest.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `${level} ${size(octets)}, ${count(rows)} rows${since}${saved}${due}`
}

/** How far closed chunks are packed, and whether the disk has room for what comes. */
export function storageFindings(facts: StorageFacts): Finding[] {
  const { packing, warning, disk, growth, forecast } = facts
  return [
    { state: 'ok', what: 'packing', text: packingText(packing), figures: packing },
    {
      state: warning === null ? 'ok' : 'note',
      what: 'database size',
      text:
        warning === null
          ? `${size(facts.octets)}, growth ${growthText(facts)}; disk ${diskText(facts)}`
          : `${warning.reason}: make room, keep samples for a shorter time (series.keep_days) or move the data folder; see portlight database`,
      figures: { octets: facts.octets, growth, disk, forecast, warning },
    },
  ]
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
