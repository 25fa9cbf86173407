import { FINDING_SWITCHES } from '../../config/finding-settings.ts'
import type { Settings } from '../../config/schema.ts'
import type { CandidateRule } from './candidate.ts'
import type { ObservedHost } from './observed-host.ts'
import { fittingRule, type RuleSubject, ruleText } from './rules.ts'
import { BY_RULE } from './words.ts'

/** What becomes of a candidate by itself; `wait`: somebody has to decide. */
export interface Outcome {
  readonly action: 'accept' | 'ignore' | 'wait'
  readonly why: string
  /** Whether a rule decided. */
  readonly byRule: boolean
}

/** Whether found devices are added at once: setting autodiscovery.add. */
function addsAtOnce(settings: Pick<Settings, 'get' | 'origin'>): boolean {
  const add = settings.get('autodiscovery.add')
  if (add !== 'auto') return add === 'at_once'
  return FINDING_SWITCHES.some((name) => settings.get(name) && settings.origin(name) !== 'default')
}

/** What rules compare of a host. */
function subjectOf({ target, snmp }: ObservedHost): RuleSubject {
  return {
    address: target.address === '' ? null : target.address,
    os: snmp?.identity.os ?? 'generic',
    sysName: snmp?.identity.sysName ?? target.source.remoteName,
    platform: target.source.remotePlatform ?? snmp?.identity.hardware ?? null,
    protocol: target.source.kind,
  }
}

/** Decides about a candidate: the first rule that fits, then setting autodiscovery.add. */
export function outcomeOf(
  host: ObservedHost,
  rules: readonly CandidateRule[],
  settings: Pick<Settings, 'get' | 'origin'>,
): Outcome {
  const rule = fittingRule(rules, subjectOf(host))
  if (rule?.action === 'ignore')
    return { action: 'ignore', why: `${BY_RULE}${rule.id} ignores it (${ruleText(rule)})`, byRule: true }
  if (host.snmp === null) return { action: 'wait', why: '', byRule: false }
  if (rule !== null) return { action: 'accept', why: `Rule ${rule.id} accepts it (${ruleText(rule)})`, byRule: true }
  if (addsAtOnce(settings)) return { action: 'accept', why: 'Added at once (setting autodiscovery.add)', byRule: false }
  return { action: 'wait', why: 'No rule adds or ignores it', byRule: false }
}
