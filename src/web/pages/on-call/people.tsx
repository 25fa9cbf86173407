/** @jsxImportSource #jsx */
import type { RuleTransport } from '../../../core/alerts/transports/admin.ts'
import { isAdmin } from '../../../core/base/actor.ts'
import {
  type ContactMethod,
  type ContactMethodDraft,
  LETS,
  MAX_QUIET,
  type Person,
  type QuietHours,
  quietDays,
  timeOfDay,
} from '../../../core/on-call/service.ts'
import { Button, Check, Choice, Field, Form, type Option } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { Card, count, Empty, plain } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, type PageView, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { AlertTabs } from '../alerts/parts.tsx'

interface Reached {
  readonly person: Person
  readonly methods: readonly ContactMethod[]
}

/** Users, and by which transports they are reached. */
export const onCallPeoplePage = page<readonly Reached[]>({
  path: '/alerts/on-call/people',
  gate: 'admin',
  load: ({ services, actor }) => services.onCall.people(actor),
  view: (people, visit) => ({
    title: 'People on call',
    crumbs: [{ label: 'Alerts', href: '/alerts' }, { label: 'On call', href: '/alerts/on-call' }, { label: 'People' }],
    body: (
      <>
        <div class="head">
          <h1>How people are reached</h1>
        </div>
        <AlertTabs visit={visit} here="/alerts/on-call" />
        <Card title="Users" sub={count(people.length)}>
          <ul class="rows">
            {people.map(({ person, methods }) => (
              <li>
                <span class="grow" dir="auto">
                  <a class="name" href={`/alerts/on-call/people/${person.id}`}>
                    {plain(person.name)}
                  </a>
                  <span class="l2">
                    {methods.length === 0
                      ? 'no transport'
                      : methods.map(({ transport }) => plain(transport)).join(', ')}
                  </span>
                </span>
                {person.enabled ? null : <Pill tone="off">Disabled</Pill>}
              </li>
            ))}
          </ul>
        </Card>
      </>
    ),
  }),
})

interface ReachData extends Reached {
  /** Transports that may be added; none for a user. */
  readonly others: readonly RuleTransport[]
}

/** How a user is reached, for administrators. */
export const onCallPersonPage = page<ReachData>({
  path: '/alerts/on-call/people/:id',
  gate: 'admin',
  load: (visit) => reachOf(visit, idOf(visit.params['id'])),
  view: (data, visit) => view(data, visit),
  actions: {
    async save(visit, form) {
      const id = idOf(visit.params['id'])
      await save(visit, form, id)
      return { to: `/alerts/on-call/people/${id}` }
    },
  },
})

/** How users themselves are reached. */
export const onCallMePage = page<ReachData>({
  path: '/alerts/on-call/me',
  gate: 'Alert.viewAny',
  load: (visit) => reachOf(visit, visit.actor.userId ?? 0),
  view: (data, visit) => view(data, visit),
  actions: {
    async save(visit, form) {
      await save(visit, form, visit.actor.userId ?? 0)
      return { to: '/alerts/on-call/me' }
    },
  },
})

async function reachOf({ services, actor }: PageRequest, id: number): Promise<ReachData> {
  const reached = await services.onCall.contactMethods(actor, id)
  const all = isAdmin(actor) ? await services.transportAdmin.ofRule(null) : []
  const has = new Set(reached.methods.map(({ transportId }) => transportId))
  return { ...reached, others: all.filter((one) => one.type === 'single' && !has.has(one.id)) }
}

async function save({ services, actor }: PageRequest, form: FormData, id: number): Promise<void> {
  const { methods } = await services.onCall.contactMethods(actor, id)
  const added = idOf(form.get('add'))
  const drafts = methods.flatMap((method) => draftOf(form, method))
  const more = added === 0 ? [] : [{ transportId: added, attempt: 1, quiet: [] }]
  const zone = (form.get('zone') ?? '').trim()
  await refusalsAsFormErrors(() => services.onCall.setContactMethods(actor, id, zone, [...drafts, ...more]))
}

function view({ person, methods, others }: ReachData, visit: PageRequest): PageView {
  return {
    title: `How ${plain(person.name)} is reached`,
    crumbs: [
      { label: 'Alerts', href: '/alerts' },
      { label: 'On call', href: '/alerts/on-call' },
      ...(isAdmin(visit.actor) ? [{ label: 'People', href: '/alerts/on-call/people' }] : []),
      { label: plain(person.name) },
    ],
    body: (
      <>
        <div class="head">
          <h1 dir="auto">How {plain(person.name)} is reached</h1>
          <p>
            The first notification of a problem uses the transports with the lowest order; each one after that adds
            those with the next order. In quiet hours only problems of the chosen severity and above get through; where
            quiet hours overlap, the strictest count. Hours that end at or before their beginning end on the next day.
          </p>
        </div>
        <AlertTabs visit={visit} here="/alerts/on-call" />
        <Card title="Transports" sub={count(methods.length)}>
          <Form visit={visit} name="save">
            {methods.length === 0 ? (
              <Empty title="No transport yet" help={['how-to/on-call', 'How people are reached']}>
                {isAdmin(visit.actor) ? (
                  <a class="btn" href="/alerts/transports">
                    Transports
                  </a>
                ) : (
                  <p>An administrator can give you one.</p>
                )}
              </Empty>
            ) : null}
            {methods.map((method) => (
              <ContactMethodFields method={method} visit={visit} />
            ))}
            {others.length === 0 ? null : (
              <Choice
                id="add"
                label="Add a transport"
                value=""
                options={[
                  { value: '', label: 'none' },
                  ...others.map(({ id, name }) => ({ value: String(id), label: plain(name) })),
                ]}
              />
            )}
            <Field
              id="zone"
              label="Time zone of quiet hours"
              value={methods[0]?.zone ?? pageZone()}
              required
              visit={visit}
            />
            <div class="acts">
              <Button first>Save</Button>
            </div>
          </Form>
        </Card>
      </>
    ),
  }
}

const LET_WORDS: Readonly<Record<string, string>> = {
  ok: 'everything',
  warning: 'warnings and critical problems',
  critical: 'critical problems',
  nothing: 'nothing',
}
const LET_OPTIONS: readonly Option[] = LETS.map((value) => ({ value, label: LET_WORDS[value] ?? value }))

function ContactMethodFields({ method, visit }: { readonly method: ContactMethod; readonly visit: PageRequest }): Html {
  const { transportId, transport, attempt, quiet } = method
  const id = (name: string) => `t${transportId}_${name}`
  const rows = [...quiet, null].slice(0, MAX_QUIET)
  return (
    <fieldset class="stack">
      <legend dir="auto">{plain(transport)}</legend>
      <div class="line">
        <Field id={id('attempt')} label="Order" type="number" min={1} max={9} value={String(attempt)} visit={visit} />
      </div>
      {rows.map((hours, i) => (
        <QuietFields hours={hours} id={(name) => id(`${name}_${i}`)} visit={visit} />
      ))}
      <Check name={id('remove')} label="Stop using this transport" on={false} />
    </fieldset>
  )
}

/** Fields of quiet hours, empty for more of them (null). */
function QuietFields({
  hours,
  id,
  visit,
}: {
  readonly hours: QuietHours | null
  readonly id: (name: string) => string
  readonly visit: PageRequest
}): Html {
  const time = (minute: number | undefined) => (minute === undefined ? '' : timeOfDay(minute))
  return (
    <div class="line">
      <Field
        id={id('from')}
        label="Quiet from"
        value={time(hours?.fromMinute)}
        placeholder="22:00"
        hint={hours === null ? 'Empty: no more quiet hours.' : 'Empty both to remove them.'}
        visit={visit}
      />
      <Field id={id('to')} label="Quiet until" value={time(hours?.toMinute)} placeholder="07:00" visit={visit} />
      <Field
        id={id('days')}
        label="Beginning on"
        value={hours === null ? '' : quietDays(hours)}
        placeholder="every day"
        hint="1 Monday to 7 Sunday: 1-5"
        visit={visit}
      />
      <Choice
        id={id('lets')}
        label="Let through"
        value={hours?.lets ?? 'critical'}
        options={LET_OPTIONS}
        visit={visit}
      />
    </div>
  )
}

function draftOf(form: FormData, { transportId, quiet: had }: ContactMethod): ContactMethodDraft[] {
  const text = (name: string) => (form.get(`t${transportId}_${name}`) ?? '').trim()
  if (text('remove') === '1') return []
  const quiet = Array.from({ length: MAX_QUIET }, (_, i) => ({
    ...{ from: text(`from_${i}`), to: text(`to_${i}`), days: text(`days_${i}`), lets: text(`lets_${i}`) },
    // emptying both removes hours; weekdays of new ones alone are a mistake
  })).filter(({ from, to, days }, i) => from !== '' || to !== '' || (i >= had.length && days !== ''))
  return [{ transportId, attempt: Number(text('attempt')), quiet }]
}
