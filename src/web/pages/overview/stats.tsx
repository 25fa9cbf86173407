/** @jsxImportSource #jsx */
import type { DeviceCounts, FleetCounts } from '../../../core/lists/service.ts'
import { Mark, type Tone } from '../../components/icon.tsx'
import { count } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { OverviewData } from './load.ts'

/** Numbers of devices, ports, alerts, sensors and services. */
export function Stats({
  devices,
  figures,
  may,
}: {
  readonly devices: DeviceCounts
  readonly figures: FleetCounts
  /** Which lists the user may open. */
  readonly may: OverviewData['may']
}): Html {
  const up = devices.up + devices.alerting
  return (
    <div class="stats">
      <a href="/devices">
        <span class="k">Devices</span>
        <span class="v">
          {count(up)} <small>of {count(devices.all)} up</small>
        </span>
        <span class="n">
          <Of n={devices.down} tone="bad" what="down" />
          <Of n={devices.unreachable} tone="off" what="unreachable" />
          <Of n={devices.alerting} tone="warn" what="alerting" />
        </span>
      </a>
      <a href={may.ports ? '/ports' : null}>
        <span class="k">Ports</span>
        <span class="v">
          {count(figures.ports_up)} <small>of {count(figures.ports)} up</small>
        </span>
        <span class="n">
          <Of n={figures.ports_lost} tone="bad" what="went down" />
          <Of n={figures.ports_idle} tone="off" what="no link" />
          <Of n={figures.ports_unknown} tone="off" what="unknown" />
          <Of n={figures.ports_off} tone="off" what="admin down" />
        </span>
      </a>
      <a href={may.alerts ? '/alerts' : null}>
        <span class="k">Alerts</span>
        <span class="v">
          {count(figures.alerts_critical + figures.alerts_warning)} <small>open</small>
        </span>
        <span class="n">
          <Of n={figures.alerts_critical} tone="bad" what="critical" />
          <Of n={figures.alerts_warning} tone="warn" what="warning" />
          <Of n={figures.alerts_acknowledged} tone="ack" what="acknowledged" />
        </span>
      </a>
      <a href={may.sensors ? (figures.sensors_out > 0 ? '/health?level=over' : '/health') : null}>
        <span class="k">Sensors</span>
        <span class="v">
          {count(figures.sensors - figures.sensors_out - figures.sensors_unknown)} <small>within limits</small>
        </span>
        <span class="n">
          <span>
            <Mark tone={figures.sensors_out > 0 ? 'bad' : 'ok'} label={null} /> {count(figures.sensors_out)} beyond a
            limit
          </span>
          <Of n={figures.sensors_unknown} tone="off" what="unknown" />
        </span>
      </a>
      <a href={may.services ? '/services' : null}>
        <span class="k">Services</span>
        <span class="v">
          {figures.services === 0 ? (
            <small>none checked</small>
          ) : (
            <>
              {count(
                figures.services - figures.services_critical - figures.services_warning - figures.services_unknown,
              )}{' '}
              <small>of {count(figures.services)} OK</small>
            </>
          )}
        </span>
        <span class="n">
          <Of n={figures.services_critical} tone="bad" what="critical" />
          <Of n={figures.services_warning} tone="warn" what="with a warning" />
          <Of n={figures.services_unknown} tone="off" what="unknown" />
        </span>
      </a>
    </div>
  )
}

/** A number of them, unless there are none. */
const Of = ({ n, tone, what }: { readonly n: number; readonly tone: Tone; readonly what: string }): Html | null =>
  n === 0 ? null : (
    <span>
      <Mark tone={tone} label={null} /> {count(n)} {what}
    </span>
  )
