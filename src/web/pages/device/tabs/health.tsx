/** @jsxImportSource #jsx */
import type { HealthValue } from '../../../../domain/fleet/service.ts'
import { GraphPicture, RangeBar, rangeOf } from '../../../components/chart.tsx'
import { classWord, limitsOf, TONE_WORDS, toneOf, valueText } from '../../../components/health.tsx'
import { Mark } from '../../../components/icon.tsx'
import { Card, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import { tab } from '../tab.ts'

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
            <Card title={classWord(name)} sub={values.length}>
              <HealthRows rows={values} />
              {i < MOST_PICTURES && name !== 'state' ? (
                <div class="body">
                  <GraphPicture
                    src={`/graph/device/${deviceId}/device_${name === 'memory' ? 'mempool' : name}`}
                    range={range}
                    alt={`${classWord(name)} over time`}
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
