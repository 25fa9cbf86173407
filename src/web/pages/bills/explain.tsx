/** @jsxImportSource #jsx */
import type { BillExplanation } from '../../../core/bills/service.ts'
import { amount, Card, count, duration, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

const at = (text: string) => new Date(text)

/**
 * How a bill was calculated: what decides it, what is unknown, what was rejected, and how much that could change it.
 */
export function Explained({ bill, nowMs }: { readonly bill: BillExplanation; readonly nowMs: number }): Html {
  const isCdr = bill.bill_type === 'cdr'
  return (
    <>
      {isCdr ? <Percentile bill={bill} nowMs={nowMs} /> : null}
      <div class="two">
        <Unknown bill={bill} nowMs={nowMs} />
        <Refused bill={bill} nowMs={nowMs} />
      </div>
    </>
  )
}

function Percentile({ bill, nowMs }: { readonly bill: BillExplanation; readonly nowMs: number }): Html {
  const { rate, buckets, rank, around, direction } = bill.percentile
  return (
    <Card
      title="How the 95th percentile is determined"
      sub={direction === 'agg' ? 'both directions added up' : 'the larger direction counts'}
    >
      <div class="body">
        {buckets === 0 ? (
          <p>Nothing has been counted in this period yet.</p>
        ) : (
          <p>
            {count(rank - 1)} of {count(buckets)} counted five-minute intervals are above <b>{amount(rate, 'bit/s')}</b>
            , the rate of the interval with rank {count(rank)}.
          </p>
        )}
      </div>
      {around.length === 0 ? null : (
        <div class="scroll" tabindex="0" role="region" aria-label="Intervals around the 95th percentile">
          <table>
            <thead>
              <tr>
                <th scope="col" class="num">
                  Rank
                </th>
                <th scope="col">Ends</th>
                <th scope="col" class="num">
                  Rate
                </th>
                <th scope="col" class="num">
                  In
                </th>
                <th scope="col" class="num">
                  Out
                </th>
                <th scope="col" class="num">
                  Unknown
                </th>
              </tr>
            </thead>
            <tbody>
              {around.map((bucket) => (
                <tr class={bucket.rank === rank ? 'decides' : null}>
                  <td class="num">
                    {count(bucket.rank)}
                    {bucket.rank === rank ? <b> 95th</b> : null}
                  </td>
                  <td class="nowrap">
                    <Time at={at(bucket.end)} nowMs={nowMs} clock />
                  </td>
                  <td class="num">{amount(bucket.rate, 'bit/s')}</td>
                  <td class="num">{amount(bucket.in_octets, 'B')}</td>
                  <td class="num">{amount(bucket.out_octets, 'B')}</td>
                  <td class="num">
                    {bucket.unknown_seconds === null || bucket.unknown_seconds === 0
                      ? ''
                      : duration(bucket.unknown_seconds)}
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

function Unknown({ bill, nowMs }: { readonly bill: BillExplanation; readonly nowMs: number }): Html {
  const { unknown, bounds } = bill
  const isCdr = bill.bill_type === 'cdr'
  const text = (used: number) => amount(used, isCdr ? 'bit/s' : 'B')
  return (
    <Card title="What is unknown">
      <dl class="facts body">
        <dt>Unknown port time</dt>
        <dd>{unknown.port_seconds === 0 ? 'none' : duration(unknown.port_seconds)}</dd>
        <dt>Intervals without any port</dt>
        <dd>{count(unknown.buckets)}, left out</dd>
        <dt>Intervals never counted</dt>
        <dd>{count(unknown.not_counted)}</dd>
        <dt>Bill if idle meanwhile</dt>
        <dd>{text(bounds.if_zero.used)}</dd>
        <dt>Bill if at line rate</dt>
        <dd>{bounds.if_line_rate === null ? 'the speed of a port is unknown' : text(bounds.if_line_rate.used)}</dd>
      </dl>
      {unknown.ports.length === 0 ? null : (
        <ul class="rows">
          {unknown.ports.map((port) => (
            <li>
              <span class="grow" dir="auto">
                {portText(port)}
              </span>
              <span class="right">{duration(port.seconds)}</span>
            </li>
          ))}
        </ul>
      )}
      {unknown.ports.length === 0 ? null : (
        <footer>
          Ports since <Time at={at(unknown.ports_from)} nowMs={nowMs} clock />
        </footer>
      )}
    </Card>
  )
}

function Refused({ bill: { refused }, nowMs }: { readonly bill: BillExplanation; readonly nowMs: number }): Html {
  return (
    <Card title="What was rejected" sub={refused.count}>
      {refused.count === 0 ? (
        <div class="body">
          <p>No counter went backwards or exceeded the speed of its port.</p>
        </div>
      ) : (
        <ul class="rows">
          {refused.pairs.map((pair) => (
            <li>
              <span class="grow">
                <span dir="auto">{portText(pair)}</span>
                <span class="l2">
                  {plain(pair.reason)} · <Time at={at(pair.from)} nowMs={nowMs} clock />
                </span>
              </span>
              <span class="right">{duration((at(pair.to).getTime() - at(pair.from).getTime()) / 1000)}</span>
            </li>
          ))}
        </ul>
      )}
      {refused.pairs.length < refused.count ? (
        <footer>{count(refused.count - refused.pairs.length)} more</footer>
      ) : null}
    </Card>
  )
}

const portText = (port: {
  readonly port_id: number
  readonly hostname: string | null
  readonly ifName: string | null
}) => (port.hostname === null ? `port ${port.port_id} (no access)` : plain(`${port.hostname} ${port.ifName ?? ''}`))
