/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import type { OfferedType } from '../../../core/checks/check-list.ts'
import { Field, Form } from '../../components/form.tsx'
import { page } from '../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { columnsOf, Options, ServiceForm } from './form.tsx'

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
                <button class="btn first" type="submit">
                  Add
                </button>
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
