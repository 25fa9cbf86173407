/** @jsxImportSource #jsx */
import type { OfferedType, ServiceDetail } from '../../../core/checks/check-list.ts'
import { ChartCard, type ChartSpec } from '../../components/chart.tsx'
import { Button, Confirm, Form } from '../../components/form.tsx'
import { MEDIUM } from '../../components/graph-specs.ts'
import { Pill } from '../../components/icon.tsx'
import { type PageRange, RangeBar, rangeOf } from '../../components/range.tsx'
import { Card, DeviceText, Empty, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { can, refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { columnsOf, Options, ServiceForm } from './form.tsx'
import { STATE_WORDS } from './labels.ts'
import { Checked, everyWords } from './list.tsx'

interface ServiceData {
  readonly service: ServiceDetail
  /** Empty for users who may not change the service. */
  readonly offered: readonly OfferedType[]
  readonly range: PageRange
  readonly intervalS: number
}

/** Maximum number of charts; a plugin may print up to 64 values. */
const MAX_CHARTS = 12

/** A service: its last output, its charts and its parameters. */
export const servicePage = page<ServiceData>({
  path: '/services/:id',
  gate: 'Service.viewAny',
  scripts: ['chart.js'],
  async load(visit) {
    const { services, actor, params } = visit
    const service = await services.hostServices.detail(actor, params['id'] ?? '')
    const offered = can(visit, 'Service.update') ? await services.hostServices.offered() : []
    const range = rangeOf(visit.query, visit.nowMs, await services.fleet.addedAt(service.device_id))
    return { service, offered, range, intervalS: services.config.get('services.interval') }
  },
  view,
  actions: {
    async check(visit) {
      requireGate(visit, 'Service.update')
      const isDone = await refusalsAsFormErrors(() =>
        visit.services.hostServices.checkNow(visit.actor, visit.params['id'] ?? ''),
      )
      return {
        notice: isDone
          ? { tone: 'ok', text: 'The service has been checked.' }
          : { tone: 'warn', text: 'The check was requested, but there is no result yet. Reload this page.' },
      }
    },
    async save(visit, form) {
      requireGate(visit, 'Service.update')
      const { services, actor, params } = visit
      const before = await services.hostServices.detail(actor, params['id'] ?? '')
      const known: Readonly<Record<string, unknown>> = {
        service_type: before.type,
        service_name: before.service_name ?? '',
        service_desc: before.desc ?? '',
        service_ip: before.ip ?? '',
        service_param: before.param ?? '',
        service_ignore: before.ignored ? 1 : 0,
        service_disabled: before.is_disabled ? 1 : 0,
      }
      const other = Object.fromEntries(Object.entries(columnsOf(form)).filter(([name, value]) => known[name] !== value))
      if (Object.keys(other).length === 0) return { notice: { tone: 'ok', text: 'Nothing was changed.' } }
      await refusalsAsFormErrors(() => services.hostServices.update(actor, String(before.service_id), other))
      return { notice: { tone: 'ok', text: 'Saved. The service is being checked again.' } }
    },
    async delete(visit) {
      requireGate(visit, 'Service.delete')
      const { service_id } = await visit.services.hostServices.detail(visit.actor, visit.params['id'] ?? '')
      await refusalsAsFormErrors(() => visit.services.hostServices.delete(visit.actor, String(service_id)))
      return { to: '/services' }
    },
  },
})

function view({ service, offered, range, intervalS }: ServiceData, visit: PageRequest): PageView {
  const name = plain(service.name ?? service.type)
  const [tone, word] = STATE_WORDS[service.state]
  const mayChange = can(visit, 'Service.update')
  const device = (
    <a href={`/device/${service.device_id}`} dir="auto">
      {plain(service.device)}
    </a>
  )
  return {
    title: `${name} on ${plain(service.device)}`,
    crumbs: [{ label: 'Services', href: '/services' }, { label: name }],
    body: (
      <>
        <div class="title">
          <h1 dir="auto">{name}</h1>
          <Pill tone={tone}>{word}</Pill>
          <div class="acts">
            {mayChange && service.state !== 'disabled' ? (
              <Form visit={visit} name="check" line>
                <Button>Check now</Button>
              </Form>
            ) : null}
            {can(visit, 'Service.delete') ? (
              <Confirm
                visit={visit}
                name="delete"
                label="Delete"
                question={`${name} and all its measured values will be deleted. This cannot be undone.`}
              />
            ) : null}
          </div>
        </div>
        <div class="meta">
          <span>
            <b>Device</b>
            {device}
          </span>
          <span>
            <b>Check</b>
            {plain(service.type)}
          </span>
          {service.since === null ? null : (
            <span>
              <b>Since</b>
              <Time at={service.since} nowMs={visit.nowMs} />
            </span>
          )}
          <span>
            <b>Checked</b>
            <Checked row={service} nowMs={visit.nowMs} intervalS={intervalS} />
          </span>
          <span>{everyWords(intervalS)}</span>
        </div>
        <div class="stack">
          <Output service={service} />
          <Charts service={service} range={range} query={visit.query} />
          {mayChange ? (
            <div class="two">
              <Card title="Change">
                <Form visit={visit} name="save">
                  <ServiceForm
                    visit={visit}
                    offered={offered}
                    value={{
                      type: service.type,
                      name: service.service_name ?? '',
                      desc: service.desc ?? '',
                      ip: service.ip ?? '',
                      param: service.param ?? '',
                      ignored: service.ignored,
                      disabled: service.is_disabled,
                    }}
                  />
                  <div class="acts">
                    <Button first>Save</Button>
                  </div>
                </Form>
              </Card>
              <Options offered={offered} open={service.type} />
            </div>
          ) : null}
        </div>
      </>
    ),
  }
}

function Output({ service: { message, attempt, last_message, state } }: { readonly service: ServiceDetail }): Html {
  return (
    <Card title="Last output">
      <div class="body">
        {state === 'held' ? (
          <p class="sub">The device is down, so its services are not checked and keep their state.</p>
        ) : null}
        <p>
          <DeviceText text={message} long />
        </p>
        {attempt > 0 && last_message !== null ? (
          <p class="sub">
            Failed {attempt} {attempt === 1 ? 'time' : 'times'} since; retried before the state changes:{' '}
            <span dir="auto">{plain(last_message)}</span>
          </p>
        ) : null}
      </div>
    </Card>
  )
}

function Charts({
  service,
  range,
  query,
}: {
  readonly service: ServiceDetail
  readonly range: PageRange
  readonly query: URLSearchParams
}): Html {
  const { datasets } = service
  if (datasets.length === 0) {
    return (
      <Card title="Values">
        <Empty title="No values have been measured yet" help={['how-to/service-checks', 'How services are checked']} />
      </Card>
    )
  }
  return (
    <>
      <RangeBar range={range} query={query} />
      <div class="two">
        {datasets.slice(0, MAX_CHARTS).map(({ id, ds }) => (
          <ChartCard spec={specOf(service, id, ds)} range={range} />
        ))}
      </div>
      {datasets.length <= MAX_CHARTS ? null : (
        <p class="sub">{datasets.length - MAX_CHARTS} more values are not shown; they are available in the API.</p>
      )}
    </>
  )
}

const specOf = (service: ServiceDetail, id: number, ds: string): ChartSpec => ({
  src: `/graph/service/${service.service_id}/${id}`,
  title: plain(ds),
  height: MEDIUM,
  rows: 1,
  device: service.device_id,
  api: `/api/v0/devices/${encodeURIComponent(service.hostname)}/services/${service.service_id}/graphs/${encodeURIComponent(ds)}`,
})
