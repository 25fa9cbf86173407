/** @jsxImportSource #jsx */
import type { BusyPort } from '../../../core/lists/service.ts'
import { Segments } from '../../components/filters.tsx'
import { Amount, Card, Empty, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'

interface BusyLists {
  readonly talkers: readonly BusyPort[]
  readonly faulty: readonly BusyPort[]
}

/** Ranges of the busiest ports, hours. */
const TOP_RANGES = { '24h': 24, '7d': 168 } as const
export type TopRange = keyof typeof TOP_RANGES
export const MAX_TOP = 5

/** Ports with the most traffic, and with the most errors, over a range. */
export async function busyOver(
  { services: { network }, actor, nowMs }: PageRequest,
  top: TopRange,
): Promise<BusyLists> {
  const seconds = TOP_RANGES[top] * 3600
  const read = async (order: 'busiest' | 'errors'): Promise<readonly BusyPort[]> => {
    const all = { text: '', deviceId: null, groupId: null, location: null, before: null, offset: 0, limit: MAX_TOP }
    const span = { fromMs: nowMs - seconds * 1000, toMs: nowMs }
    const { rows } = await network.topPorts(actor, { ...all, order, span }, top, nowMs)
    return rows.map((row) => ({
      ...row,
      device: row.device ?? '',
      errors: ((row.errors ?? 0) + (row.discards ?? 0)) / seconds,
    }))
  }
  const [talkers, faulty] = await Promise.all([read('busiest'), read('errors')])
  return { talkers, faulty }
}

/** The range that the address asks for; null: the last poll. */
export const topRange = (query: URLSearchParams): TopRange | null => {
  const wanted = query.get('top')
  return wanted === '24h' || wanted === '7d' ? wanted : null
}

/** A few ports with their traffic, now or over a range. */
export function BusyPorts({
  title,
  rows,
  top,
  query,
  faulty,
}: {
  readonly title: string
  readonly rows: readonly BusyPort[]
  /** null: at the last poll. */
  readonly top: TopRange | null
  readonly query: URLSearchParams
  readonly faulty?: boolean
}): Html {
  return (
    <Card
      title={title}
      sub={top === null ? 'at the last poll' : 'mean of the range'}
      right={
        <>
          <Segments
            label="Range"
            name="top"
            current={top}
            query={query}
            choices={[
              { value: null, label: 'Now' },
              { value: '24h', label: '24 h' },
              { value: '7d', label: '7 d' },
            ]}
          />{' '}
          <a
            href={`/ports/top${top === '7d' ? '?from=-7d' : ''}${faulty === true ? `${top === '7d' ? '&' : '?'}by=errors` : ''}`}
          >
            All
          </a>
        </>
      }
    >
      {rows.length === 0 ? (
        <Empty
          title="No traffic has been measured yet"
          help={['how-to/troubleshooting#no-graph-or-a-graph-with-gaps', 'When a graph stays empty']}
        />
      ) : (
        <div class="scroll" tabindex="0" role="region" aria-label={title}>
          <table class="cards">
            <thead>
              <tr>
                <th scope="col">Port</th>
                <th scope="col" class="num">
                  In
                </th>
                <th scope="col" class="num">
                  Out
                </th>
                <th scope="col" class="num">
                  {faulty === true ? 'Errors' : 'Used'}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((port) => (
                <tr data-live={top === null ? `port:${port.port_id}` : null}>
                  <td class="full">
                    <a class="name" href={`/port/${port.port_id}`}>
                      {plain(`${port.device} ${port.ifName ?? ''}`)}
                    </a>
                    <span class="l2" dir="auto">
                      {plain(port.ifAlias ?? '')}
                    </span>
                  </td>
                  <td class="num" data-l="In">
                    <Amount value={port.in_bps} unit="bit/s" />
                  </td>
                  <td class="num" data-l="Out">
                    <Amount value={port.out_bps} unit="bit/s" />
                  </td>
                  <td class="num r" data-l={faulty === true ? 'Errors' : 'Used'}>
                    {faulty === true ? <Amount value={port.errors} unit="/s" /> : usedOf(port)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function usedOf({ in_bps, out_bps, ifSpeed }: BusyPort): string {
  if (ifSpeed === null || ifSpeed <= 0) return '–'
  return `${Math.round((Math.max(in_bps ?? 0, out_bps ?? 0) / ifSpeed) * 100)} %`
}
