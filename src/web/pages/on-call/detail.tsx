/** @jsxImportSource #jsx */
import { isAdmin } from '../../../core/base/actor.ts'
import { invalid } from '../../../core/base/errors.ts'
import { instantIn, type OnCallNow, type Shift, type StoredSchedule } from '../../../core/on-call/service.ts'
import { Button, Choice, Confirm, Field, Form, Hidden, ofForm } from '../../components/form.tsx'
import { Card, count, duration, Empty, plain } from '../../components/values.tsx'
import { found, idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { AlertTabs } from '../alerts/parts.tsx'
import { NowText, Who, ZoneTime } from './parts.tsx'
import { layerWords } from './words.ts'

interface ScheduleData {
  readonly row: OnCallNow
  readonly shifts: readonly Shift[]
  readonly days: number
  /** The secret address of the calendar; null: there is none, or it is not for this person. */
  readonly feed: string | null
  readonly mayStandIn: boolean
}

const DAY_MS = 86_400_000
const DAYS = [14, 31, 92] as const

/** A schedule: who is on call when, who stands in, and its calendar. */
export const onCallSchedulePage = page<ScheduleData>({
  path: '/alerts/on-call/:id',
  gate: 'Alert.viewAny',
  async load({ services, actor, params, query, nowMs }) {
    const id = idOf(params['id'])
    const days = DAYS.find((one) => String(one) === query.get('days')) ?? DAYS[0]
    const [[now], shifts, feed] = await Promise.all([
      services.onCall.now(actor, id),
      services.onCall.shifts(actor, id, nowMs, nowMs + days * DAY_MS),
      services.onCall.feed(actor, id),
    ])
    const row = found(now ?? null, 'schedule')
    return { row, shifts, days, feed, mayStandIn: services.onCall.mayStandIn(actor, row.schedule) }
  },
  view: (data, visit) => {
    const { row, mayStandIn } = data
    const { schedule } = row
    return {
      title: plain(schedule.name),
      crumbs: [
        { label: 'Alerts', href: '/alerts' },
        { label: 'On call', href: '/alerts/on-call' },
        { label: plain(schedule.name) },
      ],
      body: (
        <>
          <div class="head">
            <h1 dir="auto">{plain(schedule.name)}</h1>
            {schedule.notes === '' ? null : <p dir="auto">{plain(schedule.notes)}</p>}
            {isAdmin(visit.actor) ? (
              <span class="acts">
                <a class="btn" href={`/alerts/on-call/${schedule.id}/edit`}>
                  Change
                </a>
                <Confirm visit={visit} name="remove" label="Delete" question="Its overrides are deleted too." />
              </span>
            ) : null}
          </div>
          <AlertTabs visit={visit} here="/alerts/on-call" />
          <div class="cols">
            <div class="stack">
              <Card title="Now" sub={plain(schedule.zone)}>
                <ul class="rows">
                  <li>
                    <span class="grow">
                      <Who person={row.person} reachable={row.reachable} />
                      <NowText row={row} />
                    </span>
                  </li>
                </ul>
              </Card>
              <Shifts data={data} />
              <Layers schedule={schedule} />
            </div>
            <div class="stack">
              <Overrides schedule={schedule} mayChange={mayStandIn} visit={visit} />
              {mayStandIn ? <StandIn schedule={schedule} visit={visit} /> : null}
              {mayStandIn ? <Calendar data={data} visit={visit} /> : null}
            </div>
          </div>
        </>
      ),
    }
  },
  actions: {
    async override(visit, form) {
      const { services, actor, params, nowMs } = visit
      const id = idOf(params['id'])
      const schedule = await services.onCall.get(actor, id)
      const times = { fromMs: timeOf(schedule, form.get('from'), nowMs), toMs: timeOf(schedule, form.get('to'), null) }
      const note = (form.get('note') ?? '').trim()
      await refusalsAsFormErrors(() =>
        services.onCall.override(actor, id, { userId: idOf(form.get('person')), ...times, note }),
      )
      return { to: `/alerts/on-call/${id}` }
    },
    async remove_override(visit, form) {
      const id = idOf(visit.params['id'])
      await visit.services.onCall.removeOverride(visit.actor, id, idOf(form.get('override')))
      return { to: `/alerts/on-call/${id}` }
    },
    async feed(visit, form) {
      const id = idOf(visit.params['id'])
      await visit.services.onCall.renewFeed(visit.actor, id, form.get('open') === '1')
      return { to: `/alerts/on-call/${id}` }
    },
    async remove(visit) {
      await visit.services.onCall.remove(visit.actor, idOf(visit.params['id']))
      return { to: '/alerts/on-call' }
    },
  },
})

/** A local time of the schedule, epoch ms; empty: `absent`. Throws `invalid`. */
function timeOf({ zone }: StoredSchedule, text: string | undefined, absent: number | null): number {
  const given = (text ?? '').trim().replace('T', ' ').slice(0, 16)
  const ms = given === '' ? absent : instantIn(zone, given)
  if (ms === null) throw invalid('Enter date and time of the beginning and the end')
  return ms
}

function Shifts({ data: { shifts, days, row } }: { readonly data: ScheduleData }): Html {
  const { zone, layers } = row.schedule
  const gaps = shifts.filter(({ person }) => person === null).length
  return (
    <Card
      title="Next"
      sub={gaps === 0 ? `${days} days` : `${days} days, ${gaps} ${gaps === 1 ? 'gap' : 'gaps'} with nobody on call`}
      right={DAYS.map((one) => (
        <a class="btn s-s" href={`?days=${one}`} aria-current={one === days ? 'true' : null}>
          {one} days
        </a>
      ))}
    >
      <ul class="rows">
        {shifts.map(({ fromMs, toMs, person, layer, override }) => (
          <li>
            <span class="grow">
              <Who person={person} />
              <span class="l2">
                <ZoneTime ms={fromMs} zone={zone} /> to <ZoneTime ms={toMs} zone={zone} /> ·{' '}
                {duration((toMs - fromMs) / 1000)}
              </span>
            </span>
            <span class="sub" dir="auto">
              {override !== null
                ? 'stands in'
                : layer === null || layers.length < 2
                  ? ''
                  : plain(layers[layer]?.name || `layer ${layer + 1}`)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Layers = ({ schedule: { layers } }: { readonly schedule: StoredSchedule }) => (
  <Card title="Layers" sub={layers.length < 2 ? undefined : 'the highest one with somebody on call wins'}>
    {layers.length === 0 ? (
      <Empty title="Nobody has turns" help={['how-to/on-call', 'How turns are planned']} />
    ) : (
      <ul class="rows">
        {layers
          .map((layer, i) => (
            <li>
              <span class="grow" dir="auto">
                <b>{plain(layer.name || `Layer ${i + 1}`)}</b>: {layer.people.map(({ name }) => plain(name)).join(', ')}
                <span class="l2">{layerWords(layer)}</span>
              </span>
            </li>
          ))
          .toReversed()}
      </ul>
    )}
  </Card>
)

function Overrides({
  schedule: { overrides, zone },
  mayChange,
  visit,
}: {
  readonly schedule: StoredSchedule
  readonly mayChange: boolean
  readonly visit: PageRequest
}): Html {
  const coming = overrides.filter(({ toMs }) => toMs > visit.nowMs)
  return (
    <Card title="Overrides" sub={count(coming.length)}>
      {coming.length === 0 ? (
        <Empty title="Nobody stands in" />
      ) : (
        <ul class="rows">
          {coming.map(({ id, person, fromMs, toMs, note, madeBy }) => (
            <li>
              <span class="grow">
                <Who person={person} />
                <span class="l2" dir="auto">
                  <ZoneTime ms={fromMs} zone={zone} /> to <ZoneTime ms={toMs} zone={zone} />
                  {note === '' ? '' : `: ${plain(note)}`}
                  {madeBy === '' ? '' : ` (by ${plain(madeBy)})`}
                </span>
              </span>
              {mayChange ? (
                <Form visit={visit} name="remove_override" line>
                  <Hidden name="override" value={id} />
                  <Button small label={`Delete the override of ${plain(person.name)}`}>
                    Delete
                  </Button>
                </Form>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function StandIn({ schedule, visit }: { readonly schedule: StoredSchedule; readonly visit: PageRequest }): Html {
  const own = ofForm(visit, 'override')
  const people = new Map(schedule.layers.flatMap((layer) => layer.people.map((person) => [person.id, person])))
  return (
    <Card title="Stand in" sub={`times in ${plain(schedule.zone)}`}>
      <Form visit={visit} name="override">
        <Choice
          id="person"
          label="Person"
          visit={own}
          value={String(visit.actor.userId ?? '')}
          options={[...people.values()]
            .filter(({ enabled }) => enabled)
            .map(({ id, name }) => ({ value: String(id), label: plain(name) }))}
        />
        <Field id="from" label="From" type="datetime-local" hint="Empty: now." visit={own} />
        <Field id="to" label="To" type="datetime-local" required visit={own} />
        <Field id="note" label="Note" maxLength={2000} visit={own} />
        <div class="acts">
          <Button first>Put on call</Button>
        </div>
      </Form>
    </Card>
  )
}

function Calendar({ data: { feed }, visit }: { readonly data: ScheduleData; readonly visit: PageRequest }): Html {
  return (
    <Card title="Calendar" sub="iCalendar, for phones and mail programs">
      <div class="form">
        {feed === null ? (
          <p>This schedule has no calendar yet. Anyone who has its address can see who is on call.</p>
        ) : (
          <Field
            id="feed"
            label="Secret address"
            value={feed}
            hint="Anyone who has it can see who is on call, without signing in."
          />
        )}
      </div>
      {isAdmin(visit.actor) ? (
        <div class="acts form">
          {feed === null ? (
            <Form visit={visit} name="feed" line>
              <Hidden name="open" value="1" />
              <Button>Make an address</Button>
            </Form>
          ) : (
            <>
              <Confirm visit={visit} name="feed" label="Renew" question="The old address will stop working.">
                <Hidden name="open" value="1" />
              </Confirm>
              <Confirm visit={visit} name="feed" label="Close" question="Its address will stop working.">
                <Hidden name="open" value="0" />
              </Confirm>
            </>
          )}
        </div>
      ) : null}
    </Card>
  )
}
