/** @jsxImportSource #jsx */
import type { DeviceListRow, NearLimit } from '../../../core/lists/service.ts'
import { DeviceMark } from '../../components/device-state.tsx'
import { betweenText, valueText } from '../../components/health.tsx'
import { Mark } from '../../components/icon.tsx'
import { Alerts } from '../../components/lists.tsx'
import { Card, count, Empty, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { OverviewData } from './load.ts'

/** Devices that are down, and open alerts; `all`: how many devices are down. */
export function Attention({
  down,
  all,
  alerts,
  nowMs,
}: {
  readonly down: readonly DeviceListRow[]
  readonly all: number
  readonly alerts: OverviewData['alerts']
  readonly nowMs: number
}): Html {
  const left = Math.max(0, alerts.total - alerts.rows.length)
  return (
    <Card title="Needs attention" sub={alerts.total + all}>
      {down.length === 0 ? null : (
        <ul class="rows">
          {down.map((device) => (
            <li data-live={`device:${device.device_id}`}>
              <DeviceMark state={device.state} />
              <span class="grow">
                <a class="strong" href={`/device/${device.device_id}`}>
                  {plain(device.display)}
                </a>
                <span class="l2">
                  {device.status_reason === 'icmp'
                    ? 'no answer to ping'
                    : device.status_reason === 'snmp'
                      ? 'no SNMP answer'
                      : 'down'}{' '}
                  · {device.ip ?? ''}
                </span>
              </span>
              <Time at={device.down_since} nowMs={nowMs} bare />
            </li>
          ))}
        </ul>
      )}
      {alerts.rows.length === 0 ? (
        down.length === 0 ? (
          <Empty title="Nothing needs attention" help={['how-to/alerts', 'Who is notified of what']} />
        ) : null
      ) : (
        <Alerts rows={alerts.rows} nowMs={nowMs} device />
      )}
      {left + Math.max(0, all - down.length) === 0 ? null : (
        <footer>{count(left + Math.max(0, all - down.length))} more</footer>
      )}
    </Card>
  )
}

/** Members that a sensor near a limit does not have. */
const NO_MORE = {
  low_warn: null,
  high_warn: null,
  used: null,
  size: null,
  state: null,
  state_kind: null,
  old_since: null,
} as const

/** Sensors beyond or near a limit. */
export function Near({ rows }: { readonly rows: readonly NearLimit[] }): Html {
  return (
    <Card
      title={rows.some(({ share }) => share > 1) ? 'Beyond or near a limit' : 'Near a limit'}
      right={<a href="/health">All</a>}
    >
      <ul class="rows">
        {rows.map((row) => (
          <li>
            <Mark tone={row.share > 1 ? 'bad' : 'warn'} label={row.share > 1 ? 'Beyond its limit' : 'Near its limit'} />
            <span class="grow">
              <a href={`/health?chart=sensor-${row.sensor_id}`}>{plain(row.device)}</a>
              <span class="l2" dir="auto">
                {plain(row.descr)}
              </span>
            </span>
            <span class="right">
              <b>{valueText({ ...row, ...NO_MORE, kind: 'sensor' })}</b>
              <span class="l2">{betweenText('sensor', row.class, row.low, row.high)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
