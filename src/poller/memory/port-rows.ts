import type { AssociationMode } from '../../core/discovery/match-ports.ts'
import type { PlannedPort } from '../../core/polling/read-plan.ts'
import { sameNumbers } from '../../lib/same-numbers.ts'
import { PORT_STATUSES } from '../../modules/observation.ts'
import type { PortText } from '../protocol.ts'
import { PortIdentities } from './port-identities.ts'

/** The texts of a port whose changes polls store. */
export type PortField = 'ifName' | 'ifAlias'

const MEGA = 1_000_000
/** Represents an unknown ifHighSpeed. */
const UNKNOWN = 0xffffffff

/** Represents an unknown text. */
const NO_TEXT = 0

/**
 * The ports of a device in the order of its plan, as last stored or seen, for polls to compare with. They are kept as
 * columns of numbers, because a network can have a million ports and an object for each would take ten times the
 * memory. Names and aliases are kept as 32-bit hashes; a change to a text with the same hash is noticed only by the
 * next discovery.
 */
export class PortRows {
  readonly ids: Int32Array
  private readonly indexes: Int32Array
  /** bit/s, NaN: unknown; null: all follow from `highSpeed`. */
  private ifSpeed: Float64Array | null
  /** Mbit/s; UNKNOWN: unknown. */
  private readonly highSpeed: Uint32Array
  /** ifAdminStatus in the upper half, ifOperStatus in the lower. */
  private readonly status: Uint8Array
  /** Hashes of all names, then of all aliases; NO_TEXT: unknown. */
  private readonly texts: Uint32Array

  /** 1 for rows whose speed says nothing about what they can carry; null: there is none. */
  private readonly nominal: Uint8Array | null

  /** What tells the ports apart when ifIndexes change. */
  readonly identities: PortIdentities

  /** `decided`: see PortIdentities. */
  constructor(
    ports: readonly PlannedPort[],
    mode: AssociationMode = 'ifIndex',
    decided: ReadonlyMap<number, number> = new Map(),
  ) {
    this.identities = new PortIdentities(ports, mode, decided)
    this.ids = Int32Array.from(ports, (p) => p.port_id)
    this.indexes = Int32Array.from(ports, (p) => p.ifIndex)
    this.nominal = ports.some((p) => p.nominal === true)
      ? Uint8Array.from(ports, (p) => Number(p.nominal === true))
      : null
    const alike = ports.every((p) => p.ifSpeed === (p.ifHighSpeed === null ? null : p.ifHighSpeed * MEGA))
    this.ifSpeed = alike ? null : Float64Array.from(ports, (p) => p.ifSpeed ?? Number.NaN)
    this.highSpeed = Uint32Array.from(ports, (p) => p.ifHighSpeed ?? UNKNOWN)
    this.status = Uint8Array.from(ports, (p) => (codeOf(p.ifAdminStatus) << 4) | codeOf(p.ifOperStatus))
    this.texts = Uint32Array.from([...ports.map((p) => p.ifName), ...ports.map((p) => p.ifAlias)], hashOf)
  }

  get length(): number {
    return this.ids.length
  }

  admin(row: number): number {
    return (this.status[row] ?? 0) >> 4
  }

  oper(row: number): number {
    return (this.status[row] ?? 0) & 15
  }

  setStatus(row: number, admin: number, oper: number): void {
    this.status[row] = (admin << 4) | oper
  }

  /**
   * What the lines of all rows carry, bit/s; NaN: unknown. Read it at once, because the next call for any device may
   * reuse the memory.
   */
  lineSpeeds(): Float64Array {
    const { length, highSpeed, ifSpeed, nominal } = this
    if (ifSpeed !== null && nominal === null) return ifSpeed
    if (speeds.length !== length) speeds = new Float64Array(length)
    for (let row = 0; row < length; row++) {
      const speed = highSpeed[row] as number
      const known = ifSpeed === null ? (speed === UNKNOWN ? Number.NaN : speed * MEGA) : (ifSpeed[row] as number)
      speeds[row] = nominal?.[row] === 1 ? Number.NaN : known
    }
    return speeds
  }

  /** Mbit/s; null: unknown. */
  ifHighSpeed(row: number): number | null {
    const speed = this.highSpeed[row] ?? UNKNOWN
    return speed === UNKNOWN ? null : speed
  }

  /** `speed` in Mbit/s. */
  setHighSpeed(row: number, speed: number): void {
    this.highSpeed[row] = speed
    if (this.ifSpeed !== null) this.ifSpeed[row] = speed * MEGA
  }

  /**
   * Takes over texts read from the agent and calls `changed` for each that differs. An unknown text equals an empty
   * one. Texts of rows that may be another interface by now are left to the next discovery.
   */
  setTexts(read: readonly PortText[], changed: (row: number, field: PortField, text: string) => void): void {
    this.identities.check(read)
    for (const { row, field, text } of read) {
      if (row >= this.length || field === 'ifDescr' || this.identities.isDoubtful(row)) continue
      const at = field === 'ifName' ? row : this.length + row
      const before = this.texts[at]
      const hash = hashOf(text)
      if (before === hash || (before === NO_TEXT && text === '')) continue
      this.texts[at] = hash
      changed(row, field, text)
    }
  }

  /**
   * The ports that have another ifIndex than in `before`, or where the ifIndex identifies them, another name: the last
   * counters of these may be those of another interface.
   */
  movedSince(before: PortRows): ReadonlySet<number> {
    const moved = new Set<number>()
    const rowOf = new Map(before.length === 0 ? [] : Array.from(before.ids, (id, row) => [id, row] as const))
    for (const [row, id] of this.ids.entries()) {
      const old = rowOf.get(id)
      if (old === undefined) continue
      const [name, was] = [this.texts[row] ?? NO_TEXT, before.texts[old] ?? NO_TEXT]
      const named = ![name, was].some((hash) => hash === NO_TEXT || hash === EMPTY)
      const renamed = this.identities.mode === 'ifIndex' && named && name !== was
      if (renamed || this.indexes[row] !== before.indexes[old]) moved.add(id)
    }
    return moved
  }

  equals(other: PortRows): boolean {
    return (
      !other.identities.isInDoubt &&
      this.identities.mode === other.identities.mode &&
      sameNumbers(this.texts, other.texts) &&
      sameNumbers(this.ids, other.ids) &&
      (this.ifSpeed === null && other.ifSpeed === null
        ? true
        : sameNumbers(Float64Array.from(this.lineSpeeds()), other.lineSpeeds())) &&
      sameNumbers(this.highSpeed, other.highSpeed) &&
      sameNumbers(this.status, other.status)
    )
  }
}

const EMPTY = hashOf('')

/** See `ifSpeeds`. */
let speeds = new Float64Array(0)

function hashOf(text: string | null): number {
  return text === null ? NO_TEXT : Bun.hash.xxHash32(text) || 1
}

function codeOf(status: PlannedPort['ifAdminStatus']): number {
  return status === null ? 0 : PORT_STATUSES.indexOf(status)
}
