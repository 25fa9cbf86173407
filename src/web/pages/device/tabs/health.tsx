/** @jsxImportSource #jsx */

import { isAdmin } from '../../../../core/base/actor.ts'
import type { LimitedSensor } from '../../../../core/inventory/sensor-limits.ts'
import type { HealthValue } from '../../../../core/lists/service.ts'
import type { OpenMaintenance } from '../../../../core/maintenance/service.ts'
import { SENSOR_CLASSES } from '../../../../lib/sensor-classes.ts'
import { ChartCard } from '../../../components/chart.tsx'
import { MaintenancePill } from '../../../components/device-state.tsx'
import { healthGraph, measuredGraph, TALL } from '../../../components/graph-specs.ts'
import { classWord, limitsOf, TONE_WORDS, toneOf, valueText } from '../../../components/health.tsx'
import { Mark } from '../../../components/icon.tsx'
import { RangeBar, rangeOf } from '../../../components/range.tsx'
import { withQuery } from '../../../components/table.tsx'
import { LastSeen, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import { can } from '../../../permissions.ts'
import { graphDevice, instantOf } from '../facts.ts'
import { firstPoll } from '../progress.tsx'
import { tab } from '../tab.ts'
import { LimitsForm, limitActions } from './sensor-limits.tsx'

interface HealthData {
  readonly rows: readonly HealthValue[]
  /** The value shown in a chart of its own; null: none. */
  readonly one: HealthValue | null
  /** The same if it is a sensor whose limits the user may change. */
  readonly sensor: LimitedSensor | null
  /** Of that sensor by itself; null: none. */
  readonly maintenance: OpenMaintenance | null
}

export const healthTab = tab<HealthData>({
  id: 'health',
  label: 'Health',
  gate: 'Sensor.viewAny',
  count: ({ health }) => health,
  charts: true,
  actions: limitActions,
  async load(visit, { deviceId }) {
    const { services, query } = visit
    const rows = await services.fleet.health(deviceId)
    const one = rows.find((row) => keyOf(row) === query.get('one')) ?? null
    const mayChange = one?.kind === 'sensor' && one.class !== 'state' && can(visit, 'Device.update')
    const [sensor = null] = mayChange ? await services.inventory.limitedSensors(deviceId, one.id) : []
    const maintenance = one?.kind === 'sensor' ? await services.maintenance.ofPart('sensor', one.id, visit.nowMs) : null
    return { rows, one, sensor, maintenance }
  },
  view({ rows, one, sensor, maintenance }, visit, subject) {
    const range = rangeOf(visit.query, visit.nowMs, instantOf(subject.record['inserted']))
    const classes = [...Map.groupBy(rows, (row) => row.class)]
    const device = graphDevice(subject)
    const empty = firstPoll(subject, visit)
    return (
      <>
        <RangeBar range={range} query={visit.query} />
        {one === null ? null : (
          <div class="stack">
            <ChartCard
              spec={{ ...measuredGraph(device, plain(one.descr) || one.class, one), height: TALL }}
              range={range}
              sub={classWord(one.class)}
              empty={empty}
            />
            {maintenance === null ? null : <MaintenancePill maintenance={maintenance} nowMs={visit.nowMs} />}
            {one.kind === 'sensor' && isAdmin(visit.actor) ? (
              <div class="acts">
                <a class="btn" href={`/maintenance?kind=sensor&ref=${one.id}#title`}>
                  Maintenance…
                </a>
              </div>
            ) : null}
            {sensor === null ? null : (
              <LimitsForm visit={visit} unit={SENSOR_CLASSES[one.class]?.[0] ?? ''} sensor={sensor} />
            )}
          </div>
        )}
        <div class="two">
          {classes.map(([name, values]) => {
            const spec = healthGraph(device, classWord(name), values)
            return spec === null ? null : (
              <ChartCard spec={spec} range={range} sub={values.length} empty={empty}>
                <HealthRows rows={values} nowMs={visit.nowMs} query={visit.query} one={one} />
              </ChartCard>
            )
          })}
        </div>
      </>
    )
  },
})

const keyOf = ({ kind, id }: HealthValue) => `${kind}-${id}`

/** Values with their limits. */
export function HealthRows({
  rows,
  nowMs,
  query,
  one = null,
}: {
  readonly rows: readonly HealthValue[]
  readonly nowMs: number
  /** On the health tab: the names are links to a chart of the value alone. */
  readonly query?: URLSearchParams
  readonly one?: HealthValue | null
}): Html {
  return (
    <ul class="rows">
      {rows.map((row) => (
        <li data-live={`${row.kind}:${row.id}`}>
          <Mark tone={toneOf(row)} label={row.old_since === null ? TONE_WORDS[toneOf(row)] : 'No longer current'} />
          <span class="grow" dir="auto">
            {query === undefined || rows.length === 1 ? (
              plain(row.descr) || row.class
            ) : (
              <a
                href={withQuery(query, { one: row === one ? null : keyOf(row) })}
                aria-current={row === one ? 'true' : null}
              >
                {plain(row.descr) || row.class}
              </a>
            )}
          </span>
          <span class="right">
            <b class={row.old_since === null ? null : 'old'}>{valueText(row)}</b>
            <span class="l2">
              {row.old_since === null ? limitsOf(row) : <LastSeen at={row.old_since} nowMs={nowMs} />}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
