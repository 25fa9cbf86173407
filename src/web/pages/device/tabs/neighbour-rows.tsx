/** @jsxImportSource #jsx */
import type { NeighbourRow } from '../../../../core/lists/service.ts'
import { Icon } from '../../../components/icon.tsx'
import { Empty, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'

/** A short list of neighbours. */
export function Neighbours({ rows }: { readonly rows: readonly NeighbourRow[] }): Html {
  if (rows.length === 0) return <Empty title="No neighbours have been seen" />
  return (
    <ul class="rows">
      {rows.map(({ port_id, ifName, remote_hostname, remote_port, remote_device_id, remote_port_id, protocol }) => (
        <li>
          <Icon name="server" />
          <span class="grow">
            {port_id === null ? null : <a href={`/port/${port_id}`}>{plain(ifName ?? '')}</a>} →{' '}
            {remote_device_id === null ? (
              <span dir="auto">{plain(remote_hostname)}</span>
            ) : (
              <a href={`/device/${remote_device_id}`}>{plain(remote_hostname)}</a>
            )}{' '}
            {remote_port_id === null ? (
              plain(remote_port)
            ) : (
              <a href={`/port/${remote_port_id}`}>{plain(remote_port)}</a>
            )}
          </span>
          <span class="sub">{plain(protocol ?? '').toUpperCase()}</span>
        </li>
      ))}
    </ul>
  )
}
