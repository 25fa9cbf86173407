/** @jsxImportSource #jsx */

import type { AlertInFull, AlertNotification } from '../../../core/alerts/alert-list.ts'
import { ruleExtra } from '../../../core/alerts/rules/extra.ts'
import type { AlertChangeResult } from '../../../core/alerts/service.ts'
import { isAcknowledged, isOpen } from '../../../core/base/alert-states.ts'
import { notFound } from '../../../core/base/errors.ts'
import { Mark } from '../../components/icon.tsx'
import { Card, count, duration, Empty, plain, Time } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type ActionResult, type PageRequest, page } from '../../page.ts'
import { can, requireGate } from '../../permissions.ts'
import { Changes } from './history.tsx'
import { AlertPill, instantOf, STATES } from './parts.tsx'

/** Columns of a matched row that are not shown, because they mean nothing to users. */
const DULL = new Set(['string', 'device_id', 'sysObjectID', 'inserted'])
const MAX_COLUMNS = 60

/** One alert: what matched, the notifications, and users' notes. */
export const alertPage = page<AlertInFull>({
  path: '/alerts/:id',
  gate: 'Alert.viewAny',
  load: ({ services, actor, params }) => services.alertList.find(actor, idOf(params['id'])),
  view(data, visit) {
    const { alert } = data
    return {
      title: `${plain(alert.rule)} of ${plain(alert.device)}`,
      crumbs: [{ label: 'Alerts', href: '/alerts' }, { label: plain(alert.rule) }],
      body: (
        <>
          <div class="title" data-live={`alert:${alert.id}`}>
            <h1 dir="auto">
              {plain(alert.rule)} of {plain(alert.device)}
            </h1>
            <AlertPill {...alert} />
          </div>
          <div class="cols after">
            <div class="stack" data-fresh="past">
              <Matched data={data} />
              <Card title="What happened">
                <Changes rows={data.past} nowMs={visit.nowMs} named={false} />
              </Card>
              <Card title="Notifications" sub={whyNone(data, visit.nowMs)}>
                {data.notifications.length === 0 ? (
                  <Empty title="Nothing was sent" />
                ) : (
                  <Notifications rows={data.notifications} nowMs={visit.nowMs} />
                )}
              </Card>
            </div>
            <div class="stack">
              <div data-fresh="facts">
                <Facts data={data} visit={visit} />
              </div>
              {can(visit, 'Alert.update') && isOpen(alert.state) ? <Actions data={data} visit={visit} /> : null}
              {alert.note === null ? null : (
                <Card title="Notes">
                  <ul class="rows">
                    {alert.note.split('\n').map((line) => (
                      <li dir="auto">{plain(line)}</li>
                    ))}
                  </ul>
                </Card>
              )}
            </div>
          </div>
        </>
      ),
    }
  },
  actions: {
    async acknowledge(visit, form) {
      requireGate(visit, 'Alert.update')
      const id = idOf(visit.params['id'])
      const note = (form.get('note') ?? '').trim()
      const untilClear = form.get('until_clear') === '1'
      const seen = instantOf(form.get('seen'))
      return outcome(id, await visit.services.alerts.acknowledge(visit.actor, id, { note, untilClear, seen }))
    },
    async unmute(visit, form) {
      requireGate(visit, 'Alert.update')
      const id = idOf(visit.params['id'])
      return outcome(id, await visit.services.alerts.unmute(visit.actor, id, (form.get('note') ?? '').trim()))
    },
    async note(visit, form) {
      requireGate(visit, 'Alert.update')
      const id = idOf(visit.params['id'])
      await visit.services.alertList.addNote(visit.actor, id, form.get('note') ?? '')
      return { to: `/alerts/${id}` }
    },
  },
})

/** Where to go after a change; notices for an alert that was over before. */
function outcome(id: number, result: AlertChangeResult): ActionResult {
  if (result === 'absent') throw notFound('no alert')
  if (result === 'done') return { to: `/alerts/${id}` }
  return { notice: { tone: 'warn', text: 'This problem had already ended, so nothing was changed.' } }
}

function Matched({ data: { alert, what } }: { readonly data: AlertInFull }): Html {
  const title = isOpen(alert.state) ? 'What matches' : 'What matched last'
  return (
    <Card title={title} sub={count(Math.max(alert.faults, what.length))}>
      {what.length === 0 ? (
        <Empty title="The matched rows were not stored" />
      ) : (
        <ul class="rows">
          {what.map(({ words, row }) => (
            <li>
              <details class="grow fault">
                <summary dir="auto">{words === '' ? 'the device' : plain(words)}</summary>
                <pre class="pre wrap" dir="auto">
                  {Object.entries(row)
                    .filter(([name, value]) => !DULL.has(name) && value !== null && value !== '')
                    .slice(0, MAX_COLUMNS)
                    .map(([name, value]) => `${name} = ${plain(textOf(value))}`)
                    .join('\n')}
                </pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const textOf = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 300)

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

function Facts({ data: { alert }, visit }: { readonly data: AlertInFull; readonly visit: PageRequest }): Html {
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
            {alert.notified} {alert.notified === 1 ? 'time' : 'times'}
            {extra.interval > 0 ? `, every ${duration(extra.interval)}` : ''}
          </dd>
          {alert.proc === null || alert.proc === '' ? null : (
            <>
              <dt>What to do</dt>
              <dd dir="auto">
                {/^https?:\/\//.test(alert.proc) ? (
                  <a href={alert.proc} rel="noreferrer">
                    {plain(alert.proc)}
                  </a>
                ) : (
                  plain(alert.proc)
                )}
              </dd>
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

function Actions({ data: { alert }, visit }: { readonly data: AlertInFull; readonly visit: PageRequest }): Html {
  const note = (id: string, label: string) => (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea class="inp" id={id} name="note" rows="2" maxlength="10000" placeholder="Who does what, by when" />
    </div>
  )
  return (
    <section class="card" id="act">
      <header>
        <h2>{isAcknowledged(alert.state) ? 'Acknowledged' : 'Acknowledge'}</h2>
      </header>
      <form class="form" method="post" action={`/alerts/${alert.id}`}>
        <input type="hidden" name="csrf" value={visit.session.csrf} />
        <input type="hidden" name="seen" value={String(alert.since.getTime())} />
        {note('note', 'Note')}
        {isAcknowledged(alert.state) ? null : (
          <label>
            <input type="checkbox" name="until_clear" value="1" /> stay quiet until it ends, even if it changes
          </label>
        )}
        <div class="acts">
          <button
            class="btn first"
            type="submit"
            name="do"
            value={isAcknowledged(alert.state) ? 'unmute' : 'acknowledge'}
          >
            {isAcknowledged(alert.state) ? 'Unmute' : 'Acknowledge'}
          </button>
          <button class="btn" type="submit" name="do" value="note">
            Add note only
          </button>
        </div>
      </form>
    </section>
  )
}
