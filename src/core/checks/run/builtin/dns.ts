import type { DnsProbe } from '../../probe.ts'
import { levelOf } from '../../range.ts'
import { type CheckResult, resultOf } from '../result.ts'
import { exchange } from './datagram.ts'
import { decodeAnswer, encodeQuery } from './dns-message.ts'
import { answerOf, secondsSince } from './message.ts'

/** Names of response codes (RFC 1035 section 4.1.1, RFC 2136). */
const CODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const

/** Queries the server at the address for records, over UDP. */
export async function checkDns(probe: DnsProbe, address: string, deadlineMs: number): Promise<CheckResult> {
  const began = performance.now()
  const [id = 0] = crypto.getRandomValues(new Uint16Array(1))
  const query = encodeQuery(id, probe.name, probe.record)
  const answer = await exchange(
    { address, port: probe.port },
    () => query,
    (octets) => decodeAnswer(octets, query, probe.record),
    deadlineMs,
  )
  const seconds = secondsSince(began)
  const measured = [{ label: 'time', value: seconds, unit: 's' }]
  const problem = problemOf(probe, answer)
  const status = problem === null ? levelOf(seconds, probe.warning, probe.critical) : 2
  const said = problem ?? `${probe.name} ${probe.record} ${answer.records.slice(0, 10).join(', ')}`
  return resultOf(status, `${answerOf(probe.type, status)}: ${said}, ${seconds.toFixed(3)} s`, measured)
}

function problemOf(probe: DnsProbe, answer: NonNullable<ReturnType<typeof decodeAnswer>>): string | null {
  if (answer.code !== 0) return `${probe.name}: ${CODES[answer.code] ?? `code ${answer.code}`}`
  // a truncated response still shows that the server knows the name
  if (answer.records.length === 0 && !answer.truncated) return `${probe.name} has no ${probe.record} record`
  if (probe.authoritative && !answer.authoritative) return `the server is not authoritative for ${probe.name}`
  const expected = probe.expect.map((text) => text.toLowerCase().replace(/\.$/, ''))
  const found = answer.records.some((record) => expected.includes(record.toLowerCase()))
  if (expected.length > 0 && !found) return `expected ${probe.expect.join(' or ')}, got ${answer.records.join(', ')}`
  return null
}
