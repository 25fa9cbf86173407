import type { FormOs, FormSensor } from '../../src/librenms/form.ts'
import { Cells } from '../../src/modules/loaded/cells.ts'
import { isNumberLike } from '../../src/modules/loaded/numbers.ts'
import { readingPlan, restOfPlan, valuesOf } from '../../src/modules/loaded/plan.ts'
import { deviceFields, isSkipped, ownColumns, rowAt } from '../../src/modules/loaded/rows.ts'
import { everySensor } from '../../src/modules/loaded/sensors.ts'
import { type Discovered, Range, readNeeds } from './discover.ts'
import type { Outcome, Rule } from './outcome.ts'
import type { RecordedDevice } from './recordings.ts'
import { shownOf } from './shown.ts'

/** What became of every instance that the sensors, processors, memory and storage of a loaded definition name. */
export async function loadedOutcomes(
  recorded: RecordedDevice,
  discovered: Discovered,
  form: FormOs,
): Promise<readonly Outcome[]> {
  const shown = shownOf(discovered.observations)
  const range = new Range(recorded.values)
  const read = await readNeeds(recorded, readingPlan(form))
  const more = restOfPlan(form, read)
  const rest = more === null ? undefined : await readNeeds(recorded, more)
  const cells = new Cells(form, valuesOf(form, read, rest), 'plain', form.walks)
  const device = deviceFields({ ...FACTS, ...discovered.device, hostname: recorded.name })
  const found = new Set([...everySensor(form, cells, device)].map(({ sensor_oid }) => sensor_oid))
  const outcomes: Outcome[] = []
  const add = (kind: Outcome['kind'], oid: string, rule: Rule) =>
    outcomes.push({
      device: recorded.name,
      system: discovered.device.os ?? '',
      definition: form.os,
      source: 'loaded',
      kind,
      oid,
      rule: shown.rule(kind, oid) ?? rule,
    })
  for (const item of form.sensors)
    for (const [oid, index] of instancesOf(item.numOid, range, recorded))
      add('sensors', oid, found.has(oid) ? 'sameKey' : sensorRule(form, item, index, cells, device))
  for (const item of form.processors)
    for (const [oid] of instancesOf(item.numOid, range, recorded)) add('processors', oid, 'unexplained')
  for (const kind of ['mempools', 'storage'] as const)
    for (const item of form[kind])
      for (const numOid of [item.polled.used ?? item.polled.free ?? item.polled.percent ?? null])
        for (const [oid] of instancesOf(numOid, range, recorded)) add(kind, oid, 'unexplained')
  return outcomes
}

const FACTS = { deviceId: 1, settings: {} } as const

function sensorRule(
  form: FormOs,
  item: FormSensor,
  index: string,
  cells: Cells,
  device: ReturnType<typeof deviceFields>,
): Rule {
  const walk = form.walks.find(({ text }) => text === item.oid)
  if (walk === undefined) return 'unexplained'
  const raw = cells.text(item.value, index)
  const own = ownColumns(walk, form.objects)
  const row = rowAt(cells, index, own, { descr: item.descr, value: item.value, oid: item.oid, index: item.index })
  const text = raw ?? ''
  const known = item.states?.some(({ descr }) => descr === text) ?? false
  const value = isNumberLike(text) ? Number(text) : null
  if (isSkipped(item.skip, value ?? false, row, cells, device)) return 'condition'
  if (value === null && !known && !/[1-9]/.test(text)) return 'noNumber'
  if (value !== null && item.below !== null && value < item.below) return 'unplausible'
  if (value !== null && item.above !== null && value > item.above) return 'unplausible'
  return 'unexplained'
}

/** OIDs with the index that the template `numOid` (`.1.3.6….{{ $index }}`) stands for, where the recording has them. */
function* instancesOf(
  numOid: string | null,
  range: Range,
  { values }: RecordedDevice,
): Generator<readonly [oid: string, index: string], void, void> {
  if (numOid === null) return
  const [before = '', after] = numOid.replace(/^\./, '').split(/\{\{\s*\$index\s*\}\}/)
  if (after === undefined) {
    const instance = /\.([\d]+)$/.exec(before)?.[1] ?? ''
    if (values.has(before)) yield [before, instance]
    return
  }
  for (const index of range.below(before.replace(/\.$/, '')).keys())
    if (index.endsWith(after)) yield [`${before}${index}`, after === '' ? index : index.slice(0, -after.length)]
}
