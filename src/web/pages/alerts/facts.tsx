/** @jsxImportSource #jsx */
import type { AlertInFull } from '../../../core/alerts/alert-list.ts'
import { ruleExtra } from '../../../core/alerts/rules/extra.ts'
import { isOpen } from '../../../core/base/alert-states.ts'
import { Card, duration, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { STATES } from './parts.tsx'

const Link = ({ href }: { readonly href: string }): Html => (
  <a href={href} rel="noreferrer">
    {plain(href)}
  </a>
)

/** The alert in short: where, which rule, since when, and what to do. */
export function Facts({
  data: { alert, notifications },
  visit,
}: {
  readonly data: AlertInFull
  readonly visit: PageRequest
}): Html {
  const extra = ruleExtra(alert.extra)
  return (
    <Card title="Alert">
      <div class="body">
        <dl class="facts">
          <dt>Device</dt>
          <dd>
            <a href={`/device/${alert.device_id}`}>{plain(alert.device)}</a>
          </dd>
          <dt>Rule</dt>
          <dd>
            {can(visit, 'AlertRule.viewAny') ? (
              <a href={`/alerts/rules/${alert.rule_id}`}>{plain(alert.rule)}</a>
            ) : (
              plain(alert.rule)
            )}
          </dd>
          <dt>Status</dt>
          <dd>{STATES[alert.state] ?? ''}</dd>
          <dt>{isOpen(alert.state) ? 'Since' : 'Ended'}</dt>
          <dd>
            <Time at={alert.since} nowMs={visit.nowMs} />
          </dd>
          <dt>Notified</dt>
          <dd>
            {notifications.length === 0 && alert.transports === 0
              ? 'nobody: the rule has no transport'
              : `${alert.notified} ${alert.notified === 1 ? 'time' : 'times'}`}
            {notifications.length > 0 && extra.interval > 0 ? `, every ${duration(extra.interval)}` : ''}
          </dd>
          {alert.runbook === null ? null : (
            <>
              <dt>Runbook</dt>
              <dd dir="auto">
                <Link href={alert.runbook} />
              </dd>
            </>
          )}
          {alert.proc === null || alert.proc === '' ? null : (
            <>
              <dt>What to do</dt>
              <dd dir="auto">{/^https?:\/\//.test(alert.proc) ? <Link href={alert.proc} /> : plain(alert.proc)}</dd>
            </>
          )}
          {alert.rule_notes === null || alert.rule_notes === '' ? null : (
            <>
              <dt>About the rule</dt>
              <dd dir="auto">{plain(alert.rule_notes)}</dd>
            </>
          )}
        </dl>
      </div>
    </Card>
  )
}
