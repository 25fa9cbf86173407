import { steadyNow } from '../../lib/steady.ts'
import type { Gateway } from '../base/gateway.ts'
import { type NeighbourTargets, neighbourKinds, outsideText, targetsOf } from './neighbours.ts'
import type { ObservedHost, ProbeTarget } from './observed-host.ts'
import { readLearned } from './read-learned.ts'
import { readReported, seenSince } from './read-reported.ts'
import { type RecordDeps, recordHeard, recordHost } from './record-host.ts'
import { isInAny } from './rules.ts'
import { noteSources } from './write-sources.ts'

/** Asks hosts of one poller group at a bounded rate, as `AskHosts` of scans does, and throws as it does. */
export type AskTargets = (targets: Iterable<ProbeTarget>, signal: AbortSignal) => AsyncIterable<ObservedHost>

export interface NeighbourDeps extends RecordDeps {
  readonly gateway: Gateway
  readonly askHosts: AskTargets
}

/** What a round did. */
export interface NeighbourRound {
  readonly asked: number
  readonly recorded: number
}

/**
 * What earlier rounds asked, so that the same is asked again only after setting autodiscovery.again, and what they heard
 * of, which is recorded again after setting autodiscovery.interval: rounds after discoveries are for what is new.
 */
export interface NeighbourMemory {
  /** Times in milliseconds, by poller group and address or name, or by everything that was heard. */
  readonly askedAt: Map<string, number>
}

/** Names that are looked up in a round, and addresses that are asked. */
const LOOK_UPS = 200
const ASKED = 5000
/** Under which it is remembered when forwarding databases were read. */
const LEARNED = 'forwarding databases'
/** What is remembered; beyond it the oldest is forgotten, and asked again. */
const REMEMBERED = 50_000

/**
 * Asks the neighbours that devices report and that are not monitored, and records what answers. Those without an address
 * in the own networks are recorded as heard of. Ends when the signal is aborted. Throws StoreError,
 * and what asking a site throws, after those of the other poller groups were asked; the site's are asked again next time.
 */
export async function askNeighbours(
  deps: NeighbourDeps,
  memory: NeighbourMemory,
  signal: AbortSignal,
  now = steadyNow(),
): Promise<NeighbourRound> {
  const { store, settings, askHosts } = deps
  const kinds = neighbourKinds(settings)
  const again = settings.get('autodiscovery.again')
  const interval = settings.get('autodiscovery.interval')
  const isDue = (key: string, seconds = again) =>
    now - (memory.askedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= seconds * 1000
  // whole forwarding databases and ARP tables are too much to read after every discovery
  const isLearnedDue = kinds.fdb && settings.get('nets').length > 0 && isDue(LEARNED, interval)
  const learned = isLearnedDue ? await readLearned(store) : []
  if (isLearnedDue) remember(memory, LEARNED, now)
  const targets = targetsOf([...(await readReported(store, kinds)), ...learned], settings)
  const round = { asked: 0, recorded: 0 }
  const found = await resolved(deps, targets, memory, { isDue, now, signal })
  const due = [...targets.ask, ...found.ask].filter((target) => isDue(keyOf(target))).slice(0, ASKED)
  // another process that led before may have asked them
  const seen = await seenSince(store, due, again)
  const ask = due.filter((target) => !seen.has(keyOf(target)))
  for (const target of due) remember(memory, keyOf(target), now)
  for (const { target, why } of [...targets.heard, ...found.heard]) {
    if (signal.aborted) return round
    const key = heardKey(target, why)
    if (!isDue(key, interval)) continue
    await recordHeard(deps, target, why)
    remember(memory, key, now)
    round.recorded++
  }
  round.asked = ask.length
  const problems: unknown[] = []
  for (const group of Map.groupBy(ask, ({ pollerGroup }) => pollerGroup).values()) {
    const missing = new Set(group)
    try {
      for await (const host of askHosts(group, signal)) {
        await recordHost(deps, host)
        missing.delete(host.target)
        round.recorded++
      }
    } catch (error) {
      // a site that is away says nothing of its hosts
      for (const target of missing) memory.askedAt.delete(keyOf(target))
      problems.push(error)
    }
  }
  await noteSources(store, targets.seen)
  if (problems.length > 0) throw problems[0]
  return round
}

/** Looks up the addresses of neighbours that have only a name. */
async function resolved(
  { gateway, settings }: NeighbourDeps,
  targets: NeighbourTargets,
  memory: NeighbourMemory,
  { isDue, now, signal }: { isDue(key: string): boolean; readonly now: number; readonly signal: AbortSignal },
) {
  const [nets, excluded] = [settings.get('nets'), settings.get('autodiscovery.nets-exclude')]
  const ask: ProbeTarget[] = []
  const heard: { target: ProbeTarget; why: string }[] = []
  const due = targets.resolve.filter(({ name, target }) => isDue(`${target.pollerGroup} ${name}`)).slice(0, LOOK_UPS)
  for (const { name, target } of due) {
    // a name server that does not answer takes seconds for each name
    if (signal.aborted) break
    remember(memory, `${target.pollerGroup} ${name}`, now)
    const address = await gateway.resolve(name, 'any')
    if (address !== null && isInAny(excluded, address)) continue
    if (address !== null && isInAny(nets, address)) ask.push({ ...target, address })
    else
      heard.push({
        target: { ...target, address: address ?? '' },
        why: outsideText(target.source, address === null ? [] : [address]),
      })
  }
  return { ask, heard }
}

const keyOf = ({ pollerGroup, address }: Pick<ProbeTarget, 'pollerGroup' | 'address'>): string =>
  `${pollerGroup} ${address}`

function heardKey({ address, pollerGroup, source }: ProbeTarget, why: string): string {
  const { kind, deviceId, portId, remoteName, remotePort } = source
  return `${[kind, deviceId, portId, remoteName, remotePort, pollerGroup, address].join(' ')} ${why}`
}

function remember({ askedAt }: NeighbourMemory, key: string, now: number): void {
  askedAt.delete(key)
  askedAt.set(key, now)
  const [oldest] = askedAt.keys()
  if (askedAt.size > REMEMBERED && oldest !== undefined) askedAt.delete(oldest)
}
