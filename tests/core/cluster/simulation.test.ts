import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createLeadership, LEASE_MS, type Leadership } from '../../../src/core/cluster/leadership.ts'
import { createOwnership, type Ownership } from '../../../src/core/cluster/ownership.ts'

// Pollers with their own clocks, pauses and broken connections share a simulated database. The decisions are made by
// the real code: who owns a device, who leads, and that a write succeeds only under a valid claim. The simulated
// database does what PostgreSQL does: locks end with their session or when it is silent, and claims are compared in a
// transaction.

setDefaultTimeout(120_000)

const DEVICES = 12
const STEP_MS = 500
const BEAT_MS = 2000
const INTERVAL_MS = 5000

interface Sample {
  readonly device: number
  /** The times of the two readings that it was computed from, by the agent's clock. */
  readonly from: number
  readonly to: number
}

interface Batch {
  readonly claim: number
  readonly sample: Sample | null
  readonly device: number
  readonly read: number
}

class Database {
  /** When the session of each node times out; absent: no session. */
  readonly sessions = new Map<string, number>()
  readonly claims = new Map<number, number>()
  readonly states = new Map<number, number>()
  readonly samples: Sample[] = []
  leaderLock: string | null = null
  leaderSeenAt: { readonly name: string; readonly at: number } | null = null
  dropped = 0
  private numbers = 0

  tick(now: number): void {
    for (const [name, until] of this.sessions) if (now >= until) this.end(name)
  }
  end(name: string): void {
    this.sessions.delete(name)
    if (this.leaderLock === name) this.leaderLock = null
  }
  claim(device: number): { claim: number; state: number | null } {
    this.claims.set(device, ++this.numbers)
    return { claim: this.numbers, state: this.states.get(device) ?? null }
  }
  /** One transaction; returns false if the claim is no longer valid. */
  write({ claim, sample, device, read }: Batch): boolean {
    if (this.claims.get(device) !== claim) {
      this.dropped++
      return false
    }
    if (sample !== null) this.samples.push(sample)
    this.states.set(device, read)
    return true
  }
}

class Node {
  readonly devices = new Map<number, { claim: number; state: number | null; polledAt: number }>()
  readonly queue: Batch[] = []
  leadership: Leadership = createLeadership()
  ownership: Ownership | null = null
  pausedUntil = 0
  cutUntil = 0
  deadUntil = 0
  beatAt: number

  constructor(
    readonly name: string,
    /** How far its clock is ahead of that of the simulation. */
    readonly skewMs: number,
    beatOffset: number,
  ) {
    this.beatAt = beatOffset
  }

  /** Whether it leads according to its own monotonic clock. */
  isLeader(now: number): boolean {
    return this.leadership.isLeader(now + this.skewMs)
  }

  crash(): void {
    this.devices.clear()
    this.queue.length = 0
    this.leadership = createLeadership()
    this.ownership = null
  }

  beat(db: Database, names: readonly string[], now: number): void {
    db.sessions.set(this.name, now + LEASE_MS)
    db.leaderLock ??= this.name
    const locked = db.leaderLock === this.name
    const other = db.leaderSeenAt !== null && db.leaderSeenAt.name !== this.name ? now - db.leaderSeenAt.at : null
    this.leadership.beat({ sentMs: now + this.skewMs, locked, otherLeaderMs: other })
    if (this.isLeader(now)) db.leaderSeenAt = { name: this.name, at: now }
    this.ownership = createOwnership(names.map((name) => ({ name, living: db.sessions.has(name), groups: null })))
    for (let device = 0; device < DEVICES; device++) {
      const own = this.ownership.ownerOf(device, 0) === this.name
      if (!own) this.devices.delete(device)
      else if (!this.devices.has(device)) this.devices.set(device, { ...db.claim(device), polledAt: now })
    }
  }

  poll(now: number): void {
    for (const [device, known] of this.devices) {
      if (now - known.polledAt < INTERVAL_MS) continue
      known.polledAt = now
      const sample = known.state === null ? null : { device, from: known.state, to: now }
      this.queue.push({ claim: known.claim, sample, device, read: now })
      known.state = now
    }
  }

  flush(db: Database): void {
    for (const batch of this.queue.splice(0)) {
      const known = this.devices.get(batch.device)
      // a device that another node has claimed is read again if it still belongs to this one
      if (!db.write(batch) && known?.claim === batch.claim) this.devices.delete(batch.device)
    }
  }
}

const trouble = fc.record({
  atMs: fc.integer({ min: 0, max: 90_000 }),
  node: fc.nat({ max: 3 }),
  kind: fc.constantFrom('pause', 'cut', 'crash', 'vanish'),
  forMs: fc.integer({ min: 500, max: 30_000 }),
})

const cluster = fc.record({
  skews: fc.array(fc.integer({ min: -60_000, max: 60_000 }), { minLength: 4, maxLength: 4 }),
  troubles: fc.array(trouble, { maxLength: 12 }),
  /** How likely a node writes its waiting batches in a step; otherwise they wait for the next step. */
  lazy: fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 }),
})

function simulate({
  skews,
  troubles,
  lazy,
}: {
  skews: number[]
  troubles: { atMs: number; node: number; kind: string; forMs: number }[]
  lazy: number[]
}) {
  const db = new Database()
  const nodes = skews.map((skew, i) => new Node(`node-${i}`, skew, i * 700))
  const names = nodes.map(({ name }) => name)
  let mostLeaders = 0
  const end = 120_000 + 60_000
  for (let now = 0; now <= end; now += STEP_MS) {
    for (const { atMs, node, kind, forMs } of troubles) {
      const one = nodes[node]
      if (one === undefined || atMs < now || atMs >= now + STEP_MS) continue
      if (kind === 'pause') one.pausedUntil = Math.max(one.pausedUntil, now + forMs)
      if (kind === 'cut' || kind === 'vanish') one.cutUntil = Math.max(one.cutUntil, now + forMs)
      // a cut that the server notices ends the session at once; otherwise the session times out
      if (kind === 'cut') db.end(one.name)
      if (kind === 'crash') {
        one.crash()
        one.deadUntil = Math.max(one.deadUntil, now + forMs)
        db.end(one.name)
      }
    }
    db.tick(now)
    for (const [i, node] of nodes.entries()) {
      if (now < node.pausedUntil || now < node.deadUntil) continue
      const connected = now >= node.cutUntil
      if (connected && now >= node.beatAt) {
        node.beat(db, names, now)
        node.beatAt = now + BEAT_MS
      }
      node.poll(now)
      if (connected && (now / STEP_MS) % ((lazy[i] ?? 0) + 1) === 0) node.flush(db)
    }
    // a paused node does nothing, even if it believes that it leads
    const acting = nodes.filter((node) => now >= node.pausedUntil && now >= node.deadUntil && node.isLeader(now))
    mostLeaders = Math.max(mostLeaders, acting.length)
  }
  return { db, nodes, mostLeaders, end }
}

test('with any failures of processes and connections, no samples overlap, none are missing, and at most one process leads', () => {
  fc.assert(
    fc.property(cluster, (scenario) => {
      const { db, mostLeaders, nodes, end } = simulate(scenario)
      expect(mostLeaders).toBeLessThanOrEqual(1)
      expect(nodes.filter((node) => node.isLeader(end))).toHaveLength(1)
      for (let device = 0; device < DEVICES; device++) {
        const own = db.samples.filter((sample) => sample.device === device).sort((a, b) => a.from - b.from)
        expect(own.length).toBeGreaterThan(5)
        own.slice(1).forEach((sample, i) => {
          expect(sample.from).toBe(own[i]?.to ?? Number.NaN)
        })
        expect(own.at(-1)?.to).toBe(db.states.get(device) ?? Number.NaN)
        // there are no failures in the last minute, so it is polled again
        expect(end - (own.at(-1)?.to ?? 0)).toBeLessThanOrEqual(LEASE_MS + BEAT_MS + 2 * INTERVAL_MS)
      }
    }),
    { numRuns: 300 },
  )
})

test('without comparing claims, the simulation finds overlapping samples', () => {
  const found = fc.check(
    fc.property(cluster, (scenario) => {
      const write = Database.prototype.write
      Database.prototype.write = function ({ sample, device, read }) {
        if (sample !== null) this.samples.push(sample)
        this.states.set(device, read)
        return true
      }
      try {
        const { samples } = simulate(scenario).db
        return Array.from({ length: DEVICES }, (_, device) => device).every((device) => {
          const own = samples.filter((sample) => sample.device === device).sort((a, b) => a.from - b.from)
          return own.slice(1).every((sample, i) => sample.from >= (own[i]?.to ?? 0))
        })
      } finally {
        Database.prototype.write = write
      }
    }),
    { numRuns: 200 },
  )
  expect(found.failed).toBe(true)
})
