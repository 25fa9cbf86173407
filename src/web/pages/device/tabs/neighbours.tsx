/** @jsxImportSource #jsx */
import type { NeighbourRow } from '../../../../core/lists/service.ts'
import { Card } from '../../../components/values.tsx'
import { addLinks } from '../../found/neighbours.ts'
import { tab } from '../tab.ts'
import { type AddLinks, Neighbours } from './neighbour-rows.tsx'

interface NeighboursData {
  readonly rows: readonly NeighbourRow[]
  readonly add: AddLinks
}

export const neighboursTab = tab<NeighboursData>({
  id: 'neighbours',
  label: 'Neighbours',
  gate: 'Link.viewAny',
  count: ({ neighbours }) => neighbours,
  async load(visit, { deviceId }) {
    const rows = await visit.services.fleet.neighbours(visit.actor, { deviceId })
    return { rows, add: await addLinks(visit, deviceId, rows) }
  },
  view: ({ rows, add }) => (
    <Card title="Neighbours" sub="as reported by discovery protocols">
      <Neighbours rows={rows} add={add} />
    </Card>
  ),
})
