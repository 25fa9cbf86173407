/** @jsxImportSource #jsx */
import type { EntityRow } from '../../../../core/inventory/service.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { DeviceText, Empty, plain } from '../../../components/values.tsx'
import { tab } from '../tab.ts'

const MAX_DEPTH = 12
const MAX_PARTS = 1000

interface Part {
  readonly depth: number
  readonly entity: EntityRow
}

export const inventoryTab = tab<readonly Part[]>({
  id: 'inventory',
  label: 'Inventory',
  gate: 'Device.viewAny',
  count: ({ inventory }) => inventory,
  load: async ({ services }, { deviceId }) => tree(await services.inventory.entities(deviceId, {})),
  view: (rows, { query }) => (
    <section class="card">
      {rows.length === 0 ? (
        <Empty
          title="The device reports no parts"
          help={['how-to/troubleshooting#it-answers-but-things-are-missing', 'When something is missing']}
        />
      ) : (
        <Table columns={COLUMNS} rows={rows} query={query} caption="Parts of the device" />
      )}
    </section>
  ),
})

/** Entities as a tree in the order given; those not contained in another are at the top level. */
export function tree(entities: readonly EntityRow[]): Part[] {
  const known = new Set(entities.map(({ entPhysicalIndex }) => entPhysicalIndex))
  const below = Map.groupBy(entities, (e) => (known.has(e.entPhysicalContainedIn) ? e.entPhysicalContainedIn : 0))
  const seen = new Set<number>()
  const parts: Part[] = []
  const add = (parent: number, depth: number) => {
    for (const entity of below.get(parent) ?? []) {
      if (seen.has(entity.entPhysicalIndex) || parts.length >= MAX_PARTS) continue
      seen.add(entity.entPhysicalIndex)
      parts.push({ depth, entity })
      if (depth < MAX_DEPTH && entity.entPhysicalIndex !== 0) add(entity.entPhysicalIndex, depth + 1)
    }
  }
  add(0, 0)
  return parts
}

const COLUMNS: readonly Column<Part>[] = [
  {
    id: 'name',
    label: 'Part',
    class: 'full',
    cell: ({ depth, entity }) => (
      <span dir="auto">
        {'\u2003'.repeat(depth)}
        {plain(entity.entPhysicalName || entity.entPhysicalDescr || `entity ${entity.entPhysicalIndex}`)}
      </span>
    ),
  },
  {
    id: 'descr',
    label: 'Description',
    class: 'no lg',
    cell: ({ entity }) => <DeviceText text={entity.entPhysicalDescr} />,
  },
  {
    id: 'class',
    label: 'Class',
    class: 'dim lab',
    cell: ({ entity }) => <DeviceText text={entity.entPhysicalClass} />,
  },
  {
    id: 'model',
    label: 'Model',
    class: 'lab',
    cell: ({ entity }) => <DeviceText text={entity.entPhysicalModelName} />,
  },
  {
    id: 'serial',
    label: 'Serial',
    class: 'lab mono',
    cell: ({ entity }) => <DeviceText text={entity.entPhysicalSerialNum} />,
  },
  {
    id: 'software',
    label: 'Software',
    class: 'no lg',
    cell: ({ entity }) => <DeviceText text={entity.entPhysicalSoftwareRev || entity.entPhysicalFirmwareRev} />,
  },
]
