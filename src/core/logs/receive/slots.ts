/** Limits of open connections. */
export interface SlotLimits {
  readonly total: number
  /** Of one address that belongs to a device or relay. */
  readonly ofKnown: number
  /** Of one other address. */
  readonly ofUnknown: number
}

/** A connection that takes a slot. */
export interface Slot {
  readonly address: string
}

/** What decides which connection makes room: the ranks give way in this order, the oldest of a rank first. */
interface SlotState {
  isKnown: boolean
  /** Whether a complete message has arrived. */
  hasSpoken: boolean
}

/**
 * The connections that may be open at the same time. When all slots are taken, a connection that has sent no message
 * makes room, first those of unknown addresses; then one of an unknown address that has. One that has sent messages for
 * a device or relay is never closed for another.
 */
export class Slots<S extends Slot> {
  private readonly states = new Map<S, SlotState>()
  private readonly counts = new Map<string, number>()
  /** In order of age: unknown and silent, known and silent, unknown. */
  private readonly ranks: readonly [Set<S>, Set<S>, Set<S>, Set<S>] = [new Set(), new Set(), new Set(), new Set()]

  constructor(private readonly limits: SlotLimits) {}

  get size(): number {
    return this.states.size
  }

  /**
   * Gives a connection a slot. Returns the connection that must be closed for it, null if none; `refused`: it gets no slot.
   */
  open(slot: S, isKnown: boolean): S | null | 'refused' {
    const count = this.counts.get(slot.address) ?? 0
    if (count >= (isKnown ? this.limits.ofKnown : this.limits.ofUnknown)) return 'refused'
    const victim = this.size < this.limits.total ? null : this.victim(isKnown)
    if (victim === undefined) return 'refused'
    if (victim !== null) this.close(victim)
    this.counts.set(slot.address, (this.counts.get(slot.address) ?? 0) + 1)
    this.place(slot, { isKnown, hasSpoken: false })
    return victim
  }

  /** The connection that makes room; undefined: none does. Unknown addresses do not displace known ones. */
  private victim(isKnown: boolean): S | undefined {
    const giving = isKnown ? this.ranks.slice(0, 3) : this.ranks.slice(0, 1)
    for (const rank of giving) for (const slot of rank) return slot
    return undefined
  }

  /** Notes that the address turned out to be known or unknown, or that a message has arrived. */
  note(slot: S, change: Partial<SlotState>): void {
    const before = this.states.get(slot)
    if (before === undefined) return
    const after = { ...before, ...change }
    if (after.isKnown === before.isKnown && after.hasSpoken === before.hasSpoken) return
    this.rank(before).delete(slot)
    this.place(slot, after)
  }

  state(slot: S): Readonly<SlotState> | null {
    return this.states.get(slot) ?? null
  }

  /** Frees the slot of a connection; nothing if it has none. */
  close(slot: S): void {
    const state = this.states.get(slot)
    if (state === undefined) return
    this.rank(state).delete(slot)
    this.states.delete(slot)
    const count = (this.counts.get(slot.address) ?? 1) - 1
    if (count <= 0) this.counts.delete(slot.address)
    else this.counts.set(slot.address, count)
  }

  private place(slot: S, state: SlotState): void {
    this.states.set(slot, state)
    this.rank(state).add(slot)
  }

  private rank({ isKnown, hasSpoken }: SlotState): Set<S> {
    const [unknownSilent, knownSilent, unknown, known] = this.ranks
    if (isKnown) return hasSpoken ? known : knownSilent
    return hasSpoken ? unknown : unknownSilent
  }
}
