import { isIP } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { detailOf, failureFrom, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { AcceptedCredentials, HostIdentity } from '../../core/candidates/observed-host.ts'
import type { HostAnswer, JobOptions } from '../protocol.ts'

/** What the centre asks the scanner of a site, until nothing of it is missing. */
export interface SiteScanRequest {
  /** Chosen by the centre, the same for all requests of a job. */
  readonly job: string
  readonly options: JobOptions
  /**
   * All addresses of which the centre has no answer yet. What a job has an answer for and what is not named any more has
   * arrived and is forgotten; what is named again is not asked again. None: the job has ended.
   */
  readonly addresses: readonly string[]
}

/** What is known so far. The numbers are positions in the request's addresses; those that are missing are not known yet. */
export interface SiteScanAnswer {
  readonly answered: readonly (HostAnswer & { readonly at: number })[]
  readonly silent: readonly number[]
  /** Not asked, because they are outside of the own networks. */
  readonly outside: readonly number[]
}

/** Limits of what is accepted: addresses of a request, octets before packing, items of lists, characters of texts. */
export const MAX_ADDRESSES = 2000
const MAX_OCTETS = 4_000_000
const MAX_ITEMS = 10_000
const MAX_TEXT = 4000
/** Octets of an answer before it is packed; it has one host at least. A message of NATS has 1 MB by default. */
const ANSWER_OCTETS = 500_000
const MAX_RATE = 100_000
const MAX_WAIT_MS = 60_000

export function packRequest(request: SiteScanRequest): string {
  return pack(request)
}

/** Null: not a request. */
export function unpackRequest(packed: string): SiteScanRequest | null {
  const value = unpack(packed)
  if (!isRecord(value)) return null
  const { job, addresses } = value
  const options = optionsOf(value['options'])
  if (!isText(job) || job === '' || options === null) return null
  if (!isTexts(addresses) || addresses.length > MAX_ADDRESSES) return null
  return { job, options, addresses }
}

/** Leaves out the last hosts if they are too many for one message; they are for the next answer. */
export function packAnswer({ answered, silent, outside }: SiteScanAnswer): string {
  const hosts: unknown[] = []
  let octets = 0
  for (const { at, pingMs, snmp, failure } of answered) {
    const host = { at, pingMs, snmp, failure: failure === null ? null : [failure.kind, detailOf(failure)] }
    octets += Buffer.byteLength(JSON.stringify(host))
    if (octets > ANSWER_OCTETS && hosts.length > 0) break
    hosts.push(host)
  }
  return pack({ answered: hosts, silent, outside })
}

/** Null: not an answer to a request for this number of addresses. */
export function unpackAnswer(packed: string, addresses: number): SiteScanAnswer | null {
  const value = unpack(packed)
  if (!isRecord(value) || !Array.isArray(value['answered'])) return null
  const isPlace = (at: unknown): at is number => isCount(at) && at < addresses
  const arePlaces = (list: unknown): list is number[] => Array.isArray(list) && list.every(isPlace)
  const { silent, outside } = value
  if (!arePlaces(silent) || !arePlaces(outside) || value['answered'].length > addresses) return null
  const answered: (HostAnswer & { at: number })[] = []
  for (const host of value['answered'] as unknown[]) {
    const answer = isRecord(host) ? answerOf(host) : null
    if (answer === null || !isRecord(host) || !isPlace(host['at'])) return null
    answered.push({ at: host['at'], ...answer })
  }
  return { answered, silent, outside }
}

function answerOf({ pingMs, snmp, failure }: Readonly<Record<string, unknown>>): HostAnswer | null {
  if (pingMs !== null && !(typeof pingMs === 'number' && pingMs >= 0 && pingMs <= MAX_WAIT_MS)) return null
  const problem = failure === null ? null : problemOf(failure)
  if (problem === undefined) return null
  if (snmp === null) return { pingMs, snmp, failure: problem }
  if (!isRecord(snmp)) return null
  const credentials = credentialsOf(snmp['credentials'])
  const identity = identityOf(snmp['identity'])
  return credentials === null || identity === null
    ? null
    : { pingMs, snmp: { credentials, identity }, failure: problem }
}

function problemOf(value: unknown): SnmpFailure | undefined {
  const [kind, detail] = Array.isArray(value) ? (value as unknown[]) : []
  if (!isText(kind) || !isText(detail)) return undefined
  return failureFrom(kind, detail) ?? { kind: 'invalid', message: `${kind} ${detail}`.trim() }
}

function credentialsOf(value: unknown): AcceptedCredentials | null {
  if (!isRecord(value)) return null
  const { version, index, port } = value
  if (version !== 'v1' && version !== 'v2c' && version !== 'v3') return null
  return isCount(index) && index < MAX_ITEMS && isPort(port) ? { version, index, port } : null
}

function identityOf(value: unknown): HostIdentity | null {
  if (!isRecord(value)) return null
  const { sysName, sysDescr, sysObjectId, engineId, serials, baseMac, macs, addresses, os, hardware, ports } = value
  if (!isTextOrNull(sysName) || !isTextOrNull(sysDescr) || !isTextOrNull(sysObjectId) || !isTextOrNull(hardware))
    return null
  if (!isTextOrNull(engineId) || !isTexts(serials) || !isText(os)) return null
  if ((engineId !== null && !isHex(engineId)) || (baseMac !== null && !isMac(baseMac))) return null
  if (!isTexts(macs) || !macs.every(isMac) || !isTexts(addresses) || !addresses.every((text) => isIP(text) !== 0))
    return null
  if (ports !== null && !isCount(ports)) return null
  return { sysName, sysDescr, sysObjectId, engineId, serials, baseMac, macs, addresses, os, hardware, ports }
}

/** Only the centre can seal them; what is checked is what would harm the scanner. */
function optionsOf(value: unknown): JobOptions | null {
  if (!isRecord(value)) return null
  const { rate, ping, trials, port, ports, timeoutMs, pingTimeoutMs, own, exclude } = value
  if (!isCount(rate) || rate < 1 || rate > MAX_RATE || typeof ping !== 'boolean' || !isPort(port)) return null
  if (!isWait(timeoutMs) || !isWait(pingTimeoutMs) || !isTexts(own) || !isTexts(exclude)) return null
  if (!Array.isArray(ports) || ports.length > MAX_ITEMS || !ports.every(isNetworkPort)) return null
  if (!Array.isArray(trials) || trials.length > MAX_ITEMS || !trials.every(isTrial)) return null
  return { rate, ping, trials, port, ports, timeoutMs, pingTimeoutMs, own, exclude }
}

function isNetworkPort(value: unknown): value is JobOptions['ports'][number] {
  return isRecord(value) && isText(value['network']) && isPort(value['port'])
}

function isTrial(value: unknown): value is JobOptions['trials'][number] {
  if (!isRecord(value)) return false
  const { version, index, credentials } = value
  return (version === 'v1' || version === 'v2c' || version === 'v3') && isCount(index) && isRecord(credentials)
}

function pack(value: unknown): string {
  return gzipSync(JSON.stringify(value)).toString('base64')
}

function unpack(packed: string): unknown {
  try {
    const plain = gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_OCTETS })
    return JSON.parse(plain.toString('utf8')) as unknown
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= MAX_ITEMS && value.every(isText)
const isHex = (text: string): boolean => /^[0-9a-f]*$/.test(text)
const isMac = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{12}$/.test(value)
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
const isPort = (value: unknown): value is number => isCount(value) && value > 0 && value < 65_536
const isWait = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= MAX_WAIT_MS
