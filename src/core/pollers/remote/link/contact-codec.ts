import { detailOf, failureFrom } from '@portlight/snmp/failure.ts'
import type { Contact, PingOutcome, ProbeOutcome } from '../../../base/gateway.ts'
import { isRecord } from './checks.ts'

/** Maximum characters of a text from an agent. */
const MAX_TEXT = 4000
/** Maximum round-trip time, ms. */
const MAX_RTT_MS = 600_000

/** A contact as plain data, with a failure as stored kind and detail, so that either end may know more kinds. */
export function encodeContact({ address, ping, probe }: Contact): unknown {
  if (probe?.kind !== 'failed') return { address, ping, probe }
  return { address, ping, probe: { kind: 'failed', failure: [probe.failure.kind, detailOf(probe.failure)] } }
}

/** Reverses `encodeContact`; null for anything else. */
export function decodeContact(value: unknown): Contact | null {
  if (!isRecord(value) || !isTextOrNull(value['address'])) return null
  const ping = value['ping'] === null ? null : pingOf(value['ping'])
  const probe = value['probe'] === null ? null : probeOf(value['probe'])
  return ping === undefined || probe === undefined ? null : { address: value['address'], ping, probe }
}

function pingOf(value: unknown): PingOutcome | undefined {
  if (!isRecord(value)) return undefined
  const { kind, rttMs } = value
  if (kind === 'silent' || kind === 'unavailable') return { kind }
  return kind === 'answer' && typeof rttMs === 'number' && rttMs >= 0 && rttMs < MAX_RTT_MS
    ? { kind, rttMs }
    : undefined
}

function probeOf(value: unknown): ProbeOutcome | undefined {
  if (!isRecord(value)) return undefined
  const { kind, failure, sysDescr, sysObjectID, sysName, os, snmpEngineID } = value
  if (kind === 'failed') {
    const [what, detail] = Array.isArray(failure) ? (failure as unknown[]) : []
    if (!isText(what) || !isText(detail)) return undefined
    return { kind, failure: failureFrom(what, detail) ?? { kind: 'invalid', message: `${what} ${detail}`.trim() } }
  }
  if (kind !== 'answer' || !isText(os)) return undefined
  if (!isTextOrNull(sysDescr) || !isTextOrNull(sysObjectID)) return undefined
  if (!isTextOrNull(sysName) || !isTextOrNull(snmpEngineID)) return undefined
  return { kind, sysDescr, sysObjectID, sysName, os, snmpEngineID }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value)
}
