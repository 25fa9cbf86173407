/** @jsxImportSource #jsx */
import { isAllowed } from '../../../core/base/permissions.ts'
import { CsvLink, Segments } from '../../components/filters.tsx'
import { page } from '../../page.ts'
import type { FoundList } from './columns.tsx'
import { FOUND_LISTS, OPTICS } from './lists.tsx'
import { FindIn, type Listed, listed } from './table.tsx'

interface DiscoveredData {
  readonly shown: Listed
  readonly lists: readonly { readonly kind: string; readonly label: string }[]
}

/** What discovery found on all devices beyond ports and sensors: optics, access points, sessions, tunnels, pools. */
export const discoveredPage = page<DiscoveredData>({
  path: '/discovered',
  gate: 'Device.viewAny',
  nav: { label: 'Discovered', icon: 'layers', group: 'explore', order: 35 },
  async load(visit) {
    const { actor, services, query } = visit
    const lists = FOUND_LISTS.filter(({ gate }) => isAllowed(actor, gate, services.config))
    const [first = OPTICS] = lists
    const wanted = lists.find(({ kind }) => kind === query.get('of')) ?? first
    const shown = await listed(visit, wanted as FoundList<typeof wanted.kind>, null)
    return shown instanceof Response ? shown : { shown, lists }
  },
  view: ({ shown, lists }, { query }) => ({
    title: 'Discovered',
    crumbs: [{ label: 'Discovered' }],
    body: (
      <>
        <div class="head">
          <h1>Discovered</h1>
          <div class="acts">
            <CsvLink query={query} />
          </div>
        </div>
        <div class="filters">
          <Segments
            label="List"
            name="of"
            current={shown.kind}
            query={query}
            choices={lists.map(({ kind, label }) => ({ value: kind, label }))}
          />
          <FindIn query={query} action="/discovered" />
        </div>
        {shown.table}
      </>
    ),
  }),
})
