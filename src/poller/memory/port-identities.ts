import { clean, text } from '../../core/discovery/columns.ts'
import type { AssociationMode } from '../../core/discovery/match-ports.ts'
import type { PlannedPort } from '../../core/polling/read-plan.ts'
import type { PortText } from '../protocol.ts'

/** Hash of an empty text. */
const NONE = 0
/** Discoveries that must have kept a port with another text before polls accept that text. */
const ENOUGH = 2

/** By port_id: a text that differs, as hash, and the number of discoveries that left the port as it was. */
export type Decisions = Map<number, { readonly hash: number; readonly times: number }>

/**
 * What tells a device's ports apart, for the modes in which that is not the ifIndex. A row whose text differs from the
 * stored one may be another interface, so it is in doubt: nothing of it is stored until a discovery has matched the
 * interfaces with the ports again. `decided`: texts that discovery has already decided about, by port_id, because what
 * it stores is not always what polls read.
 */
export class PortIdentities {
  /** Hashes of the identifying texts. */
  private readonly texts: Uint32Array | null
  /** Rows that are identified by their ifDescr, since they have no other text. */
  private readonly byDescr: Uint8Array | null
  /** Hashes of the texts that were read instead, by row. */
  private readonly doubts = new Map<number, number>()
  private readonly ids: Int32Array | null

  constructor(
    ports: readonly PlannedPort[],
    readonly mode: AssociationMode,
    decided: ReadonlyMap<number, number>,
  ) {
    if (mode === 'ifIndex') {
      this.texts = null
      this.byDescr = null
      this.ids = null
      return
    }
    this.ids = Int32Array.from(ports, (p) => p.port_id)
    this.texts = Uint32Array.from(ports, (p) => decided.get(p.port_id) ?? hashOf(p[mode] ?? ''))
    this.byDescr = Uint8Array.from(ports, (p) => (isByDescr(p, mode) ? 1 : 0))
  }

  /** Puts rows in doubt whose identifying text differs. */
  check(read: readonly PortText[]): void {
    const { texts, byDescr, mode } = this
    if (texts === null || byDescr === null) return
    for (const { row, field, text: sent } of read) {
      if (row >= texts.length || (field !== mode && !(field === 'ifDescr' && byDescr[row] === 1))) continue
      const hash = hashOf(sent)
      // an empty text is one like any other, but for a row that was stored without it
      if (hash === NONE && byDescr[row] === 1) continue
      if (hash !== texts[row]) this.doubts.set(row, hash)
    }
  }

  isDoubtful(row: number): boolean {
    return this.doubts.has(row)
  }

  get isInDoubt(): boolean {
    return this.doubts.size > 0
  }

  /** A discovery has ended: adds what it has left as it was to the decisions, and drops those that are out of date. */
  discovered(decisions: Decisions): void {
    for (const [row, hash] of this.doubts) {
      const id = this.ids?.[row]
      if (id === undefined) continue
      const before = decisions.get(id)
      decisions.set(id, { hash, times: before?.hash === hash ? before.times + 1 : 1 })
    }
  }
}

/** The texts about which discovery has decided. */
export function decided(decisions: Decisions): ReadonlyMap<number, number> {
  const certain = [...decisions].filter(([, { times }]) => times >= ENOUGH)
  return new Map(certain.map(([id, { hash }]) => [id, hash]))
}

/** Whether polls must read ifDescr to tell these ports apart. */
export function needsDescr(ports: readonly PlannedPort[], mode: AssociationMode): boolean {
  return mode === 'ifDescr' || (mode !== 'ifIndex' && ports.some((port) => isByDescr(port, mode)))
}

/** Discovery fills an empty name or alias from ifDescr. */
function isByDescr(port: PlannedPort, mode: Exclude<AssociationMode, 'ifIndex'>): boolean {
  return port[mode] !== null && port[mode] !== '' && port[mode] === port.ifDescr
}

const STORED = text(255)

/** Hash of a text as it is stored. */
function hashOf(sent: string): number {
  const stored = clean(STORED, sent, { count: 0 })
  return stored === null || stored === '' ? NONE : Bun.hash.xxHash32(String(stored)) || 1
}
