/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import { type MaintenanceRequest, requestOf, type ScheduleRecord } from '../../../core/maintenance/service.ts'
import { BEHAVIORS } from '../../components/device-state.tsx'
import { Button, Choice, Field, Form, Hidden, kept, ofForm } from '../../components/form.tsx'
import { Card, plain } from '../../components/values.tsx'
import { pageZone } from '../../components/zone.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form as FormData, PageRequest } from '../../page.ts'

/** The fields of a stored window, or of a new one. */
function valuesOf(chosen: ScheduleRecord | null, query: URLSearchParams): Readonly<Record<string, string>> {
  if (chosen === null)
    return {
      kind: query.get('kind')?.slice(0, 20) ?? 'device',
      ref: query.get('ref')?.slice(0, 200) ?? '',
      duration: '2:00',
    }
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

/** The form of a window; `chosen` null: of a new one. */
export function Editor({
  visit,
  chosen,
}: {
  readonly visit: PageRequest
  readonly chosen: ScheduleRecord | null
}): Html {
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
                { value: 'port', label: 'port' },
                { value: 'sensor', label: 'sensor' },
              ]}
            />
            <Field
              id="ref"
              label="Name or id"
              value={old('ref')}
              hint="A port or sensor: its id, or hostname and name, such as sw1.example.net Gi1/0/17."
              required
            />
          </div>
        ) : (
          <Hidden name="id" value={chosen.schedule_id} />
        )}
        <Field id="title" label="Title" value={old('title')} placeholder="name of what it is for" />
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

/** What the form asks for. Throws `invalid`. */
export function wantedOf(form: FormData): MaintenanceRequest {
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

/** What the form names. Throws `invalid`. */
export async function targetOf({ services, actor }: PageRequest, form: FormData) {
  const ref = (form.get('ref') ?? '').trim()
  if (ref === '') throw invalid('Enter what the window is for')
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
  if (kind === 'port' || kind === 'sensor') return await services.maintenance.requirePart(actor, kind, ref)
  const device = await services.devices.find(actor, ref)
  if (device === null) throw invalid(`There is no device ${ref}`)
  return { kind: 'device' as const, id: device.device_id, name: device.hostname }
}
