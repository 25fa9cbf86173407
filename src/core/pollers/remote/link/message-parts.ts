import { MessageError } from './checks.ts'
import { MAX_PACKED } from './message.ts'
import type { PartPosition } from './position.ts'

/** Puts messages together whose parts arrive in order. */
export interface MessageParts {
  /** Returns the message if this was its last part, else null. Throws MessageError. */
  add(part: PartPosition, opened: Uint8Array): Uint8Array | null
  /** Whether a message has begun and not ended. */
  isOpen(): boolean
  /** Forgets the parts of a message that will not be completed. */
  clear(): void
}

/** `cutOff` is called when a message begins before the end of the previous one: the stream had filled up. */
export function createMessageParts(cutOff: () => void): MessageParts {
  let parts: Uint8Array[] = []
  let last: PartPosition | null = null

  function clear(): void {
    parts = []
    last = null
  }

  return {
    add(part, opened) {
      const follows =
        last !== null && last.epoch === part.epoch && last.sequence === part.sequence && last.part + 1 === part.part
      if (part.part > 0 && !follows) throw new MessageError('incomplete', 'an earlier part of the message is missing')
      if (part.part === 0 && parts.length > 0) cutOff()
      parts = part.part === 0 ? [opened] : [...parts, opened]
      last = part
      if (parts.reduce((octets, { length }) => octets + length, 0) > MAX_PACKED)
        throw new MessageError('too_large', 'the message is too large')
      if (part.part + 1 < part.parts) return null
      const whole = Buffer.concat(parts)
      clear()
      return whole
    },
    isOpen: () => parts.length > 0,
    clear,
  }
}
