import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import type { KeyCache } from '@portlight/snmp/usm/key.ts'
import type { SnmpValue, Varbind } from '@portlight/snmp/value.ts'
import { BoundedReader, type Response } from './bounded-reader.ts'
import { Conversation, type Line, unusable } from './conversation.ts'
import type { Echoes } from './echoes.ts'
import type { HostAnswer, JobOptions, Trial } from './protocol.ts'
import { PROBE_OIDS, READ_LIMITS, readIdentity } from './read-identity.ts'
import type { Requests } from './requests.ts'
import { type Refusals, stepsOf, type WorkedBefore } from './trials.ts'

/** What the hosts of a job share. */
export interface Job {
  readonly options: JobOptions
  readonly echoes: Echoes
  readonly requests: Requests
  readonly keys: KeyCache
  readonly worked: WorkedBefore
  readonly refusals: Refusals
  /** UDP port of the agent at an address. */
  portAt(octets: Uint8Array): number
  /** Waits until a datagram may be sent to the address; false: it must not be sent. */
  turn(octets: Uint8Array): Promise<boolean>
}

/** Asks a host by ping and SNMP side by side. An address where nothing is costs one echo request and one datagram for each step. */
export async function askHost(job: Job, address: string, octets: Uint8Array): Promise<HostAnswer> {
  const family = octets.length === 4 ? 4 : 6
  const ping = job.options.ping && job.echoes.can(family) ? askEcho(job, octets) : null
  const snmp = await askSnmp(job, address, octets)
  return { pingMs: await ping, ...snmp }
}

async function askEcho(job: Job, octets: Uint8Array): Promise<number | null> {
  if (!(await job.turn(octets))) return null
  return await job.echoes.ask(octets, job.options.pingTimeoutMs)
}

type SnmpPart = Pick<HostAnswer, 'snmp' | 'failure'>

/** Credentials that an agent accepted, and its values of PROBE_OIDS. */
interface Accepted {
  readonly conversation: Conversation
  readonly varbinds: readonly Varbind[]
}

async function askSnmp(job: Job, address: string, octets: Uint8Array): Promise<SnmpPart> {
  const { options, requests, keys } = job
  const port = job.portAt(octets)
  const line: Line = {
    ...{ requests, keys, address, port, timeoutMs: options.timeoutMs },
    turn: () => job.turn(octets),
  }
  const search = new Search(job, line)
  try {
    const accepted = await search.run(job.worked.get(octets))
    if (accepted === null) return { snmp: null, failure: search.failure }
    const { conversation, varbinds } = accepted
    const { version, index } = conversation.trial
    job.worked.set(octets, conversation.trial)
    const reader = new BoundedReader(conversation, READ_LIMITS)
    const identity = await readIdentity(reader, valuesOf(varbinds), search.engineId)
    return { snmp: { credentials: { version, index, port }, identity }, failure: null }
  } finally {
    search.close()
  }
}

const valuesOf = (varbinds: readonly Varbind[]): Map<string, SnmpValue> =>
  new Map(varbinds.map(({ oid, value }) => [oid, value]))

/** Looks for the credentials that an agent accepts. */
class Search {
  /** The first failure that says something; null: silence. */
  failure: SnmpFailure | null = null
  engineId: string | null = null
  private readonly conversations: Conversation[] = []
  /** Resolves when an earlier request is answered after all. */
  private readonly late = Promise.withResolvers<Conversation>()
  /** Credentials that the agent answered with an error. */
  private second: Accepted | null = null

  constructor(
    private readonly job: Job,
    private readonly line: Line,
  ) {}

  async run(first: Trial | null): Promise<Accepted | null> {
    for (const step of stepsOf(this.job.options.trials, first)) {
      const accepted = step.isV3 ? await this.users(step.trials) : await this.community(step.trials)
      if (accepted !== null) return accepted
    }
    return this.second
  }

  close(): void {
    for (const conversation of this.conversations) conversation.close()
  }

  private async community([trial]: readonly Trial[]): Promise<Accepted | null> {
    if (trial === undefined) return null
    const conversation = this.open(trial)
    if (conversation === null) return null
    conversation.late = () => this.late.resolve(conversation)
    const first = await Promise.race([conversation.get(PROBE_OIDS, 1), this.late.promise])
    if (!(first instanceof Conversation)) return this.judge(conversation, first)
    // a slow agent answered what it was asked before, so it is asked again with the credentials of that
    return this.judge(first, await first.get(PROBE_OIDS, 1))
  }

  /** One datagram finds out whether there is a v3 agent; only if there is, users are tried. */
  private async users(trials: readonly Trial[]): Promise<Accepted | null> {
    let found: Conversation | null = null
    for (const trial of trials) {
      const conversation: Conversation | null = this.open(trial, found ?? undefined)
      if (conversation === null) continue
      if (found === null) {
        const discovered = await conversation.discover()
        if (discovered.kind !== 'values') {
          this.note(discovered)
          return null
        }
        found = conversation
        this.engineId = conversation.profile.engine?.engineID.toHex() ?? null
      }
      const engine = this.engineId ?? ''
      if (this.job.refusals.isRefused(engine, trial)) continue
      const response = await conversation.get(PROBE_OIDS, 2)
      const accepted = this.judge(conversation, response)
      if (accepted !== null) return accepted
      if (response.kind === 'failed') this.job.refusals.add(engine, trial)
      if (response.kind === 'ended') return null
    }
    return null
  }

  private open(trial: Trial, sharing?: Conversation): Conversation | null {
    try {
      const conversation = new Conversation(this.line, trial, sharing?.profile)
      this.conversations.push(conversation)
      return conversation
    } catch (error) {
      this.failure ??= unusable(error)
      return null
    }
  }

  private judge(conversation: Conversation, response: Response): Accepted | null {
    if (response.kind === 'values') return { conversation, varbinds: response.varbinds }
    this.note(response)
    if (response.kind === 'failed' && response.failure.kind === 'error' && !isDenied(response.failure.status))
      this.second ??= { conversation, varbinds: [] }
    return null
  }

  private note(response: Response): void {
    if (response.kind === 'failed' && response.failure.kind !== 'timeout') this.failure ??= response.failure
  }
}

const isDenied = (status: string): boolean => status === 'authorizationError' || status === 'noAccess'
