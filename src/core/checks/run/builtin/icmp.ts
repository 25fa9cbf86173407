import type { Pinger } from '@portlight/icmp/echo.ts'
import type { IcmpLimits, IcmpProbe } from '../../probe.ts'
import { type CheckResult, resultOf } from '../result.ts'
import { answerOf } from './message.ts'

/** A round of echo requests. */
export async function checkIcmp(
  probe: IcmpProbe,
  address: string,
  timeoutMs: number,
  pinger: Pinger,
): Promise<CheckResult> {
  const each = Math.max(50, Math.min(1000, timeoutMs / probe.count))
  const result = await pinger.ping(address, { count: probe.count, timeoutMs: each })
  if (result.kind === 'unavailable') return resultOf(3, 'this host cannot send ICMP echo requests')
  const loss = Math.round((100 * (result.sent - result.received)) / Math.max(1, result.sent))
  const rta = result.rttAvgMs
  const over = ({ rtaMs, lossPercent }: IcmpLimits) => loss >= lossPercent || rta === null || rta >= rtaMs
  const [warning, critical] = probe.limits
  const status = over(critical) ? 2 : over(warning) ? 1 : 0
  const words = rta === null ? `lost ${loss}%` : `rta ${rta.toFixed(3)} ms, lost ${loss}%`
  return resultOf(status, `${answerOf(probe.type, status)}: ${words}`, [
    { label: 'rta', value: rta ?? Number.NaN, unit: 'ms' },
    { label: 'pl', value: loss, unit: '%' },
  ])
}
