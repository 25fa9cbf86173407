import type { ComponentFilter, ComponentRow } from '../../../core/components/service.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { lookUpDevice, rowId } from '../lookup.ts'
import { presentComponents } from '../records/component.ts'
import { refusals } from '../statuses.ts'
import { componentChanges } from './requests.ts'

const Component = t.Object(
  {
    type: t.String(),
    label: t.String(),
    status: whole({ description: '0 ok, 1 warning, 2 critical' }),
    ignore: whole(),
    disabled: whole(),
    error: t.String(),
  },
  { title: 'Component', additionalProperties: t.String({ description: 'Attributes of any name' }) },
)
const Small = t.Optional(t.Union([whole(), t.String(), t.Boolean(), t.Null()]))

/** A component as it is sent to edit_components. */
const ComponentChange = t.Object(
  {
    type: t.Optional(t.String({ description: 'Ignored: the type does not change' })),
    label: t.Optional(t.Union([t.String(), t.Null()])),
    status: Small,
    ignore: Small,
    disabled: Small,
    error: t.Optional(t.Union([t.String(), t.Null()])),
  },
  {
    title: 'ComponentChange',
    additionalProperties: t.Union([t.String(), t.Number(), t.Boolean(), t.Null()], {
      description: 'Attributes of any name; null removes one',
    }),
  },
)

const ComponentsById = t.Record(t.String(), Component)
const Text = t.Optional(t.String())

const ComponentModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  typed: documented(t.Object({ hostname: t.String(), type: t.String() })),
  one: documented(t.Object({ hostname: t.String(), component: t.String() })),
  filter: documented(
    t.Object({ type: Text, id: Text, label: Text, status: Text, disabled: Text, ignore: Text, error: Text }),
  ),
  list: documented(t.Object({ status: Ok, components: ComponentsById, message: t.Literal(''), count: whole() })),
  changes: documented(
    t.Record(t.String(), ComponentChange, {
      description: 'Complete components by id; attributes left out are removed',
    }),
  ),
  changed: documented(t.Object({ status: Ok, message: t.Literal(''), count: whole() })),
  removed: documented(t.Object({ status: Ok, message: t.Literal('') })),
}

/** Components of a device. */
export const componentRoutes = ({ devices, components }: Pick<Services, 'devices' | 'components'>) =>
  new Elysia({ name: 'v0.components', prefix: '/devices/:hostname/components' })
    .use(v0Context)
    .get(
      '',
      async ({ actor, params, query }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        return listed(await components.list(device_id, filterOf(query)))
      },
      {
        ...operation({ id: 'get_components', gate: 'Device.viewAny', summary: 'Components of a device' }),
        params: ComponentModel.hostname,
        query: ComponentModel.filter,
        response: { 200: ComponentModel.list, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .post(
      '/:type',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        return listed([await components.add(actor, device_id, params.type)])
      },
      {
        ...operation({ id: 'add_components', gate: 'Component.create', summary: 'Adds an empty component' }),
        params: ComponentModel.typed,
        response: { 200: ComponentModel.list, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .put(
      '',
      async ({ actor, params, body }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const changes = componentChanges(body)
        await components.update(actor, device_id, changes)
        return { status: 'ok' as const, message: '' as const, count: changes.length }
      },
      {
        ...operation({ id: 'edit_components', gate: 'Component.update', summary: 'Changes components' }),
        params: ComponentModel.hostname,
        body: ComponentModel.changes,
        response: { 200: ComponentModel.changed, ...refusals('unusable', 'forbidden', 'not_found') },
      },
    )
    .delete(
      '/:component',
      async ({ actor, params }) => {
        // the device must be granted to the user, even if the component is on another one
        await devices.find(actor, params.hostname)
        const id = rowId(params.component)
        await components.delete(actor, id === -1 ? null : id)
        return { status: 'ok' as const, message: '' as const }
      },
      {
        ...operation({ id: 'delete_components', gate: 'Component.delete', summary: 'Removes a component' }),
        params: ComponentModel.one,
        response: { 200: ComponentModel.removed, ...refusals('forbidden', 'absent') },
      },
    )

/** Serves get_components and add_components: an object by id. */
function listed(rows: readonly ComponentRow[]) {
  return { status: 'ok' as const, components: presentComponents(rows), message: '' as const, count: rows.length }
}

function filterOf(query: Readonly<Record<string, string | undefined>>): ComponentFilter {
  const { type, id, label, status, disabled, ignore, error } = query
  const number = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) <= 32_767 ? Number(text) : -1)
  return {
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id: rowId(id) }),
    ...(label !== undefined && { label }),
    ...(status !== undefined && { status: number(status) }),
    ...(disabled !== undefined && { disabled: number(disabled) }),
    ...(ignore !== undefined && { ignore: number(ignore) }),
    ...(error !== undefined && { error }),
  }
}
