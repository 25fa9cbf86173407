import type { Trial } from './protocol.ts'

/** Sets of credentials tried in one step: all v3 users, because they share one engine discovery, or a community. */
export interface Step {
  readonly isV3: boolean
  readonly trials: readonly Trial[]
}

/** Maximum number of credential sets that are tried against one address. */
export const MAX_TRIALS = 12

/**
 * The steps for a host: users first, then communities by version in the order of setting snmp.version; `first`, which
 * worked in the same subnet, before all others. At most MAX_TRIALS sets.
 */
export function stepsOf(trials: readonly Trial[], first: Trial | null): Step[] {
  const users = trials.filter(({ version }) => version === 'v3')
  const communities = trials.filter(({ version }) => version !== 'v3')
  const ordered = [
    ...(first !== null ? [first] : []),
    ...[...users, ...communities].filter((trial) => trial !== first),
  ].slice(0, MAX_TRIALS)
  const steps: Step[] = []
  const v3 = ordered.filter(({ version }) => version === 'v3')
  for (const trial of ordered) {
    if (trial.version !== 'v3') steps.push({ isV3: false, trials: [trial] })
    else if (!steps.some(({ isV3 }) => isV3)) steps.push({ isV3: true, trials: v3 })
  }
  return steps
}

/** Maximum number of subnets whose credentials are remembered. */
const MAX_SUBNETS = 4096

/** What worked last in each subnet: a /24 of IPv4, a /64 of IPv6. */
export class WorkedBefore {
  private readonly bySubnet = new Map<string, Trial>()

  get(octets: Uint8Array): Trial | null {
    return this.bySubnet.get(subnetOf(octets)) ?? null
  }

  set(octets: Uint8Array, trial: Trial): void {
    const subnet = subnetOf(octets)
    this.bySubnet.delete(subnet)
    this.bySubnet.set(subnet, trial)
    if (this.bySubnet.size <= MAX_SUBNETS) return
    for (const oldest of this.bySubnet.keys()) {
      this.bySubnet.delete(oldest)
      break
    }
  }
}

const subnetOf = (octets: Uint8Array): string => octets.subarray(0, octets.length === 4 ? 3 : 8).toHex()

/** How often one engine may refuse a user in a job, over all of its addresses. */
export const MAX_REFUSALS = 3
const MAX_ENGINES = 10_000

/** Refusals of users by engine, so that a router with forty addresses does not get forty wrong passwords. */
export class Refusals {
  private readonly counts = new Map<string, number>()

  isRefused(engineId: string, trial: Trial): boolean {
    return (this.counts.get(`${engineId} ${trial.index}`) ?? 0) >= MAX_REFUSALS
  }

  add(engineId: string, trial: Trial): void {
    const key = `${engineId} ${trial.index}`
    if (this.counts.size >= MAX_ENGINES && !this.counts.has(key)) return
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }
}
