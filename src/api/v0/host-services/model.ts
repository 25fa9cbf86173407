import { SERVICE } from '../../../core/records/tables.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'
import { listModel } from '../records/model.ts'

const Service = listModel(SERVICE, 'Service')

const Text = (description?: string) => t.Optional(t.String(description === undefined ? {} : { description }))
const Nullable = (description?: string) =>
  t.Optional(t.Union([t.String(), t.Null()], description === undefined ? {} : { description }))
const Flag = t.Optional(t.Union([t.Boolean(), t.Number(), t.String()]))

const Count = t.Optional(t.Union([whole(), t.String()]))

/** Columns of a service that can be changed; those left out stay as they are. */
const ServiceChanges = t.Object(
  {
    device_id: t.Optional(t.Union([whole(), t.String()], { description: 'Moves the service to this device' })),
    service_ip: Nullable('Null: the address of the device'),
    service_type: Text('Name of a check: http, ssh, ...'),
    service_desc: Nullable(),
    service_param: Nullable('Arguments of the check'),
    service_name: Nullable(),
    service_ignore: Flag,
    service_disabled: Flag,
    service_status: Count,
    service_changed: Count,
    service_message: Nullable(),
    service_ds: Nullable('JSON: unit of each data set'),
    service_template_id: Count,
  },
  { title: 'ServiceChanges' },
)

export const HostServiceModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  id: documented(t.Object({ service_id: t.String() })),
  filter: documented(
    t.Object({
      state: Text('0 ok, 1 warning, 2 critical; leaves out disabled and ignored services'),
      type: Text('Type, as an SQL LIKE pattern: http%'),
    }),
  ),
  list: documented(
    t.Object({
      status: Ok,
      services: t.Array(t.Array(Service), {
        description: 'Each service in its own list; in dialect librenms, one list with all of them',
      }),
      message: t.Literal(''),
      count: whole(),
    }),
  ),
  create: documented(
    t.Object({
      type: Text('Name of a check: http, ssh, ...'),
      ip: Text('Default: the address of the device'),
      desc: Text(),
      param: Text('Arguments of the check'),
      name: Text(),
      ignore: Flag,
      disable: Flag,
    }),
  ),
  update: documented(ServiceChanges),
  done: documented(t.Object({ status: Ok, message: t.String() })),
  graph: documented(t.Object({ hostname: t.String(), service_id: t.String(), datasource: t.String() })),
}
