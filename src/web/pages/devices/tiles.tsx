/** @jsxImportSource #jsx */
import { DeviceMark, deviceName, STATE_WORDS } from '../../components/device-state.tsx'
import { count, placeText, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { Tick } from './bulk.tsx'
import type { Row } from './load.ts'

/** The devices of a list page grouped by location, in list order, each with state and name. */
export function Tiles({ rows, choose }: { readonly rows: readonly Row[]; readonly choose: boolean }): Html {
  const places = [...Map.groupBy(rows, ({ location }) => location ?? '')]
  return (
    <div class="body stack">
      {places.map(([place, members]) => (
        <section class="tiles" aria-label={placeText(place) || 'No location'}>
          <h2 dir="auto">
            {placeText(place) || 'No location'} <span class="sub">{count(members.length)}</span>
          </h2>
          <ul>
            {members.map((row) => (
              <li class={`tile ${row.state}`} data-live={`device:${row.device_id}`}>
                {choose ? <Tick row={row} /> : null}
                <a
                  href={`/device/${row.device_id}`}
                  title={`${plain(deviceName(row))}: ${STATE_WORDS[row.state]}${row.ip === null ? '' : `, ${row.ip}`}`}
                >
                  <DeviceMark state={row.state} />
                  <span class="ell" dir="auto">
                    {plain(deviceName(row))}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
