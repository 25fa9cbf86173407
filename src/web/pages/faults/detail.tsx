/** @jsxImportSource #jsx */

import type { FaultGraph, RowFact } from '../../../core/alerts/alert-list.ts'
import { UNTIL_CLEAR } from '../../../core/alerts/faults/fault.ts'
import type { Fault, HistoryEntry } from '../../../core/alerts/faults/service.ts'
import { whoWords } from '../../../core/base/actor.ts'
import { ChartCard } from '../../components/chart.tsx'
import { Button, Choice, Field, Form } from '../../components/form.tsx'
import { Mark, Pill, type Tone } from '../../components/icon.tsx'
import { rangeOf } from '../../components/range.tsx'
import { Card, duration, plain, Time } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { can, requireGate } from '../../permissions.ts'
import { rangeAround, specOf, visibleGraphs } from '../alerts/around.tsx'
import { doneAbout } from '../alerts/faults.tsx'
import { RowFacts } from '../alerts/matched.tsx'
import { SEVERITIES, severityTone } from '../alerts/parts.tsx'
import { UntilField, untilOf } from '../alerts/until.tsx'

interface FaultData {
  readonly fault: Fault
  readonly history: readonly HistoryEntry[]
  readonly facts: readonly RowFact[]
  /** null: there is none, or the actor may not see it. */
  readonly graph: FaultGraph | null
  readonly runbook: string | null
  /** Whom it can be assigned to; null: only to the actor. */
  readonly users: readonly { readonly id: number; readonly name: string }[] | null
}

const MAX_USERS = 500

/** One fault: what is wrong, what was done about it, and what can be done. */
export const faultPage = page<FaultData>({
  path: '/faults/:id',
  gate: 'Alert.viewAny',
  scripts: ['chart.js'],
  async load(visit) {
    const { services, actor, params } = visit
    const id = idOf(params['id'])
    const fault = await services.faults.get(actor, id)
    const [history, about, users] = await Promise.all([
      services.faults.history(actor, id),
      services.alertList.aboutFault(actor, fault),
      can(visit, 'admin') ? services.users.list() : null,
    ])
    const [graph = null] = await visibleGraphs(visit, about.graph === null ? [] : [about.graph])
    return {
      fault,
      history,
      ...about,
      graph,
      users: users?.slice(0, MAX_USERS).map(({ user_id, username }) => ({ id: user_id, name: username })) ?? null,
    }
  },
  view(data, visit) {
    const { fault, graph } = data
    const range = { ...rangeOf(visit.query, visit.nowMs), ...rangeAround(fault.began_at, fault.ended_at) }
    const title = plain(fault.message)
    return {
      title,
      crumbs: [
        { label: 'Alerts', href: '/alerts' },
        { label: plain(fault.rule), href: `/alerts/${fault.alert_id}` },
        { label: 'Fault' },
      ],
      body: (
        <>
          <div class="title" data-live={`fault:${fault.id}`}>
            <h1 dir="auto">{title}</h1>
            <FaultPill fault={fault} />
          </div>
          <div class="cols after acts-first">
            <div class="stack">
              {graph === null ? null : (
                <ChartCard spec={specOf(graph, fault, range)} range={range} title={plain(graph.title)} />
              )}
              <Values facts={data.facts} fault={fault} />
              <History rows={data.history} nowMs={visit.nowMs} />
            </div>
            <div class="stack">
              <Facts data={data} visit={visit} />
              {can(visit, 'Alert.update') ? <Acts data={data} visit={visit} /> : null}
            </div>
          </div>
        </>
      ),
    }
  },
  actions: {
    async acknowledge(visit, form) {
      const { id, note } = asked(visit, form)
      const until = untilOf(form.get('until'), visit.nowMs)
      await visit.services.faults.acknowledge(visit.actor, [id], { note, until })
      return { to: `/faults/${id}` }
    },
    async unacknowledge(visit, form) {
      const { id, note } = asked(visit, form)
      await visit.services.faults.unacknowledge(visit.actor, [id], note)
      return { to: `/faults/${id}` }
    },
    async assign(visit, form) {
      const { id, note } = asked(visit, form)
      const user = form.get('user') ?? ''
      await visit.services.faults.assign(visit.actor, id, user === '' ? null : idOf(user), note)
      return { to: `/faults/${id}` }
    },
    async mute(visit, form) {
      const { id, note } = asked(visit, form)
      const until = untilOf(form.get('until'), visit.nowMs)
      await visit.services.faults.mute(visit.actor, id, until === 'worse' ? 'clear' : until, note)
      return { to: `/faults/${id}` }
    },
    async unmute(visit, form) {
      const { id, note } = asked(visit, form)
      await visit.services.faults.mute(visit.actor, id, null, note)
      return { to: `/faults/${id}` }
    },
    async note(visit, form) {
      const { id, note } = asked(visit, form)
      await visit.services.faults.note(visit.actor, id, note)
      return { to: `/faults/${id}` }
    },
  },
})

function asked(visit: PageRequest, form: ReadonlyMap<string, string>): { readonly id: number; readonly note: string } {
  requireGate(visit, 'Alert.update')
  return { id: idOf(visit.params['id']), note: (form.get('note') ?? '').trim() }
}

function FaultPill({ fault: { state, severity } }: { readonly fault: Fault }): Html {
  if (state === 0) return <Pill tone="ok">Over</Pill>
  if (state === 2) return <Pill tone="ack">Acknowledged</Pill>
  return <Pill tone={severityTone(severity)}>{SEVERITIES[severity] ?? severity}</Pill>
}

function Facts({ data: { fault, runbook }, visit }: { readonly data: FaultData; readonly visit: PageRequest }): Html {
  const { nowMs } = visit
  const { acknowledgement: ack, muted_until: muted } = fault
  const rows: readonly (readonly [string, Html | string | null])[] = [
    ['Device', <a href={`/device/${fault.device_id}`}>{plain(fault.device)}</a>],
    ['Alert', <a href={`/alerts/${fault.alert_id}`}>{plain(fault.rule)}</a>],
    ['Since', <Time at={fault.began_at} nowMs={nowMs} />],
    ['Ended', fault.ended_at === null ? null : <Time at={fault.ended_at} nowMs={nowMs} />],
    [
      'How',
      fault.ended_at === null
        ? null
        : `${fault.ended_how === 'gone' ? 'the rule no longer applies' : 'recovered'} after ${duration((fault.ended_at.getTime() - fault.began_at.getTime()) / 1000)}`,
    ],
    ['Notified', fault.told_at === null ? 'not yet' : <Time at={fault.told_at} nowMs={nowMs} />],
    ['Status', doneAbout(fault, nowMs) || null],
    ['Until', ack === null || fault.state !== 2 ? null : untilText(ack.until, ack.untilAt, nowMs)],
    [
      'Muted until',
      muted === null || muted.getTime() <= nowMs ? null : muted.getTime() === UNTIL_CLEAR.getTime() ? (
        'it is over'
      ) : (
        <Time at={muted} nowMs={nowMs} />
      ),
    ],
    [
      'Runbook',
      runbook === null ? null : (
        <a href={runbook} rel="noreferrer">
          {plain(runbook)}
        </a>
      ),
    ],
  ]
  return (
    <Card title="Fault">
      <div class="body">
        <dl class="facts said">
          {rows
            .filter(([, value]) => value !== null)
            .map(([label, value]) => (
              <>
                <dt>{label}</dt>
                <dd dir="auto">{value}</dd>
              </>
            ))}
        </dl>
      </div>
    </Card>
  )
}

function untilText(until: 'clear' | 'worse' | 'time', at: Date | null, nowMs: number): Html | string {
  if (until === 'worse') return 'it gets worse'
  return until === 'time' && at !== null ? <Time at={at} nowMs={nowMs} clock /> : 'it is over'
}

function Values({ facts, fault }: { readonly facts: readonly RowFact[]; readonly fault: Fault }): Html | null {
  if (facts.length === 0) return null
  return (
    <Card title={fault.state === 0 ? 'Values when it began' : 'Values now'}>
      <div class="body">
        <RowFacts facts={facts} />
      </div>
    </Card>
  )
}

const WHAT: Readonly<Record<HistoryEntry['what'], string>> = {
  began: 'began',
  told: 'notified',
  acknowledged: 'acknowledged',
  'acknowledgement ended': 'no longer acknowledged',
  unacknowledged: 'made active again',
  assigned: 'assigned',
  muted: 'muted',
  unmuted: 'no longer muted',
  note: 'note',
  ended: 'ended',
  'recovery told': 'recovery notified',
}

const TONES: Readonly<Partial<Record<HistoryEntry['what'], Tone>>> = {
  began: 'bad',
  acknowledged: 'ack',
  ended: 'ok',
}

function History({ rows, nowMs }: { readonly rows: readonly HistoryEntry[]; readonly nowMs: number }): Html {
  return (
    <Card title="History">
      <ul class="past-list whole">
        {rows.map(({ at, what, by, note }) => (
          <li>
            <Time at={at} nowMs={nowMs} bare />
            <Mark tone={TONES[what] ?? 'off'} label={null} />
            <div dir="auto">
              {WHAT[what]}
              {by === null ? '' : ` by ${plain(whoWords(by))}`}
              {note === '' ? null : <span class="l2 note-text">{plain(note)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Acts({ data: { fault, users }, visit }: { readonly data: FaultData; readonly visit: PageRequest }): Html {
  const muted = fault.muted_until !== null && fault.muted_until.getTime() > visit.nowMs
  const me = { id: visit.actor.userId ?? 0, name: `${visit.actor.username} (you)` }
  const others = (users ?? []).filter(({ id }) => id !== me.id)
  const assigned = fault.assigned_to
  const known = [me, ...others].some(({ id }) => id === assigned?.user_id) || assigned === null
  const choices = [me, ...others, ...(known ? [] : [{ id: assigned.user_id, name: assigned.username }])]
  const isOpen = fault.state !== 0
  return (
    <>
      {isOpen ? (
        <Card title={fault.state === 2 ? 'Acknowledged' : 'Acknowledge'}>
          <Form visit={visit} name={fault.state === 2 ? 'unacknowledge' : 'acknowledge'}>
            <Field id="ack-note" name="note" label="Note" maxLength={10_000} rows={2} />
            {fault.state === 2 ? null : <UntilField id="ack-until" worse />}
            <Button first>{fault.state === 2 ? 'Make active again' : 'Acknowledge'}</Button>
          </Form>
        </Card>
      ) : null}
      {isOpen ? (
        <Card title="Assign">
          <Form visit={visit} name="assign">
            <Choice
              id="user"
              label="To"
              value={String(assigned?.user_id ?? '')}
              options={[
                { value: '', label: 'nobody' },
                ...choices.map(({ id, name }) => ({ value: String(id), label: plain(name) })),
              ]}
            />
            <Button>Assign</Button>
          </Form>
        </Card>
      ) : null}
      {isOpen ? (
        <Card title={muted ? 'Muted' : 'Mute'}>
          <Form visit={visit} name={muted ? 'unmute' : 'mute'}>
            {muted ? null : <UntilField id="mute-until" worse={false} />}
            <Button>{muted ? 'Unmute' : 'Mute'}</Button>
          </Form>
        </Card>
      ) : null}
      <Card title="Note">
        <Form visit={visit} name="note">
          <Field id="note-text" name="note" label="Text" maxLength={10_000} rows={2} />
          <Button>Add note</Button>
        </Form>
      </Card>
    </>
  )
}
