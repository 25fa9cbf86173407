import type { Field, FormOs, FormProcessor } from '../../librenms/form.ts'
import type { ProcessorRow } from '../observation.ts'
import type { Cells } from './cells.ts'
import { evaluate, filled, filledByIndex, type RowFields } from './fields.ts'
import { numberOf } from './numbers.ts'
import { isOid } from './plan.ts'
import { type DeviceFields, isSkipped, ownColumns, rowAt } from './rows.ts'

const MAX_PROCESSORS = 10_000

/**
 * The processors that a definition finds. If several have the same index and type, the first supplies the usage and the
 * last everything else.
 */
export function loadedProcessors(
  form: FormOs,
  cells: Cells,
  device: DeviceFields,
  polled: PolledTexts = new Map(),
): readonly ProcessorRow[] {
  const found = new Map<string, ProcessorRow>()
  for (const [item, row] of rowsOf(form, cells, device)) {
    const processor = processorRow(form, item, row, polled)
    if (processor === null || found.size >= MAX_PROCESSORS) continue
    const key = `${processor.processor_type} ${processor.processor_index}`
    const first = found.get(key) ?? processor
    found.set(key, {
      ...processor,
      processor_usage: first.processor_usage ?? processor.processor_usage,
      processor_perc_warn: first.processor_perc_warn,
    })
  }
  return [...found.values()]
}

/** Texts of the objects that are polled, by OID. */
export type PolledTexts = ReadonlyMap<string, string>

/** The OIDs of processors whose value has no number: the object that is polled may have it. */
export function polledProcessors(form: FormOs, cells: Cells, device: DeviceFields): readonly string[] {
  const oids = new Set<string>()
  for (const [item, row] of rowsOf(form, cells, device)) {
    if (numberIn(item, field(item.value, row)) !== undefined) continue
    const oid = filledByIndex(item.numOid, row.index)
    if (isOid(oid) && oids.size < MAX_POLLED) oids.add(oid)
  }
  return [...oids]
}

const MAX_POLLED = 100

/** The rows of every item that are not skipped. */
function* rowsOf(
  form: FormOs,
  cells: Cells,
  device: DeviceFields,
): Generator<readonly [FormProcessor, RowFields], void, void> {
  for (const item of form.processors) {
    const walk = form.walks.find(({ text }) => text === item.oid)
    if (walk === undefined) continue
    const own = ownColumns(walk, form.objects)
    let count = 0
    for (const index of cells.rows(walk)) {
      count++
      const row = rowAt(cells, index, own, {}, count)
      if (!isSkipped(item.skip, null, row, cells, device, true)) yield [item, row]
    }
  }
}

/** Digits with an optional fraction, anywhere in the text of a value; undefined: none, or no value. */
function numberIn({ value }: FormProcessor, text: string): string | undefined {
  return text === value ? undefined : /\d{1,5}(\.\d+)?/.exec(text)?.[0]
}

function processorRow(form: FormOs, item: FormProcessor, row: RowFields, polled: PolledTexts): ProcessorRow | null {
  const oid = filledByIndex(item.numOid, row.index)
  const number = numberIn(item, field(item.value, row)) ?? numberIn(item, polled.get(oid) ?? '')
  if (number === undefined || !isOid(oid)) return null
  const precision = Math.trunc(numberOf(item.precision === null ? 1 : field(item.precision, row))) || 1
  const usage = precision < 0 ? 100 - Number(number) / -precision : Number(number) / Math.max(1, precision)
  const text = (value: Field | null, other: string): string => (value === null ? other : field(value, row)) || other
  const warn = item.warn === null ? 0 : numberOf(field(item.warn, row))
  return {
    ...(warn > 0 && warn <= 100 && { processor_perc_warn: Math.round(warn) }),
    processor_type: text(item.type, form.os).slice(0, 16),
    processor_index: text(item.index, row.index),
    processor_oid: oid,
    processor_descr: text(item.descr, 'Processor').trim().slice(0, 64),
    processor_precision: precision,
    hrDeviceIndex: item.hrDevice === null ? null : Math.trunc(numberOf(field(item.hrDevice, row))),
    entPhysicalIndex: item.entity === null ? 0 : Math.trunc(numberOf(field(item.entity, row))),
    // values outside 0 … 100 are unknown
    processor_usage: usage >= 0 && usage <= 100 ? usage : null,
  }
}

/**
 * The text of a field: placeholders are replaced; a text without spaces is looked up as a name, any other is taken
 * literally.
 */
function field(value: Field, row: RowFields): string {
  if (typeof value === 'number') return String(value)
  if (value.includes('{{')) return filled(value, row)
  return value.includes(' ') ? value : evaluate(value, row)
}
