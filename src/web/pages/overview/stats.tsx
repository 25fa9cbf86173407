/** @jsxImportSource #jsx */
import type { DeviceCounts, FleetCounts } from '../../../core/lists/service.ts'
import { Mark } from '../../components/icon.tsx'
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
          {devices.down === 0 ? null : (
            <span>
              <Mark tone="bad" label={null} /> {count(devices.down)} down
            </span>
          )}
          {devices.unreachable === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(devices.unreachable)} unreachable
            </span>
          )}
          {devices.alerting === 0 ? null : (
            <span>
              <Mark tone="warn" label={null} /> {count(devices.alerting)} alerting
            </span>
          )}
        </span>
      </a>
      <a href={may.ports ? '/ports' : null}>
        <span class="k">Ports</span>
        <span class="v">
          {count(figures.ports_up)} <small>of {count(figures.ports)} up</small>
        </span>
        <span class="n">
          {figures.ports_lost === 0 ? null : (
            <span>
              <Mark tone="bad" label={null} /> {count(figures.ports_lost)} went down
            </span>
          )}
          {figures.ports_idle === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.ports_idle)} never up
            </span>
          )}
          {figures.ports_unknown === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.ports_unknown)} unknown
            </span>
          )}
          {figures.ports_off === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.ports_off)} admin down
            </span>
          )}
        </span>
      </a>
      <a href={may.alerts ? '/alerts' : null}>
        <span class="k">Alerts</span>
        <span class="v">
          {count(figures.alerts_critical + figures.alerts_warning)} <small>open</small>
        </span>
        <span class="n">
          <span>
            <Mark tone="bad" label="critical" /> {count(figures.alerts_critical)}
          </span>
          <span>
            <Mark tone="warn" label="warning" /> {count(figures.alerts_warning)}
          </span>
          <span>
            <Mark tone="ack" label="acknowledged" /> {count(figures.alerts_acknowledged)}
          </span>
        </span>
      </a>
      <a href={may.sensors ? (figures.sensors_out > 0 ? '/health?level=over' : '/health') : null}>
        <span class="k">Sensors</span>
        <span class="v">
          {count(figures.sensors - figures.sensors_out - figures.sensors_unknown)} <small>OK</small>
        </span>
        <span class="n">
          <span>
            <Mark tone={figures.sensors_out > 0 ? 'bad' : 'ok'} label={null} /> {count(figures.sensors_out)} beyond a
            limit
          </span>
          {figures.sensors_unknown === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.sensors_unknown)} unknown
            </span>
          )}
        </span>
      </a>
      <a href={may.services ? '/services' : null}>
        <span class="k">Services</span>
        <span class="v">
          {figures.services === 0 ? (
            <small>none checked</small>
          ) : (
            <>
              {count(figures.services - figures.services_failing)} <small>of {count(figures.services)} OK</small>
            </>
          )}
        </span>
        <span class="n">
          {figures.services_failing === 0 ? null : (
            <span>
              <Mark tone="bad" label={null} /> {count(figures.services_failing)} failing
            </span>
          )}
        </span>
      </a>
    </div>
  )
}
