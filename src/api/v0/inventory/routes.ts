import { invalid } from '../../../core/base/errors.ts'
import { ENTITY } from '../../../core/records/tables.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { lookUpDevice } from '../lookup.ts'
import { listModel } from '../records/model.ts'

const Entity = listModel(ENTITY, 'PhysicalEntity')

const InventoryModel = {
  params: documented(t.Object({ hostname: t.String() })),
  query: documented(
    t.Object({
      entPhysicalClass: t.Optional(t.String()),
      entPhysicalContainedIn: t.Optional(t.String({ description: 'entPhysicalIndex of the parent' })),
    }),
  ),
  list: documented(t.Object({ status: Ok, message: t.Literal(''), inventory: t.Array(Entity), count: whole() })),
}

type Query = typeof InventoryModel.query.static

/** An entPhysicalIndex; invalid numbers are 0, the parent of the roots. */
function parent(text: string): number {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : 0
}

function filterOf(query: Query): { containedIn?: number; entClass?: string } {
  const { entPhysicalContainedIn: containedIn, entPhysicalClass: entClass } = query
  return {
    ...(containedIn !== undefined && { containedIn: parent(containedIn) }),
    ...(entClass !== undefined && { entClass }),
  }
}

/** Physical entities of a device: one level of the tree, or all. */
export const inventoryRoutes = ({ devices, inventory: service }: Pick<Services, 'devices' | 'inventory'>) =>
  new Elysia({ name: 'v0.inventory', prefix: '/inventory' })
    .use(v0Context)
    .get(
      '/:hostname',
      async ({ actor, params, query }) => {
        const device = await devices.find(actor, params.hostname)
        if (!device) throw invalid('Invalid device provided')
        const inventory = await service.entities(device.device_id, { containedIn: 0, ...filterOf(query) })
        return { status: 'ok' as const, message: '' as const, inventory, count: inventory.length }
      },
      {
        ...operation({
          id: 'get_inventory',
          gate: 'Device.viewAny',
          summary: 'One level of the inventory; without a parent the root level',
        }),
        params: InventoryModel.params,
        query: InventoryModel.query,
        response: { 200: InventoryModel.list, 400: ErrorModel, 403: ErrorModel },
      },
    )
    .get(
      '/:hostname/all',
      async ({ actor, params, query }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const inventory = await service.entities(device_id, filterOf(query))
        return { status: 'ok' as const, message: '' as const, inventory, count: inventory.length }
      },
      {
        ...operation({
          id: 'get_inventory_for_device',
          gate: 'Device.viewAny',
          summary: 'The whole inventory, flattened',
        }),
        params: InventoryModel.params,
        query: InventoryModel.query,
        response: { 200: InventoryModel.list, 403: ErrorModel, 404: ErrorModel },
      },
    )
