/** @jsxImportSource #jsx */
import type { AlertInFull } from '../../../core/alerts/alert-list.ts'
import type { Fault } from '../../../core/alerts/faults/service.ts'
import { Mark } from '../../components/icon.tsx'
import { count, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { ACKNOWLEDGE_FORM } from './acknowledge.tsx'
import { severityTone } from './parts.tsx'

/** What was done about a fault: `acknowledged by anna, muted, assigned to ben`; '': nothing. */
export function doneAbout({ acknowledgement, muted_until, assigned_to, state }: Fault, nowMs: number): string {
  const parts = [
    state === 2 ? `acknowledged${acknowledgement?.by == null ? '' : ` by ${plain(acknowledgement.by)}`}` : '',
    state !== 0 && muted_until !== null && muted_until.getTime() > nowMs ? 'muted' : '',
    assigned_to === null ? '' : `assigned to ${plain(assigned_to.username)}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

export const FaultMark = ({ fault: { state, severity } }: { readonly fault: Fault }): Html =>
  state === 0 ? (
    <Mark tone="ok" label="over" />
  ) : state === 2 ? (
    <Mark tone="ack" label="acknowledged" />
  ) : (
    <Mark tone={severityTone(severity)} label={severity} />
  )

/** The open faults of an alert, with boxes of the form below if there are several. `total`: how many there are. */
export function OpenFaults({
  data: { alert },
  faults: { rows, total },
  visit,
}: {
  readonly data: AlertInFull
  readonly faults: { readonly rows: readonly Fault[]; readonly total: number }
  readonly visit: PageRequest
}): Html {
  const { nowMs } = visit
  const ticks = total > 1 && can(visit, 'Alert.update')
  const list = (
    <ul class="rows">
      {rows.map((fault) => (
        <li data-live={`fault:${fault.id}`}>
          {ticks ? (
            <input
              type="checkbox"
              form={ACKNOWLEDGE_FORM}
              name={`fault-${fault.id}`}
              value="1"
              aria-label={`Select: ${plain(fault.message)}`}
            />
          ) : null}
          <FaultMark fault={fault} />
          <span class="grow said">
            <a href={`/faults/${fault.id}`} dir="auto">
              {plain(fault.message)}
            </a>
            <span class="l2" dir="auto">
              {doneAbout(fault, nowMs)}
            </span>
          </span>
          <span class="right">
            <Time at={fault.began_at} nowMs={nowMs} bare />
          </span>
        </li>
      ))}
    </ul>
  )
  return (
    <section class="card">
      <header>
        <h2>What is wrong</h2>
        <span class="sub">{count(Math.max(total, alert.faults))}</span>
      </header>
      {list}
      {total > rows.length ? <footer>and {count(total - rows.length)} more</footer> : null}
    </section>
  )
}
