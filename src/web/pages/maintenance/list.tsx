/** @jsxImportSource #jsx */
import { type Occurrence, requestOf, type ScheduleRecord } from '../../../core/maintenance/service.ts'
import { BEHAVIORS } from '../../components/device-state.tsx'
import { Button, Confirm, Form, Hidden } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, duration, Empty, plain, Time } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { Editor, targetOf, wantedOf } from './form.tsx'

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
                  <Empty
                    title="No windows in this period"
                    help={['how-to/alerts#maintenance', 'How work is planned']}
                  />
                ) : (
                  <Calendar next={next} visit={visit} />
                )}
              </Card>
              <Card title="Windows" sub={`${count(windows.length)}, in ${pageZone()} unless another zone is named`}>
                {windows.length === 0 ? (
                  <Empty title="No windows yet" help={['how-to/alerts#maintenance', 'How work is planned']} />
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
        visit.services.maintenance.change(visit.actor, idOf(form.get('id')), wantedOf(form)),
      )
      return { to: '/maintenance' }
    },
    async end(visit, form) {
      await visit.services.maintenance.end(visit.actor, idOf(form.get('id')))
      return { to: '/maintenance' }
    },
    async delete(visit, form) {
      await visit.services.maintenance.delete(visit.actor, idOf(form.get('id')))
      return { to: '/maintenance' }
    },
  },
})

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
