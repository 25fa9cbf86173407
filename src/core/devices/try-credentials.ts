import { failureText, isAnswer, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { Settings } from '../../config/schema.ts'
import type { Gateway, ProbeOutcome, SnmpTarget } from '../base/gateway.ts'
import {
  type Credentials,
  type CredentialTrial,
  credentialTrials,
  SNMP_VERSIONS,
  trialText,
  wasGiven,
} from './credentials.ts'
import type { AddDeps, NewDevice, Transport } from './new-device.ts'
import { millis, type Report, step } from './steps.ts'

/** What was found out about a new device over the network. */
export interface Found {
  readonly ip: string | null
  readonly credentials: Credentials | null
  readonly answer: Extract<ProbeOutcome, { kind: 'answer' }> | null
  /** Description of the accepted credentials, without secrets; null: SNMP was not tried or did not answer. */
  readonly taken: CredentialNote | null
}

/** The credentials that the device accepted. */
export interface CredentialNote {
  /** For example `v2c with community no. 1 of setting snmp.community; the given community was not accepted`. */
  readonly text: string
  /** False: credentials were given, but others were accepted. */
  readonly asGiven: boolean
  /** Whether they are from the settings. */
  readonly stored: boolean
}

/** Which credentials were accepted, and the failure that says where answers came from that were not accepted. */
export interface Answered {
  readonly found: Found | null
  readonly elsewhere: SnmpFailure | null
}

export const NOTHING: Answered = { found: null, elsewhere: null }

/** Whether the request has credentials for its version, or for any version if it gives none. */
export function isGiven(request: NewDevice): boolean {
  const version = request.snmpver
  return SNMP_VERSIONS.some((v) => (version === undefined || version === v) && wasGiven(request, v))
}

/**
 * Tries credentials in order. The first with which the agent returns the system group are taken; otherwise the first
 * that it answers with an error, unless the error denies access.
 */
export async function firstAnswer(
  { gateway, settings, report }: Pick<AddDeps, 'gateway' | 'settings' | 'report'>,
  request: NewDevice,
  transport: Transport,
  ip: string,
): Promise<Answered> {
  const defaults = {
    versions: settings.get('snmp.version'),
    communities: settings.get('snmp.community'),
    v3: settings.get('snmp.v3'),
  }
  const tried: CredentialTrial[] = []
  let second: Found | null = null
  let elsewhere: SnmpFailure | null = null
  const trials = credentialTrials(request, defaults, request.only)
  const upToS = settings.get('snmp.timeout') * (settings.get('snmp.retries') + 1)
  for (const [i, trial] of trials.entries()) {
    const { credentials } = trial
    const target = targetOf(settings, request, transport, ip, credentials)
    const start = { what: `SNMP ${trialText(trial)}`, place: { number: i + 1, of: trials.length }, upToS }
    const answer = await step(report, start, () => gateway.probe(target), probeText)
    const found = { ip, credentials, taken: noteOf(request, trial, tried) }
    tried.push(trial)
    if (answer.kind === 'answer') return { found: { ...found, answer }, elsewhere }
    if (answer.failure.kind === 'otherSource') elsewhere = answer.failure
    if (isAnswer(answer.failure) && !isDenied(answer.failure)) {
      const text = `${found.taken.text}; ${failureText(answer.failure)}`
      second ??= { ...found, answer: null, taken: { ...found.taken, text } }
    }
  }
  return { found: second, elsewhere }
}

/** Where and how a new device is asked with these credentials. */
export function targetOf(
  settings: Settings,
  request: NewDevice,
  transport: Transport,
  ip: string,
  credentials: Credentials,
): SnmpTarget {
  return {
    address: ip,
    port: request.port ?? settings.get('snmp.port'),
    transport: transport === 'udp6' || transport === 'tcp6' || ip.includes(':') ? 'udp6' : 'udp',
    timeout: null,
    retries: null,
    ...(request.anySource === true && { anySource: true }),
    ...credentials,
  }
}

/** Whether the address answers a ping; also true if this host cannot send pings. */
export async function pinged(gateway: Gateway, report: Report | undefined, ip: string): Promise<boolean> {
  const outcome = await step(
    report,
    `Ping ${ip}`,
    () => gateway.ping(ip),
    (ping) => {
      if (ping.kind === 'answer') return { result: `answers in ${millis(ping.rttMs)}`, state: 'ok' }
      if (ping.kind === 'silent') return { result: 'no answer', state: 'no' }
      return { result: 'this host may not send pings; portlight doctor says why', state: 'skipped' }
    },
  )
  return outcome.kind !== 'silent'
}

function probeText(probe: ProbeOutcome): { result: string; state: 'ok' | 'no' } {
  if (probe.kind === 'failed') return { result: failureText(probe.failure), state: 'no' }
  const [description = ''] = (probe.sysDescr ?? '').split('\n')
  const words = [`sysName ${probe.sysName ?? 'unknown'}`, probe.os, description.slice(0, 120)]
  return { result: words.filter((word) => word !== '').join(', '), state: 'ok' }
}

/** Whether an error-status denies access with these credentials. */
function isDenied(failure: SnmpFailure): boolean {
  return failure.kind === 'error' && (failure.status === 'authorizationError' || failure.status === 'noAccess')
}

function noteOf(request: NewDevice, trial: CredentialTrial, tried: readonly CredentialTrial[]): CredentialNote {
  const families = [
    { what: 'the given community', given: request.community !== undefined, isOf: isCommunity },
    { what: 'the given v3 user', given: wasGiven(request, 'v3'), isOf: (t: CredentialTrial) => !isCommunity(t) },
  ]
  const others =
    trial.number === null
      ? []
      : families
          .filter(({ given }) => given)
          .map(({ what, isOf }) => {
            const wasTried = tried.some((t) => t.number === null && isOf(t))
            return `${what} was not ${wasTried ? 'accepted' : 'tried'}`
          })
  return { text: [trialText(trial), ...others].join('; '), asGiven: others.length === 0, stored: trial.number !== null }
}

function isCommunity({ credentials }: CredentialTrial): boolean {
  return credentials.snmpver !== 'v3'
}
