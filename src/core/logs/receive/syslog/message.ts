import type { DeviceClock } from '../../syslog/clock.ts'

/** A syslog message as it was sent. */
export interface ParsedSyslog {
  /** Names for the values in RFC 5424 §6.2.1 as in syslog-ng: `local7`, `notice`. Null: the message has no PRI. */
  readonly facility: string | null
  readonly level: string | null
  /** PRI in hexadecimal. */
  readonly tag: string | null
  /** The host in the header; null: none. */
  readonly hostname: string | null
  /** A name of the device within the text, such as FortiOS's devname; null: none. */
  readonly devname: string | null
  /** APP-NAME, the TAG of RFC 3164, or what stands for it in the vendor's form; null: none. */
  readonly program: string | null
  /** The time in the message; null: none. */
  readonly clock: DeviceClock | null
  /** The text after the header, with the program. */
  readonly content: string
  /** The text without the program. */
  readonly msg: string
  /** Whether the program is certain, so that the sender's operating system tells nothing more. */
  readonly isCertain: boolean
}

/** The parts of a message after PRI. */
export type Body = Pick<ParsedSyslog, 'hostname' | 'devname' | 'program' | 'clock' | 'content' | 'msg' | 'isCertain'>
