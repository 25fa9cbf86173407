/** @jsxImportSource #jsx */
import type { AlertInFull, AlertNotification } from '../../../core/alerts/alert-list.ts'
import { ruleExtra } from '../../../core/alerts/rules/extra.ts'
import { isAcknowledged } from '../../../core/base/alert-states.ts'
import { Mark } from '../../components/icon.tsx'
import { Card, duration, Empty, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

/** The notifications of an alert. */
export function Sent({ data, nowMs }: { readonly data: AlertInFull; readonly nowMs: number }): Html {
  return (
    <Card title="Notifications" sub={whyNone(data, nowMs)}>
      {data.notifications.length === 0 ? (
        <Empty
          title="Nothing was sent"
          help={['how-to/troubleshooting#no-mail-no-message', 'Why nothing may be sent']}
        />
      ) : (
        <Notifications rows={data.notifications} nowMs={nowMs} />
      )}
    </Card>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  alert: 'the alert',
  repeat: 'a reminder',
  recovery: 'the recovery',
  ack: 'the acknowledgement',
  worse: 'got worse',
  better: 'got better',
  changed: 'changed',
}

function Notifications({ rows, nowMs }: { readonly rows: readonly AlertNotification[]; readonly nowMs: number }): Html {
  return (
    <ul class="past-list clock">
      {rows.map((row) => (
        <li>
          <Time at={row.created_at} nowMs={nowMs} clock />
          {row.sent_at !== null ? (
            <Mark tone="ok" label="sent" />
          ) : row.dead_at !== null ? (
            <Mark tone="bad" label="given up" />
          ) : (
            <Mark tone="off" label="waiting" />
          )}
          <div dir="auto">
            {plain(row.transport)}: {WORDS[row.kind] ?? plain(row.kind)}
            <span class="l2">
              {row.sent_at !== null
                ? `sent${row.attempts > 1 ? ` on attempt ${row.attempts}` : ''}`
                : row.dead_at !== null
                  ? `given up after ${row.attempts} attempts`
                  : row.attempts === 0
                    ? 'waiting to be sent'
                    : `attempt ${row.attempts} failed, will be retried`}
              {row.error === null ? '' : `: ${plain(row.error)}`}
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Why nothing is being sent at present; '' if nothing prevents it. */
function whyNone({ alert }: AlertInFull, nowMs: number): string {
  const extra = ruleExtra(alert.extra)
  if (alert.transports === 0) return 'no transport: the rule has none, and there is no default'
  if (extra.mute) return 'the rule is muted'
  if (extra.count === 0) return 'the rule sends none'
  if (isAcknowledged(alert.state)) return 'acknowledged: not sent again until the alert changes or ends'
  const at = alert.next_at === null ? '' : `, next check in ${duration((alert.next_at.getTime() - nowMs) / 1000)}`
  switch (alert.held) {
    case 'delay':
      return `held back until the alert has lasted ${duration(extra.delay)}${at}`
    case 'maintenance':
      return 'held back: the device is under maintenance'
    case 'parents':
      return 'held back: every way to the device is down'
    case 'asking':
      return `held back until the parents of the device have answered${at}`
    case 'flapping':
      return `held back: the alert is flapping${at}`
    default:
      return ''
  }
}
