/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import {
  type MaintenanceRequest,
  type Occurrence,
  requestOf,
  type ScheduleRecord,
} from '../../../core/maintenance/service.ts'
import { BEHAVIORS } from '../../components/device-state.tsx'
import { Button, Choice, Confirm, Field, Form, Hidden, kept, ofForm } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, duration, Empty, plain, Time } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../permissions.ts'

interface MaintenanceData {
  readonly windows: readonly ScheduleRecord[]
  readonly next: readonly Occurrence[]
  /** The window being changed; null: the form is for a new one. */
  readonly chosen: ScheduleRecord | null
}

const DAYS = 14

/** Maintenance windows: those open now, and those to come. */
export const maintenancePage = page<MaintenanceData>({
  path: '/maintenance',
  // Windows name objects regardless of who may see them.
  gate: 'admin',
  nav: { label: 'Maintenance', icon: 'calendar', group: 'manage', order: 30 },
  async load({ services, nowMs, query, sent }) {
    const { maintenance } = services
    const [windows, next] = await Promise.all([maintenance.list(), maintenance.upcoming(nowMs, DAYS)])
    const id = Number(sent?.get('do') === 'save' ? sent.get('id') : query.get('id'))
    const chosen = windows.find(({ schedule_id }) => schedule_id === id) ?? null
    return { windows: windows.toReversed(), next, chosen }
  },
  view: ({ windows, next, chosen }, visit) => {
    const now = next.filter(({ opens }) => opens.getTime() <= visit.nowMs)
    return {
      title: 'Maintenance',
      crumbs: [{ label: 'Maintenance' }],
      body: (
        <>
          <div class="head">
            <h1>Maintenance</h1>
            <p>
              {now.length === 0
                ? 'No window is open now.'
                : `Open now: ${now.map(({ title }) => plain(title)).join(', ')}`}
            </p>
          </div>
          <div class="cols">
            <div class="stack">
              <Card title="Next" sub={`the next ${DAYS} days, in ${pageZone()}`}>
                {next.length === 0 ? (
                  <Empty title="No windows in this period" />
                ) : (
                  <Calendar next={next} visit={visit} />
                )}
              </Card>
              <Card title="Windows" sub={`${count(windows.length)}, in ${pageZone()} unless another zone is named`}>
                {windows.length === 0 ? (
                  <Empty title="No windows yet" />
                ) : (
                  <Table columns={columns(visit)} rows={windows} query={visit.query} caption="Maintenance windows" />
                )}
              </Card>
            </div>
            <Editor visit={visit} chosen={chosen} />
          </div>
        </>
      ),
    }
  },
  actions: {
    async add(visit, form) {
      const { services, actor } = visit
      requireGate(visit, 'Device.update')
      await services.maintenance.schedule(actor, await targetOf(visit, form), wantedOf(form))
      return { to: '/maintenance' }
    },
    async save(visit, form) {
      requireGate(visit, 'Device.update')
      await refusalsAsFormErrors(() =>
        visit.services.maintenance.change(visit.actor, Number(form.get('id')), wantedOf(form)),
      )
      return { to: '/maintenance' }
    },
    async end(visit, form) {
      await visit.services.maintenance.end(visit.actor, Number(form.get('id')))
      return { to: '/maintenance' }
    },
    async delete(visit, form) {
      await visit.services.maintenance.delete(visit.actor, Number(form.get('id')))
      return { to: '/maintenance' }
    },
  },
})

async function targetOf({ services, actor }: PageRequest, form: FormData) {
  const ref = (form.get('ref') ?? '').trim()
  if (ref === '') throw invalid('Enter the device, group or location')
  const kind = form.get('kind')
  if (kind === 'device_group') {
    const group = await services.deviceGroups.find(actor, ref)
    if (group === null) throw invalid(`There is no device group ${ref}`)
    return { kind: 'device_group' as const, id: group.id, name: group.name }
  }
  if (kind === 'location') {
    const place = await services.locations.find(actor, ref)
    if (place === null) throw invalid(`There is no location ${ref}`)
    return { kind: 'location' as const, id: place.id, name: place.location }
  }
  const device = await services.devices.find(actor, ref)
  if (device === null) throw invalid(`There is no device ${ref}`)
  return { kind: 'device' as const, id: device.device_id, name: device.hostname }
}

function wantedOf(form: FormData): MaintenanceRequest {
  const text = (name: string) => form.get(name)?.trim() || null
  const every = (['daily', 'weekly', 'monthly'] as const).find((one) => one === form.get('every'))
  const until = text('until')
  if (every !== undefined && until === null) throw invalid('Enter the last day of a repeating window')
  return {
    title: text('title'),
    behavior: Number(form.get('behavior')) || null,
    notes: text('notes') ?? '',
    start: text('start')?.replace('T', ' ') ?? null,
    duration: text('duration') ?? '',
    ...(every !== undefined && { repeat: { every, days: text('days'), until: until ?? '', zone: text('zone') } }),
  }
}

/** Occurrences in order of time. */
function Calendar({ next, visit }: { readonly next: readonly Occurrence[]; readonly visit: PageRequest }): Html {
  return (
    <ul class="rows">
      {next.map(({ title, opens, closes }) => {
        const isOpen = opens.getTime() <= visit.nowMs
        return (
          <li>
            <span class="grow" dir="auto">
              {plain(title)}
              <span class="l2">
                <Time at={opens} nowMs={visit.nowMs} clock /> to <Time at={closes} nowMs={visit.nowMs} clock /> ·{' '}
                {duration((closes.getTime() - opens.getTime()) / 1000)}
              </span>
            </span>
            {isOpen ? (
              <Pill tone="ack">Open</Pill>
            ) : (
              <span class="sub">in {duration((opens.getTime() - visit.nowMs) / 1000)}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function repeatWords({ recurring, recurring_day, repeat }: ScheduleRecord): string {
  if (recurring === 0) return 'once'
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  const days = (recurring_day ?? '')
    .split(',')
    .map((day) => names[Number(day) - 1] ?? '')
    .filter((day) => day !== '')
  return `${repeat ?? 'daily'}${days.length === 0 ? '' : ` on ${days.join(', ')}`}`
}

/** The beginning, in the zone in which it was entered. */
const Start = ({ row, nowMs }: { readonly row: ScheduleRecord; readonly nowMs: number }) =>
  row.zone === null || row.zone === pageZone() ? (
    <Time at={row.start} nowMs={nowMs} clock />
  ) : (
    <span>
      {requestOf(row).start} <span class="sub">{plain(row.zone)}</span>
    </span>
  )

const columns = (visit: PageRequest): readonly Column<ScheduleRecord>[] => [
  {
    id: 'title',
    label: 'Window',
    cell: ({ title, target }) => (
      <>
        <span class="name" dir="auto">
          {plain(title)}
        </span>
        <span class="l2" dir="auto">
          {plain(target)}
        </span>
      </>
    ),
  },
  { id: 'repeat', label: 'Repeats', class: 'lab w3', cell: (row) => repeatWords(row) },
  { id: 'start', label: 'From', class: 'lab', cell: (row) => <Start row={row} nowMs={visit.nowMs} /> },
  { id: 'end', label: 'To', class: 'lab', cell: ({ end }) => <Time at={end} nowMs={visit.nowMs} clock /> },
  { id: 'effect', label: 'Effect', class: 'lab w3', cell: ({ behavior }) => BEHAVIORS[behavior] ?? '' },
  {
    id: 'act',
    label: 'Action',
    quiet: true,
    class: 'r',
    cell: ({ schedule_id, title, end }) => (
      <span class="acts nowrap">
        <a class="btn s-s" href={`/maintenance?id=${schedule_id}`} aria-label={`Change ${plain(title)}`}>
          Change
        </a>
        {end.getTime() > visit.nowMs ? (
          <Form visit={visit} name="end" line>
            <Hidden name="id" value={schedule_id} />
            <Button small label={`End ${plain(title)}`}>
              End
            </Button>
          </Form>
        ) : null}
        <Confirm
          visit={visit}
          name="delete"
          label="Delete"
          question="It will no longer be listed as a past window."
          about={plain(title)}
          small
        >
          <Hidden name="id" value={schedule_id} />
        </Confirm>
      </span>
    ),
  },
]

/** The fields of a stored window, or of a new one. */
function valuesOf(chosen: ScheduleRecord | null, query: URLSearchParams): Readonly<Record<string, string>> {
  if (chosen === null) return { kind: 'device', ref: query.get('ref')?.slice(0, 200) ?? '', duration: '2:00' }
  const { repeat, start, ...stored } = requestOf(chosen)
  return {
    title: stored.title ?? '',
    notes: stored.notes,
    start: start.replace(' ', 'T'),
    duration: stored.duration,
    behavior: String(stored.behavior ?? ''),
    every: repeat?.every ?? '',
    days: repeat?.days ?? '',
    until: repeat?.until ?? '',
    zone: repeat?.zone ?? '',
  }
}

function Editor({ visit, chosen }: { readonly visit: PageRequest; readonly chosen: ScheduleRecord | null }): Html {
  const action = chosen === null ? 'add' : 'save'
  const own = ofForm(visit, action)
  const values = valuesOf(chosen, visit.query)
  const old = (name: string) => kept(own, name, values[name] ?? '')
  return (
    <Card
      title={chosen === null ? 'New window' : `Change ${plain(chosen.title)}`}
      sub={chosen === null ? undefined : plain(chosen.target)}
    >
      <Form visit={visit} name={action}>
        {chosen === null ? (
          <div class="line">
            <Choice
              id="kind"
              label="For a"
              value={old('kind')}
              options={[
                { value: 'device', label: 'device' },
                { value: 'device_group', label: 'device group' },
                { value: 'location', label: 'location' },
              ]}
            />
            <Field id="ref" label="Name or id" value={old('ref')} required />
          </div>
        ) : (
          <Hidden name="id" value={chosen.schedule_id} />
        )}
        <Field id="title" label="Title" value={old('title')} placeholder="name of the device, group or location" />
        <Field
          id="start"
          label={`Begins (${pageZone()}, or the zone of a repeated window)`}
          type="datetime-local"
          value={old('start')}
          hint="Empty: now."
        />
        <Field id="duration" label="Duration, hours:minutes" value={old('duration')} required />
        <Choice
          id="behavior"
          label="Effect"
          value={old('behavior')}
          options={[
            { value: '', label: 'as set in the settings' },
            ...Object.entries(BEHAVIORS).map(([value, label]) => ({ value, label })),
          ]}
        />
        <details class="more" open={old('every') !== ''}>
          <summary>Repeat</summary>
          <div class="stack">
            <div class="line">
              <Choice
                id="every"
                label="Every"
                value={old('every')}
                options={[
                  { value: '', label: 'once only' },
                  { value: 'daily', label: 'day' },
                  { value: 'weekly', label: 'week' },
                  { value: 'monthly', label: 'month' },
                ]}
              />
              <Field id="until" label="Last day" type="date" value={old('until')} />
            </div>
            <Field
              id="days"
              label="Weekdays"
              value={old('days')}
              placeholder="1,2,3,4,5"
              hint="1 is Monday, 7 is Sunday."
            />
            <Field
              id="zone"
              label="Time zone of the beginning and the last day"
              value={old('zone')}
              placeholder={pageZone()}
              hint={`Empty: ${pageZone()}.`}
            />
          </div>
        </details>
        <Field id="notes" label="Notes" value={old('notes')} />
        <div class="acts">
          <Button first>{chosen === null ? 'Add window' : 'Save'}</Button>
          {chosen === null ? null : (
            <a class="btn" href="/maintenance">
              Cancel
            </a>
          )}
        </div>
      </Form>
    </Card>
  )
}
