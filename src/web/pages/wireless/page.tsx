/** @jsxImportSource #jsx */
import { Icon } from '../../components/icon.tsx'
import { withQuery } from '../../components/table.tsx'
import { page } from '../../page.ts'
import { loadValues, Values, type ValuesData } from '../health/list.tsx'

/** Wireless values of all devices: clients, signal, quality; the worst first. */
export const wirelessPage = page<ValuesData>({
  path: '/wireless',
  gate: 'Sensor.viewAny',
  nav: { label: 'Wireless', icon: 'wifi', group: 'explore', order: 30 },
  load: (visit) => loadValues(visit, 'wireless'),
  view: (data, { query }) => ({
    title: 'Wireless',
    crumbs: [{ label: 'Wireless' }],
    body: (
      <>
        <div class="head">
          <h1>Wireless</h1>
          <div class="acts">
            <a class="btn" href={withQuery(query, { format: 'csv' })} download>
              <Icon name="save" />
              CSV
            </a>
          </div>
        </div>
        <Values data={data} query={query} action="/wireless" empty="No device has wireless values" />
      </>
    ),
  }),
})
