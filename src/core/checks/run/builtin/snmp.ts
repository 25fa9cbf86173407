import { SnmpError } from '@portlight/snmp/errors.ts'
import { openSession } from '@portlight/snmp/session.ts'
import { octetText } from '@portlight/snmp/table.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import type { Transport } from '@portlight/snmp/transport.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { SnmpProbe } from '../../probe.ts'
import { levelOf } from '../../range.ts'
import { type CheckResult, oneLine, resultOf } from '../result.ts'
import { answerOf } from './message.ts'

/** One GET with the device's credentials, or with the community in the parameters. */
export async function checkSnmp(
  probe: SnmpProbe,
  device: SnmpTarget,
  timeoutMs: number,
  transport: Transport,
): Promise<CheckResult> {
  const target: SnmpTarget = {
    ...device,
    ...(probe.port !== null && { port: probe.port }),
    ...(probe.community !== null && { community: probe.community, snmpver: probe.version ?? 'v2c' }),
    ...(probe.version !== null && { snmpver: probe.version }),
    timeout: Math.min(2, timeoutMs / 3000),
    retries: 2,
  }
  try {
    const answer = await openSession(transport, target, { deadlineMs: timeoutMs }).get([probe.oid])
    if (answer.kind === 'error') return failed(probe, `the agent reports ${answer.status}`)
    if (answer.kind !== 'answer') return failed(probe, `no answer: ${answer.kind}`)
    const value = answer.varbinds[0]?.value
    return value === undefined ? failed(probe, 'the answer is empty') : judge(probe, value)
  } catch (error) {
    if (error instanceof SnmpError) return resultOf(3, `${answerOf(probe.type, 3)}: ${error.message}`)
    throw error
  }
}

function failed(probe: SnmpProbe, why: string): CheckResult {
  return resultOf(2, `${answerOf(probe.type, 2)}: ${why}`)
}

function judge(probe: SnmpProbe, value: SnmpValue): CheckResult {
  if (['noSuchObject', 'noSuchInstance', 'endOfMibView'].includes(value.kind)) {
    return resultOf(3, `${answerOf(probe.type, 3)}: the agent has no ${probe.oid}`)
  }
  const text = 'value' in value ? textOf(value.value) : ''
  const number = 'value' in value ? numberOf(value.value, text) : Number.NaN
  const measured = Number.isNaN(number) ? [] : [{ label: probe.label, value: number, unit: probe.unit }]
  const wrong = probe.expect !== null && text !== probe.expect
  const status = wrong ? 2 : levelOf(number, probe.warning, probe.critical)
  const limited = probe.warning !== null || probe.critical !== null
  if (limited && Number.isNaN(number)) {
    return resultOf(3, `${answerOf(probe.type, 3)}: ${text} is not a number`)
  }
  const shown = `${probe.label} ${oneLine(text)}${probe.unit === '' ? '' : ` ${probe.unit}`}`
  return resultOf(status, `${answerOf(probe.type, status)}: ${shown}`, measured)
}

type Raw = number | bigint | string | Uint8Array

function textOf(value: Raw): string {
  return value instanceof Uint8Array ? (octetText(value) ?? '') : String(value)
}

/** Many agents send numbers as text. */
function numberOf(value: Raw, text: string): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  return /^\s*[-+]?\d{1,30}(\.\d{1,30})?\s*$/.test(text) ? Number(text) : Number.NaN
}
