import { sameNumbers } from '../lib/same-numbers.ts'
import { PORT_STATUSES } from '../modules/observation.ts'
import type { PlannedPort } from '../store/polling/plan.ts'

/** The texts of a port that polls compare with those of the agent. */
export type PortField = 'ifName' | 'ifAlias'

/** Stands for an ifHighSpeed that is unknown. */
const UNKNOWN = 0xffffffff

/**
 * The ports of a device in the order of its plan, as last stored or seen: what a poll compares with. Columns of numbers
 * and one text for all names, because a network has a million ports and an object for each takes ten times as much.
 */
export class PortRows {
  readonly ids: Int32Array
  /** bit/s; NaN: unknown. */
  readonly ifSpeed: Float64Array
  /** Mbit/s; UNKNOWN: unknown. */
  private readonly highSpeed: Uint32Array
  /** ifAdminStatus in the upper half, ifOperStatus in the lower. */
  private readonly status: Uint8Array
  /** JSON of all names, then all aliases. */
  private texts: string

  constructor(ports: readonly PlannedPort[]) {
    this.ids = Int32Array.from(ports, (p) => p.port_id)
    this.ifSpeed = Float64Array.from(ports, (p) => p.ifSpeed ?? Number.NaN)
    this.highSpeed = Uint32Array.from(ports, (p) => p.ifHighSpeed ?? UNKNOWN)
    this.status = Uint8Array.from(ports, (p) => (codeOf(p.ifAdminStatus) << 4) | codeOf(p.ifOperStatus))
    this.texts = JSON.stringify([...ports.map((p) => p.ifName), ...ports.map((p) => p.ifAlias)])
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

  /** Mbit/s; null: unknown. */
  ifHighSpeed(row: number): number | null {
    const speed = this.highSpeed[row] ?? UNKNOWN
    return speed === UNKNOWN ? null : speed
  }

  /** `speed` in Mbit/s. */
  setHighSpeed(row: number, speed: number): void {
    this.highSpeed[row] = speed
    this.ifSpeed[row] = speed * 1_000_000
  }

  /**
   * Takes over texts read from the agent and calls `changed` for each that differs. An unknown text and an empty one are
   * the same.
   */
  setTexts(
    read: readonly { readonly row: number; readonly field: PortField; readonly text: string }[],
    changed: (row: number, field: PortField, text: string) => void,
  ): void {
    if (read.length === 0) return
    const known: (string | null)[] = JSON.parse(this.texts)
    let differ = false
    for (const { row, field, text } of read) {
      if (row >= this.length) continue
      const at = field === 'ifName' ? row : this.length + row
      const before = known[at] ?? null
      if (before === text || (before === null && text === '')) continue
      known[at] = text
      differ = true
      changed(row, field, text)
    }
    if (differ) this.texts = JSON.stringify(known)
  }

  equals(other: PortRows): boolean {
    return (
      this.texts === other.texts &&
      sameNumbers(this.ids, other.ids) &&
      sameNumbers(this.ifSpeed, other.ifSpeed) &&
      sameNumbers(this.highSpeed, other.highSpeed) &&
      sameNumbers(this.status, other.status)
    )
  }
}

function codeOf(status: PlannedPort['ifAdminStatus']): number {
  return status === null ? 0 : PORT_STATUSES.indexOf(status)
}
