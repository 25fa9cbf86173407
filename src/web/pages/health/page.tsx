/** @jsxImportSource #jsx */
import { CsvLink } from '../../components/filters.tsx'
import { type NavEntry, type Page, page } from '../../page.ts'
import { healthVerdict, loadValues, Values, type ValuesData } from './list.tsx'

const valuesPage = (of: 'health' | 'wireless', nav: Pick<NavEntry, 'label' | 'icon' | 'order'>, empty: string): Page =>
  page<ValuesData>({
    path: `/${of}`,
    gate: 'Sensor.viewAny',
    scripts: ['chart.js'],
    nav: { ...nav, group: 'explore' },
    load: (visit) => loadValues(visit, of),
    view: (data, { query, nowMs }) => ({
      title: nav.label,
      crumbs: [{ label: nav.label }],
      body: (
        <>
          <div class="head">
            <h1>{nav.label}</h1>
            {healthVerdict(data) === null ? null : <p>{healthVerdict(data)}</p>}
            <div class="acts">
              <CsvLink query={query} />
            </div>
          </div>
          <Values data={data} query={query} nowMs={nowMs} action={`/${of}`} empty={empty} />
        </>
      ),
    }),
  })

/** Sensors, processors, memory and storage of all devices, those beyond or near a limit first. */
export const healthPage = valuesPage(
  'health',
  { label: 'Health', icon: 'heart', order: 10 },
  'No device has sensors yet',
)

/** Wireless sensors of all devices: clients, signal, quality; worst first. */
export const wirelessPage = valuesPage(
  'wireless',
  { label: 'Wireless', icon: 'wifi', order: 30 },
  'No device has wireless values',
)
