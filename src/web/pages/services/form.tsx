/** @jsxImportSource #jsx */

import { invalid } from '../../../core/base/errors.ts'
import type { OfferedType } from '../../../core/checks/check-list.ts'
import { Button, Check, Choice, Field, Form, same } from '../../components/form.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { checkWords, optionWords } from './labels.ts'

/** The fields of a service's form. */
export interface ServiceFields {
  readonly type: string
  readonly name: string
  readonly desc: string
  readonly ip: string
  readonly param: string
  readonly ignored: boolean
  readonly disabled: boolean
}

/** The fields of a form as columns of the service. */
export const columnsOf = (form: FormData) => ({
  service_type: (form.get('type') ?? '').trim(),
  service_name: (form.get('name') ?? '').trim(),
  service_desc: (form.get('desc') ?? '').trim(),
  service_ip: (form.get('ip') ?? '').trim(),
  service_param: (form.get('param') ?? '').trim(),
  service_ignore: form.has('ignored') ? 1 : 0,
  service_disabled: form.has('disabled') ? 1 : 0,
})

/** Fields of a new or changed service. */
export function ServiceForm({
  visit,
  value,
  offered,
}: {
  readonly visit: PageRequest
  readonly value: ServiceFields
  readonly offered: readonly OfferedType[]
}): Html {
  const known = offered.some(({ type }) => type === value.type)
  const choices = offered.map(({ type, options }) => ({
    value: type,
    label: options === null ? `${type} (program)` : type,
  }))
  return (
    <>
      <div class="line">
        <Choice
          visit={visit}
          id="type"
          label="Check"
          value={value.type}
          options={known || value.type === '' ? choices : [...same([value.type]), ...choices]}
        />
        <Field visit={visit} id="name" label="Name" value={value.name} hint="as shown in Portlight" />
      </div>
      <Field
        visit={visit}
        id="param"
        label="Parameters"
        value={value.param}
        hint="as on a command line, for example -u /health -e 200"
      />
      <div class="line">
        <Field visit={visit} id="ip" label="Address" value={value.ip} hint="empty: the device's address" />
        <Field visit={visit} id="desc" label="Description" value={value.desc} />
      </div>
      <Check visit={visit} name="ignored" label="Ignored: checked, but without alerts" on={value.ignored} />
      <Check visit={visit} name="disabled" label="Disabled: not checked" on={value.disabled} />
    </>
  )
}

/** The available checks, and the options of each built-in check. */
export function Options({ offered, open }: { readonly offered: readonly OfferedType[]; readonly open: string }): Html {
  const programs = offered.filter(({ options }) => options === null).map(({ type }) => type)
  return (
    <section class="card">
      <header>
        <h2>Checks and their options</h2>
      </header>
      <div class="body checks">
        {offered.map(({ type, options, isInstalled }) =>
          options === null ? null : (
            <details open={type === open}>
              <summary>
                <b>{type}</b> <span class="sub">{checkWords(type)}</span>
              </summary>
              <dl class="facts">
                {options.map((option) => (
                  <>
                    <dt class="mono">
                      {option.written.slice(0, 2).join(', ')}
                      {option.hasValue ? ' …' : ''}
                    </dt>
                    <dd>{optionWords(type, option) ?? option.name}</dd>
                  </>
                ))}
              </dl>
              {isInstalled ? <p class="sub">Other options are passed to the installed plugin check_{type}.</p> : null}
            </details>
          ),
        )}
        <p class="sub">
          Ranges: 5 alerts above 5, 10: alerts below 10, and 5:10 alerts outside 5 to 10.{' '}
          {programs.length === 0
            ? 'No other plugins are installed.'
            : `Checked by installed plugins, which only administrators can set up: ${programs.join(', ')}.`}
        </p>
      </div>
    </section>
  )
}

const EMPTY = { type: 'https', name: '', desc: '', ip: '', param: '', ignored: false, disabled: false }

/** Adds a service to a device. */
export const newServicePage = page<readonly OfferedType[]>({
  path: '/services/new',
  gate: 'Service.create',
  load: ({ services }) => services.hostServices.offered(),
  view: (offered, visit) => ({
    title: 'Add a service',
    crumbs: [{ label: 'Services', href: '/services' }, { label: 'Add' }],
    body: (
      <>
        <div class="head">
          <h1>Add a service</h1>
        </div>
        <div class="two">
          <section class="card">
            <header>
              <h2>Service</h2>
            </header>
            <Form visit={visit} name="add">
              <Field
                visit={visit}
                id="device"
                label="Device"
                value={visit.query.get('device') ?? ''}
                hint="name, id or address"
                required
              />
              <ServiceForm visit={visit} value={EMPTY} offered={offered} />
              <div class="acts">
                <Button first>Add</Button>
              </div>
            </Form>
          </section>
          <Options offered={offered} open={visit.sent?.get('type') ?? ''} />
        </div>
      </>
    ),
  }),
  actions: {
    async add(visit, form) {
      requireGate(visit, 'Service.create')
      const { services, actor } = visit
      const name = (form.get('device') ?? '').trim().slice(0, 255)
      const device = name === '' ? null : await services.devices.find(actor, name).catch(() => null)
      if (device === null) throw invalid(`There is no device ${name}, or you have no access to it`)
      const { service_type, service_name, service_desc, service_ip, service_param, ...flags } = columnsOf(form)
      const id = await refusalsAsFormErrors(() =>
        services.hostServices.add(actor, device.device_id, {
          type: service_type,
          ip: service_ip || undefined,
          desc: service_desc || undefined,
          param: service_param || undefined,
          name: service_name || undefined,
          ignore: flags.service_ignore === 1 ? 1 : 0,
          disabled: flags.service_disabled === 1 ? 1 : 0,
        }),
      )
      return { to: `/services/${id}` }
    },
  },
})
