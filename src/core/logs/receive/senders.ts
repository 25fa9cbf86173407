import type { Store } from '../../database/client.ts'
import { type SyslogSender, syslogSenders } from '../read-syslog-senders.ts'

/** How long the result of a lookup is cached, ms. */
const HOLDS_MS = 60_000
const MAX_KNOWN = 50_000

interface Known {
  readonly sender: SyslogSender | null
  /** `performance.now()` until which it holds. */
  readonly until: number
}

/** Caches devices by name or address of a sender, also unknown ones, for a minute. Strangers are forgotten first. */
export class Senders {
  private readonly known = new Map<string, Known>()

  constructor(private readonly store: Store) {}

  /** Looks up names and addresses, in lower case, that are not cached. Throws StoreError. */
  async learn(hosts: Iterable<string>): Promise<void> {
    const now = performance.now()
    const missing = [...new Set(hosts)].filter((host) => (this.known.get(host)?.until ?? 0) <= now)
    if (missing.length === 0) return
    const found = await syslogSenders(this.store, { kind: 'all' }, missing, true)
    for (const host of missing) {
      this.known.delete(host)
      this.known.set(host, { sender: found.get(host) ?? null, until: now + HOLDS_MS })
    }
    this.shed(({ sender }) => sender === null)
    this.shed(() => true)
  }

  /** Forgets the oldest of these beyond the limit. */
  private shed(isOf: (known: Known) => boolean): void {
    for (const [host, known] of this.known) {
      if (this.known.size <= MAX_KNOWN) return
      if (isOf(known)) this.known.delete(host)
    }
  }

  of(host: string): SyslogSender | null {
    return this.known.get(host)?.sender ?? null
  }

  /** Whether it is a device; null: it has not been looked up, or was unknown a while ago. */
  knows(host: string): boolean | null {
    const known = this.known.get(host)
    if (known === undefined) return null
    return known.sender !== null || (known.until > performance.now() ? false : null)
  }

  forget(): void {
    this.known.clear()
  }
}
