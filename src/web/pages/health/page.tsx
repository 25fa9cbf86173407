/** @jsxImportSource #jsx */
import { Icon } from '../../components/icon.tsx'
import { withQuery } from '../../components/table.tsx'
import { page } from '../../page.ts'
import { loadValues, Values, type ValuesData } from '../health/list.tsx'

/** Sensors, processors, memory and storage of all devices: what is beyond a limit, and what soon will be? */
export const healthPage = page<ValuesData>({
  path: '/health',
  gate: 'Sensor.viewAny',
  nav: { label: 'Health', icon: 'heart', group: 'explore', order: 10 },
  load: (visit) => loadValues(visit, 'health'),
  view: (data, { query }) => ({
    title: 'Health',
    crumbs: [{ label: 'Health' }],
    body: (
      <>
        <div class="head">
          <h1>Health</h1>
          <div class="acts">
            <a class="btn" href={withQuery(query, { format: 'csv' })} download>
              <Icon name="save" />
              CSV
            </a>
          </div>
        </div>
        <Values data={data} query={query} action="/health" empty="No device has sensors yet" />
      </>
    ),
  }),
})
