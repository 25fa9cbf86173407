import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text } from '../../nullable.ts'
import { Device } from '../devices/model.ts'
import { documented, Ok } from '../envelope.ts'
import { Port } from '../ports/model.ts'

const DeviceGroup = t.Object(
  {
    id: whole(),
    name: t.String(),
    desc: Text,
    pattern: Text,
    type: t.Union([t.Literal('static'), t.Literal('dynamic')]),
    rules: t.Union([t.Record(t.String(), t.Unknown()), t.Null()]),
  },
  { title: 'DeviceGroup' },
)
export type DeviceGroup = typeof DeviceGroup.static

const PortGroup = t.Object({ id: whole(), name: t.String(), desc: Text }, { title: 'PortGroup' })

/** A list of one object or the object itself, depending on the dialect. */
const either = <T extends ReturnType<typeof t.Object>>(body: T) => documented(t.Union([t.Array(body), body]))

const Id = t.Union([whole(), t.String()])
const Members = t.Array(Id, { description: 'Device ids' })

export const GroupModel = {
  name: documented(t.Object({ name: t.String({ description: 'Name of the group, or its id if only digits' }) })),
  hostname: documented(t.Object({ hostname: t.String() })),
  full: documented(t.Object({ full: t.Optional(t.String({ description: 'Any value except 0: complete records' })) })),
  list: either(t.Object({ status: Ok, message: t.String(), groups: t.Array(DeviceGroup), count: whole() })),
  members: either(
    t.Object({
      status: Ok,
      message: t.String(),
      devices: t.Union([t.Array(Device), t.Array(t.Object({ device_id: whole() }))]),
      count: whole(),
    }),
  ),
  create: documented(
    t.Object({
      name: t.String(),
      type: t.String({ description: 'static or dynamic' }),
      desc: t.Optional(Text),
      rules: t.Optional(t.String({ description: 'JSON text of a rule group; required if dynamic' })),
      devices: t.Optional(Members),
    }),
  ),
  update: documented(
    t.Partial(t.Object({ name: t.String(), type: t.String(), desc: Text, rules: t.String(), devices: Members })),
  ),
  devices: documented(t.Object({ devices: Members })),
  created: documented(t.Object({ status: Ok, id: whole(), message: t.String() })),
  done: documented(t.Object({ status: Ok, message: t.String() })),
  portGroups: either(t.Object({ status: Ok, message: t.String(), groups: t.Array(PortGroup), count: whole() })),
  ports: documented(
    t.Object({ status: Ok, ports: t.Union([t.Array(Port), t.Array(t.Object({ port_id: whole() }))]), count: whole() }),
  ),
  createPortGroup: documented(t.Object({ name: t.String(), desc: t.Optional(Text) })),
  portGroupId: documented(t.Object({ port_group_id: t.String({ description: 'Numeric id' }) })),
  portIds: documented(t.Object({ port_ids: t.Array(Id) })),
  assigned: documented(t.Intersect([t.Object({ status: Ok }), t.Record(t.String(), t.Union([t.String(), whole()]))])),
  types: documented(
    t.Object({ group: t.String({ description: 'Values of port_descr_type separated by commas; @ matches any text' }) }),
  ),
  graphPorts: documented(t.Object({ id: t.String({ description: 'Port ids separated by commas' }) })),
}
