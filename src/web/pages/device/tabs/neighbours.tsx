/** @jsxImportSource #jsx */
import type { NeighbourRow } from '../../../../core/lists/service.ts'
import { Card } from '../../../components/values.tsx'
import { tab } from '../tab.ts'
import { Neighbours } from './neighbour-rows.tsx'

export const neighboursTab = tab<readonly NeighbourRow[]>({
  id: 'neighbours',
  label: 'Neighbours',
  gate: 'Link.viewAny',
  count: ({ neighbours }) => neighbours,
  load: ({ services, actor }, { deviceId }) => services.fleet.neighbours(actor, { deviceId }),
  view: (rows) => (
    <Card title="Neighbours" sub="as reported by discovery protocols">
      <Neighbours rows={rows} />
    </Card>
  ),
})
