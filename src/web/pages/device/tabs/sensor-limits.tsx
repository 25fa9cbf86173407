/** @jsxImportSource #jsx */
import { invalid } from '../../../../core/base/errors.ts'
import type { LimitedSensor } from '../../../../core/inventory/sensor-limits.ts'
import { Button, Field, Form, Hidden, ofForm } from '../../../components/form.tsx'
import { Card } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import type { Action, PageRequest } from '../../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../../permissions.ts'

const FIELDS = [
  ['high', 'High'],
  ['high_warn', 'High warning'],
  ['low_warn', 'Low warning'],
  ['low', 'Low'],
] as const

const SOURCES = {
  agent: 'as the device or its definition gives them',
  guess: 'guessed from the first value',
  person: 'set by hand; discovery keeps them',
} as const

/** Limits of one sensor, to be changed. */
export function LimitsForm({
  visit,
  unit,
  sensor,
}: {
  readonly visit: PageRequest
  readonly unit: string
  readonly sensor: LimitedSensor
}): Html {
  const own = ofForm(visit, 'limits')
  const to = `${visit.url.pathname}${visit.url.search}`
  return (
    <Card title="Limits" sub={SOURCES[sensor.source]}>
      <Form visit={visit} name="limits" to={to}>
        <Hidden name="sensor" value={sensor.sensor_id} />
        <div class="fields">
          {FIELDS.map(([name, label]) => (
            <Field
              id={`limit-${name}`}
              name={name}
              label={unit === '' ? label : `${label}, ${unit}`}
              value={sensor[name] === null ? '' : String(sensor[name])}
              maxLength={30}
              placeholder="none"
              visit={own}
            />
          ))}
        </div>
        <div class="acts">
          <Button first>Save limits</Button>
        </div>
      </Form>
      {sensor.source === 'person' ? (
        <Form visit={visit} name="limits-reset" to={to} line>
          <Hidden name="sensor" value={sensor.sensor_id} />
          <Button>Use the limits of the next discovery</Button>
        </Form>
      ) : null}
    </Card>
  )
}

function numberOf(text: string, label: string): number | null {
  const given = text.trim().replace(',', '.')
  if (given === '') return null
  const number = Number(given)
  if (!Number.isFinite(number)) throw invalid(`${label}: enter a number, or nothing for no limit`)
  return number
}

const save =
  (reset: boolean): Action =>
  async (visit, form) => {
    requireGate(visit, 'Device.update')
    const { devices, inventory } = visit.services
    const device = await devices.require(visit.actor, visit.params['id'] ?? '')
    const [high, high_warn, low_warn, low] = FIELDS.map(([name, label]) => numberOf(form.get(name) ?? '', label))
    const limits = { high: high ?? null, high_warn: high_warn ?? null, low_warn: low_warn ?? null, low: low ?? null }
    const id = Number(form.get('sensor') ?? '')
    if (!Number.isInteger(id) || id < 1 || id > 0x7fff_ffff) throw invalid('There is no such sensor')
    await refusalsAsFormErrors(() => inventory.setLimits(visit.actor, device.device_id, id, reset ? null : limits))
    return { notice: { tone: 'ok', text: reset ? 'The next discovery sets the limits.' : 'Limits saved.' } }
  }

export const limitActions: Readonly<Record<string, Action>> = { limits: save(false), 'limits-reset': save(true) }
