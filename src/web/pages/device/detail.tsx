/** @jsxImportSource #jsx */
import { isIP } from 'node:net'
import { isAdmin } from '../../../core/base/actor.ts'
import { notFound } from '../../../core/base/errors.ts'
import type { Permission } from '../../../core/base/permissions.ts'
import type { DeviceMaintenance } from '../../../core/maintenance/service.ts'
import { MaintenancePill } from '../../components/device-state.tsx'
import { Button, Form } from '../../components/form.tsx'
import { Pill, type Tone } from '../../components/icon.tsx'
import { count, duration, placeText, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Page, type PageRequest, type PageView, page, redirect } from '../../page.ts'
import { can, opens } from '../../permissions.ts'
import { instantOf, nameOf } from './facts.ts'
import { Progress } from './progress.tsx'
import type { Subject, Tab } from './tab.ts'
import { pollAction } from './tabs/edit-actions.ts'
import { TABS } from './tabs.ts'
import { UnreachableNote } from './unreachable.tsx'

interface DeviceData {
  readonly subject: Subject
  readonly shown: readonly Tab[]
  readonly content: Html
  /** null: it is not under maintenance. */
  readonly maintenance: DeviceMaintenance | null
}

/** A page for each tab of a device. */
export const devicePages: readonly Page[] = TABS.map((tab) =>
  page<DeviceData>({
    path: tab.id === '' ? '/device/:id' : `/device/:id/${tab.id}`,
    gate: tab.gate,
    ...(tab.also !== undefined && { also: tab.also }),
    ...(tab.charts === true && { scripts: ['chart.js'] as const }),
    load: (visit) => load(visit, tab),
    view: (data, visit) => deviceView(data, visit, tab),
    actions: { poll: pollAction, ...tab.actions },
  }),
)

async function load(visit: PageRequest, tab: Tab): Promise<DeviceData | Response> {
  const { services, actor, params, url } = visit
  const ref = params['id'] ?? ''
  const key = await services.devices.find(actor, ref)
  if (key === null) throw notFound(`Device ${ref} not found`)
  const id = key.device_id
  if (ref !== String(id)) return redirect(`/device/${id}${tab.id === '' ? '' : `/${tab.id}`}${url.search}`, 301)
  const [record, counts, maintained, family] = await Promise.all([
    services.devices.record(actor, key),
    services.fleet.tabCounts(id),
    services.maintenance.of([id], visit.nowMs),
    services.parents.family(actor, id),
  ])
  const subject: Subject = { deviceId: id, record, counts, family }
  const content = await tab.show(visit, subject)
  if (content instanceof Response) return content
  const may = (gate: Permission) => can(visit, gate)
  const shown = TABS.filter(
    (one) => opens(visit, one) && (one === tab || one.count === undefined || one.count(counts, may) > 0),
  )
  return { subject, shown, content, maintenance: maintained.get(id) ?? null }
}

type StateWord = 'Up' | 'Down' | 'Unreachable' | 'Unknown' | 'Disabled'

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? plain(String(value)) : ''

function stateOf({ record, family }: Subject): { readonly tone: Tone; readonly word: StateWord } {
  if (record['disabled'] === 1) return { tone: 'off', word: 'Disabled' }
  if (family.unasked) return { tone: 'off', word: 'Unknown' }
  if (record['status'] === 0 && family.unreachable !== null) return { tone: 'off', word: 'Unreachable' }
  return record['status'] === 1 ? { tone: 'ok', word: 'Up' } : { tone: 'bad', word: 'Down' }
}

function deviceView({ subject, shown, content, maintenance }: DeviceData, visit: PageRequest, tab: Tab): PageView {
  const { record, counts, deviceId } = subject
  const name = nameOf(subject)
  const state = stateOf(subject)
  const uptime = record['uptime']
  const system = [record['os'], record['version']].map(text).filter(Boolean).join(' ')
  const facts: readonly (readonly [string, Html | string])[] = [
    // of a device that was added by its address
    ['sysName', isIP(name) === 0 ? '' : text(record['sysName'])],
    ['Address', text(record['ip'])],
    ['Hardware', text(record['hardware'])],
    ['System', system],
    ['Uptime', state.word === 'Up' && typeof uptime === 'number' ? duration(uptime) : ''],
    ['Location', text(record['location'])],
    [state.word === 'Up' ? 'Polled' : 'Last seen', <Time at={instantOf(record.last_polled)} nowMs={visit.nowMs} />],
  ]
  return {
    title: tab.id === '' ? name : `${tab.label} of ${name}`,
    crumbs: [{ label: 'Devices', href: '/devices' }, { label: name }],
    body: (
      <>
        <div class="title" data-live={`device:${deviceId}`}>
          <h1 dir="auto">{name}</h1>
          <Pill tone={state.tone}>{state.word}</Pill>
          {maintenance === null ? null : <MaintenancePill maintenance={maintenance} nowMs={visit.nowMs} />}
          {can(visit, 'Device.update') && state.word !== 'Disabled' ? (
            <div class="acts">
              <Form visit={visit} name="poll" line>
                <Button>Poll now</Button>
              </Form>
              {isAdmin(visit.actor) ? (
                <a class="btn" href={`/maintenance?ref=${encodeURIComponent(String(record['hostname']))}#title`}>
                  Maintenance…
                </a>
              ) : null}
            </div>
          ) : null}
        </div>
        <div class="meta">
          {facts
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <span>
                <b>{label}</b>
                {label === 'Location' ? (
                  <a href={`/devices?location=${encodeURIComponent(String(value))}`}>{placeText(String(value))}</a>
                ) : (
                  value
                )}
              </span>
            ))}
        </div>
        <nav class="tabs" aria-label={name} tabindex="0">
          {shown.map((one) => (
            <a
              href={`/device/${deviceId}${one.id === '' ? '' : `/${one.id}`}`}
              aria-current={one === tab ? 'page' : null}
            >
              {one.label}
              {one.count === undefined ? null : <small> {count(one.count(counts, (gate) => can(visit, gate)))}</small>}
            </a>
          ))}
        </nav>
        <UnreachableNote family={subject.family} nowMs={visit.nowMs} />
        {(state.word === 'Down' || state.word === 'Unreachable') && record.last_polled !== null ? (
          <div class="note warn" role="status">
            <div class="grow">
              <b>The device does not answer.</b> Values on this page are from{' '}
              <Time at={instantOf(record.last_polled)} nowMs={visit.nowMs} clock />, when it was last polled.
            </div>
          </div>
        ) : null}
        <Progress subject={subject} visit={visit} />
        {content}
      </>
    ),
  }
}
