/** @jsxImportSource #jsx */
import type { NeighbourRow } from '../../../../core/lists/service.ts'
import { Icon, Mark } from '../../../components/icon.tsx'
import { Empty, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'

/** Where to add neighbours that are not monitored, by the id of their link. */
export type AddLinks = ReadonlyMap<number, string>

/** A short list of neighbours; `add`: with a link to add those that are not monitored. */
export function Neighbours({
  rows,
  add = NONE,
}: {
  readonly rows: readonly NeighbourRow[]
  readonly add?: AddLinks
}): Html {
  if (rows.length === 0)
    return <Empty title="No neighbours have been seen" help={['how-to/found-devices', 'How neighbours are found']} />
  return (
    <ul class="rows">
      {rows.map(
        ({
          id,
          port_id,
          ifName,
          remote_hostname,
          remote_port,
          remote_device_id,
          remote_port_id,
          remote_up,
          protocol,
        }) => (
          <li>
            <Icon name="server" />
            <span class="grow">
              {port_id === null ? null : <a href={`/port/${port_id}`}>{plain(ifName ?? '')}</a>}{' '}
              <span class="sub">to</span>{' '}
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
            {remote_up === null ? null : (
              <Mark tone={remote_up ? 'ok' : 'bad'} label={remote_up ? 'answers' : 'does not answer'} />
            )}
            <AddNeighbour href={add.get(id)} name={remote_hostname} />
            <span class="sub">{plain(protocol ?? '').toUpperCase()}</span>
          </li>
        ),
      )}
    </ul>
  )
}

const NONE: AddLinks = new Map()

const AddNeighbour = ({ href, name }: { readonly href: string | undefined; readonly name: string }): Html | null =>
  href === undefined ? null : (
    <a class="btn s-s" href={href} aria-label={`Add ${plain(name)}`}>
      Add
    </a>
  )
