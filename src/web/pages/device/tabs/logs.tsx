/** @jsxImportSource #jsx */
import type { EventRow } from '../../../../domain/fleet/service.ts'
import { Mark } from '../../../components/icon.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { DeviceText, Empty, plain, Time } from '../../../components/values.tsx'
import { tab } from '../tab.ts'

const MOST = 300

export const logsTab = tab<readonly EventRow[]>({
  id: 'logs',
  label: 'Logs',
  gate: 'Eventlog.viewAny',
  load: ({ services, actor }, { deviceId }) => services.fleet.events(actor, { deviceId, limit: MOST }),
  view: (rows, { query, nowMs }) => (
    <section class="card">
      {rows.length === 0 ? (
        <Empty title="No events yet" />
      ) : (
        <Table columns={columns(nowMs)} rows={rows} query={query} caption="Events, the latest first" />
      )}
    </section>
  ),
})

const columns = (nowMs: number): readonly Column<EventRow>[] => [
  { id: 'at', label: 'When', class: 'nowrap', cell: ({ at }) => <Time at={at} nowMs={nowMs} clock /> },
  {
    id: 'severity',
    label: 'Severity',
    quiet: true,
    class: 'r',
    cell: ({ severity }) => (
      <Mark
        tone={severity >= 5 ? 'bad' : severity === 4 ? 'warn' : severity === 1 ? 'ok' : 'off'}
        label={`Severity ${severity}`}
      />
    ),
  },
  { id: 'type', label: 'Type', class: 'dim lab', cell: ({ type }) => <DeviceText text={type} /> },
  {
    id: 'message',
    label: 'Message',
    class: 'full',
    cell: ({ message }) => <span dir="auto">{plain(message ?? '')}</span>,
  },
]
