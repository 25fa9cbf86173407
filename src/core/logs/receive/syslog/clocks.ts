import { duration } from '../../../availability/write.ts'

/** Beyond this, a clock is wrong; below half of it, it is right again, seconds. */
const WRONG_S = 120
/** How long it must have been wrong, or right again, ms, and in how many messages: late messages are not a wrong clock. */
const SETTLED_MS = 600_000
const SETTLED_MESSAGES = 3
const MAX_DEVICES = 100_000

interface Watched {
  wrong: boolean
  /** What the last event said. */
  told: boolean
  sinceMs: number
  messages: number
}

/** An event about the clock of a device. */
export interface ClockEvent {
  readonly message: string
  /** 1 ok, 4 warning. */
  readonly severity: 1 | 4
}

/** Watches the clocks of devices by the times in their messages. */
export class DeviceClocks {
  private readonly watched = new Map<number, Watched>()

  /** Returns an event when the clock of a device has been wrong, or right again, for ten minutes. */
  note(deviceId: number, driftS: number | null, nowMs: number): ClockEvent | null {
    if (driftS === null) return null
    const off = Math.abs(driftS)
    const known = this.watched.get(deviceId)
    // most clocks are right and were never wrong: nothing to remember
    if (known === undefined && off < WRONG_S) return null
    const wrong = off >= WRONG_S || (known?.wrong === true && off >= WRONG_S / 2)
    if (known === undefined || known.wrong !== wrong) {
      if (known === undefined && this.watched.size >= MAX_DEVICES) return null
      this.watched.set(deviceId, { wrong, told: known?.told ?? false, sinceMs: nowMs, messages: 1 })
      return null
    }
    known.messages++
    if (known.messages < SETTLED_MESSAGES || nowMs - known.sinceMs < SETTLED_MS) return null
    if (!wrong) this.watched.delete(deviceId)
    if (known.told === wrong) return null
    known.told = wrong
    return wrong
      ? {
          message: `The device's clock is ${driftText(driftS)}, according to its syslog messages`,
          severity: 4,
        }
      : { message: "The device's clock is right again, according to its syslog messages", severity: 1 }
  }
}

/** `5m 3s ahead`, `2h behind`. */
export function driftText(driftS: number): string {
  return `${duration(Math.abs(driftS))} ${driftS < 0 ? 'behind' : 'ahead'}`
}
