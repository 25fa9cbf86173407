import type { DeviceClock } from '../clock.ts'

/** What the text of a message says beside its header. */
export interface MessageText {
  /** As written; null: none. */
  readonly program: string | null
  readonly msg: string
  /** Name of the device, where its operating system writes it into the text. */
  readonly host?: string | null
  readonly clock?: DeviceClock | null
}

/** A form in which the devices of one vendor write the text of messages. */
export interface Form {
  /** Operating systems whose messages are tried with this form first. */
  readonly os: readonly string[]
  /** Whether it is so distinctive that it is tried with messages of any sender. */
  readonly anyone: boolean
  /** Reads a text; null: it has another form. Takes time in proportion to the text's beginning, at most 512 characters. */
  readonly read: (text: string) => MessageText | null
}

/** Only this many characters are searched: a form shows at the beginning. */
export const HEAD = 512

/** A form that is one pattern at the beginning: group 1 is the program, the message is the rest. */
export function prefixed(pattern: RegExp): Form['read'] {
  return (text) => {
    const match = pattern.exec(text.slice(0, HEAD))
    return match?.index === 0 ? { program: match[1] ?? null, msg: text.slice(match[0].length) } : null
  }
}

/** A form whose pattern names the program (group 1) and stays part of the message. */
export function named(pattern: RegExp): Form['read'] {
  return (text) => {
    const program = pattern.exec(text.slice(0, HEAD))?.[1]
    return program === undefined ? null : { program, msg: text }
  }
}
