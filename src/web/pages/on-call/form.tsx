/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import {
  type LayerDraft,
  type Person,
  type ScheduleDraft,
  type StoredLayer,
  type StoredSchedule,
  timeOfDay,
  UNITS,
} from '../../../core/on-call/service.ts'
import { Button, Choice, Field, Form } from '../../components/form.tsx'
import { Card, plain } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, type PageView, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { AlertTabs } from '../alerts/parts.tsx'

interface FormView {
  /** null: a new one. */
  readonly schedule: StoredSchedule | null
  readonly people: readonly Person[]
}

/** Layers that a form has fields for, at least one empty one among them. */
const MAX_FIELDS = 10
/** Usernames named beside the field. */
const NAMED = 30

/** The form of a new schedule. */
export const newOnCallPage = page<FormView>({
  path: '/alerts/on-call/new',
  gate: 'admin',
  load: async ({ services, actor }) => ({ schedule: null, people: await usersOf(services, actor) }),
  view: (data, visit) => view(data, visit),
  actions: {
    async save(visit, form) {
      const { services, actor } = visit
      const draft = draftOf(form, await usersOf(services, actor))
      const id = await refusalsAsFormErrors(() => services.onCall.add(actor, draft))
      return { to: `/alerts/on-call/${id}` }
    },
  },
})

/** The form that changes a schedule. */
export const editOnCallPage = page<FormView>({
  path: '/alerts/on-call/:id/edit',
  gate: 'admin',
  load: async ({ services, actor, params }) => ({
    schedule: await services.onCall.get(actor, idOf(params['id'])),
    people: await usersOf(services, actor),
  }),
  view: (data, visit) => view(data, visit),
  actions: {
    async save(visit, form) {
      const { services, actor } = visit
      const id = idOf(visit.params['id'])
      const draft = draftOf(form, await usersOf(services, actor))
      await refusalsAsFormErrors(() => services.onCall.change(actor, id, draft))
      return { to: `/alerts/on-call/${id}` }
    },
  },
})

const usersOf = async ({ onCall }: PageRequest['services'], actor: PageRequest['actor']) =>
  (await onCall.people(actor)).map(({ person }) => person)

function view({ schedule, people }: FormView, visit: PageRequest): PageView {
  const name = schedule === null ? 'New schedule' : plain(schedule.name)
  const layers = schedule?.layers ?? []
  const shown = Math.min(MAX_FIELDS, layers.length + 1)
  const usernames = people.filter(({ enabled }) => enabled).map(({ username }) => plain(username))
  return {
    title: name,
    crumbs: [
      { label: 'Alerts', href: '/alerts' },
      { label: 'On call', href: '/alerts/on-call' },
      ...(schedule === null ? [] : [{ label: name, href: `/alerts/on-call/${schedule.id}` }]),
      { label: schedule === null ? 'New' : 'Change' },
    ],
    body: (
      <>
        <div class="head">
          <h1 dir="auto">{schedule === null ? name : `Change ${name}`}</h1>
        </div>
        <AlertTabs visit={visit} here="/alerts/on-call" />
        <Card title="Schedule">
          <Form visit={visit} name="save">
            <Field id="name" label="Name" value={schedule?.name ?? ''} maxLength={100} required visit={visit} />
            <Field
              id="zone"
              label="Time zone"
              value={schedule?.zone ?? pageZone()}
              hint="For hand-overs and hours: 08:00 stays 08:00 when daylight saving time begins or ends."
              required
              visit={visit}
            />
            <Field id="notes" label="Notes" value={schedule?.notes ?? ''} rows={2} maxLength={2000} visit={visit} />
            <p class="sub">
              Where layers overlap, the highest one with somebody on call wins. A layer without people is left out.
              {usernames.length > 0 ? ` Usernames: ${usernames.slice(0, NAMED).join(', ')}` : ''}
              {usernames.length > NAMED ? ` and ${usernames.length - NAMED} more` : ''}
            </p>
            {Array.from({ length: shown }, (_, i) => (
              <LayerFields layer={layers[i] ?? null} number={i + 1} visit={visit} />
            ))}
            <div class="acts">
              <Button first>{schedule === null ? 'Add schedule' : 'Save'}</Button>
              <a class="btn" href={schedule === null ? '/alerts/on-call' : `/alerts/on-call/${schedule.id}`}>
                Cancel
              </a>
            </div>
          </Form>
        </Card>
      </>
    ),
  }
}

function LayerFields({
  layer,
  number,
  visit,
}: {
  readonly layer: StoredLayer | null
  readonly number: number
  readonly visit: PageRequest
}): Html {
  const id = (name: string) => `l${number}_${name}`
  const today = new Date(visit.nowMs).toISOString().slice(0, 10)
  const local = (text: string | null | undefined) => (text ?? '').replace(' ', 'T')
  return (
    <fieldset class="stack">
      <legend>{layer === null ? `Layer ${number} (new)` : `Layer ${number}`}</legend>
      <Field id={id('name')} label="Name" value={layer?.name ?? ''} maxLength={100} visit={visit} />
      <Field
        id={id('people')}
        label="Usernames in the order of their turns, one per line"
        value={layer?.people.map(({ username }) => plain(username)).join('\n') ?? ''}
        rows={3}
        visit={visit}
      />
      <div class="line">
        <Field
          id={id('length')}
          label="Length of a turn"
          type="number"
          min={1}
          value={String(layer?.length ?? 1)}
          visit={visit}
        />
        <Choice
          id={id('unit')}
          label="Unit"
          value={layer?.unit ?? 'week'}
          options={UNITS.map((unit) => ({ value: unit, label: `${unit}s` }))}
          visit={visit}
        />
      </div>
      <Field
        id={id('begins')}
        label="First hand-over"
        type="datetime-local"
        value={local(layer?.begins ?? `${today} 08:00`)}
        visit={visit}
      />
      <Field
        id={id('ends')}
        label="Ends"
        type="datetime-local"
        value={local(layer?.ends)}
        hint="Empty: never."
        visit={visit}
      />

      <div class="line">
        <Field
          id={id('days')}
          label="Weekdays"
          value={layer?.days?.join() ?? ''}
          placeholder="1,2,3,4,5"
          hint="1 is Monday. Empty: every day."
          visit={visit}
        />
        <Field id={id('from')} label="From" value={timeOfDay(layer?.fromMinute ?? 0)} visit={visit} />
        <Field
          id={id('to')}
          label="To"
          value={timeOfDay(layer?.toMinute ?? 0)}
          hint="Same as From: the whole day."
          visit={visit}
        />
      </div>
    </fieldset>
  )
}

/** The schedule that a form describes. Throws `invalid`. */
function draftOf(form: FormData, people: readonly Person[]): ScheduleDraft {
  const layers = Array.from({ length: MAX_FIELDS }, (_, i) => layerOf(form, i + 1, people))
  return {
    name: form.get('name') ?? '',
    zone: (form.get('zone') ?? '').trim(),
    notes: (form.get('notes') ?? '').trim(),
    layers: layers.filter((layer) => layer !== null),
  }
}

function layerOf(form: FormData, number: number, people: readonly Person[]): LayerDraft | null {
  const text = (name: string) => (form.get(`l${number}_${name}`) ?? '').trim()
  const usernames = text('people')
    .split(/[\r\n,]+/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (usernames.length === 0) return null
  const local = (name: string) => text(name).replace('T', ' ').slice(0, 16)
  const days = text('days')
  return {
    name: text('name'),
    unit: text('unit'),
    length: Number(text('length')),
    begins: local('begins'),
    ends: local('ends') || null,
    days: days === '' ? null : days.split(',').map(Number),
    from: text('from') || '00:00',
    to: text('to') || '00:00',
    people: usernames.map((name) => userNamed(people, name).id),
  }
}

function userNamed(people: readonly Person[], name: string): Person {
  const same = people.filter(({ username }) => username.toLowerCase() === name.toLowerCase())
  const [user] = same
  if (user === undefined) throw invalid(`There is no user ${name.slice(0, 100)}`)
  if (same.length > 1) throw invalid(`Several users are called ${name.slice(0, 100)}: use the API, which takes ids`)
  return user
}
