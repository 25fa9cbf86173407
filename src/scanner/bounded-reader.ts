import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import { encodeOid, isUnder } from '@portlight/snmp/oid.ts'
import type { SnmpValue, Varbind } from '@portlight/snmp/value.ts'
import { slices } from '../lib/slices.ts'

/** Response to a request; `ended`: the job ended before it was sent. */
export type Response =
  | { readonly kind: 'values'; readonly varbinds: readonly Varbind[]; readonly octets: number }
  | { readonly kind: 'failed'; readonly failure: SnmpFailure }
  | { readonly kind: 'ended' }

/** An agent with credentials that it accepts. */
export interface AskedAgent {
  /** It has no GETBULK, and refuses a GET of which it lacks one object. */
  readonly isV1: boolean
  get(oids: readonly string[], tries: number): Promise<Response>
  /** GETBULK, or GETNEXT in v1. */
  next(oid: string, maxRepetitions: number, tries: number): Promise<Response>
}

/** Limits on what is read from one agent. */
export interface ReadLimits {
  readonly requests: number
  readonly octets: number
  readonly ms: number
}

/** Reads objects within limits; what is not read is unknown. */
export class BoundedReader {
  private requests = 0
  private octets = 0
  private readonly deadline: number

  constructor(
    private readonly agent: AskedAgent,
    private readonly limits: ReadLimits,
  ) {
    this.deadline = performance.now() + limits.ms
  }

  private get isSpent(): boolean {
    const { limits } = this
    return this.requests >= limits.requests || this.octets >= limits.octets || performance.now() >= this.deadline
  }

  /** Values by OID; absent: the agent has none or did not answer. A v1 agent refuses all if one is missing, so it is asked one by one. */
  async get(oids: readonly string[]): Promise<Map<string, SnmpValue>> {
    const values = new Map<string, SnmpValue>()
    const groups = slices(oids, this.agent.isV1 ? 1 : 16)
    for (const group of groups) {
      if (this.isSpent) break
      this.requests++
      const response = await this.agent.get(group, 2)
      if (response.kind === 'ended') break
      if (response.kind === 'failed') {
        if (response.failure.kind === 'timeout') break
        continue
      }
      this.octets += response.octets
      for (const { oid, value } of response.varbinds) if (group.includes(oid) && isValue(value)) values.set(oid, value)
    }
    return values
  }

  /** Cells below an OID by index, at most `rows` of them. */
  async walk(oid: string, rows: number): Promise<Map<string, SnmpValue>> {
    const cells = new Map<string, SnmpValue>()
    const prefix = encodeOid(oid)
    let at = oid
    while (cells.size < rows && !this.isSpent) {
      this.requests++
      const response = await this.agent.next(at, Math.min(REPETITIONS, rows - cells.size), 2)
      if (response.kind !== 'values' || response.varbinds.length === 0) return cells
      this.octets += response.octets
      for (const { oid: found, value } of response.varbinds) {
        const octets = encodeOid(found)
        if (!isUnder(prefix, octets, 0, octets.length) || value.kind === 'endOfMibView') return cells
        const index = found.slice(oid.length + 1)
        // an agent that repeats itself would never end
        if (cells.has(index) || index === '') return cells
        if (isValue(value)) cells.set(index, value)
        at = found
        if (cells.size >= rows) return cells
      }
    }
    return cells
  }
}

const REPETITIONS = 25

function isValue({ kind }: SnmpValue): boolean {
  return kind !== 'noSuchObject' && kind !== 'noSuchInstance' && kind !== 'endOfMibView' && kind !== 'Null'
}
