/** @jsxImportSource #jsx */
import type { HealthValue } from '../../../../domain/fleet/service.ts'
import { SENSOR_CLASSES } from '../../../../lib/sensor-classes.ts'
import { readable } from '../../../../lib/si.ts'
import { GraphPicture, RangeBar, rangeOf } from '../../../components/chart.tsx'
import { Mark, type Tone } from '../../../components/icon.tsx'
import { amount, Card, plain, Unknown } from '../../../components/values.tsx'
import type { Child, Html } from '../../../jsx/jsx-runtime.ts'
import { tab } from '../tab.ts'

const PERCENT = new Set(['processor', 'memory', 'storage'])
const MOST_PICTURES = 6

export const healthTab = tab<readonly HealthValue[]>({
  id: 'health',
  label: 'Health',
  gate: 'Sensor.viewAny',
  count: ({ health }) => health,
  load: ({ services }, { deviceId }) => services.fleet.health(deviceId),
  view(rows, visit, { deviceId }) {
    const range = rangeOf(visit.query)
    const classes = [...Map.groupBy(rows, (row) => row.class)]
    return (
      <>
        <RangeBar range={range} query={visit.query} />
        <div class="two">
          {classes.map(([name, values], i) => (
            <Card title={wordFor(name)} sub={values.length}>
              <HealthRows rows={values} />
              {i < MOST_PICTURES && name !== 'state' ? (
                <div class="body">
                  <GraphPicture
                    src={`/graph/device/${deviceId}/device_${name === 'memory' ? 'mempool' : name}`}
                    range={range}
                    alt={`${wordFor(name)} over time`}
                    theme={visit.theme}
                    height={160}
                    lazy
                  />
                </div>
              ) : null}
            </Card>
          ))}
        </div>
      </>
    )
  },
})

const WORDS: Readonly<Record<string, string>> = {
  processor: 'Processors',
  memory: 'Memory',
  storage: 'File systems',
  state: 'States',
  dbm: 'Optical power',
  fanspeed: 'Fans',
}
const wordFor = (name: string) => WORDS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

const STATE_TONES: readonly Tone[] = ['ok', 'warn', 'bad', 'off']

function toneOf({ value, low, low_warn, high_warn, high, state_kind }: HealthValue): Tone {
  if (state_kind !== null) return STATE_TONES[state_kind] ?? 'off'
  if (value === null) return 'off'
  if ((high !== null && value > high) || (low !== null && value < low)) return 'bad'
  if ((high_warn !== null && value > high_warn) || (low_warn !== null && value < low_warn)) return 'warn'
  return 'ok'
}

const TONE_WORDS: Readonly<Record<Tone, string>> = {
  ok: 'Within its limits',
  warn: 'Near a limit',
  bad: 'Beyond a limit',
  ack: 'Seen',
  off: 'Unknown',
}

/** Units that take prefixes: 6.5 mA. */
const PREFIXED = new Set(['A', 'V', 'W', 'Hz', 'bps', 's', 'VA'])

const shown = (value: number) => String(Math.round(value * 100) / 100).replace('-', '−')

function valueText(row: HealthValue): Child {
  if (row.state !== null) return plain(row.state)
  if (row.value === null) return <Unknown />
  const unit = PERCENT.has(row.class) ? '%' : (SENSOR_CLASSES[row.class]?.[0] ?? '')
  return PREFIXED.has(unit) ? readable(row.value, unit, 'all') : `${shown(row.value)} ${unit}`.trimEnd()
}

function limitsOf({ low, high, high_warn, used, size }: HealthValue): string {
  if (used !== null && size !== null && size > 0) return `${amount(used, 'B')} of ${amount(size, 'B')}`
  const top = high ?? high_warn
  if (low !== null && top !== null) return `${shown(low)} to ${shown(top)}`
  return top === null ? (low === null ? '' : `at least ${shown(low)}`) : `at most ${shown(top)}`
}

/** Values with their limits. */
export function HealthRows({ rows }: { readonly rows: readonly HealthValue[] }): Html {
  return (
    <ul class="rows">
      {rows.map((row) => (
        <li data-live={`${row.kind}:${row.id}`}>
          <Mark tone={toneOf(row)} label={TONE_WORDS[toneOf(row)]} />
          <span class="grow" dir="auto">
            {plain(row.descr) || row.class}
          </span>
          <span class="right">
            <b>{valueText(row)}</b>
            <span class="l2">{limitsOf(row)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
