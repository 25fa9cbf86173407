import { readByOs } from './forms.ts'

/** The program that logged a message, and the rest of the message. */
export interface Spoken {
  /** Upper case, at most 32 characters. */
  readonly program: string | null
  readonly msg: string | null
}

const MAX_PROGRAM = 32
/** Only this many characters are searched, because the program name is near the beginning. */
const HEAD = 256

/**
 * Cisco: `%SYS-5-CONFIG_I: Configured`, optionally preceded by sequence number, time or card: `%CARD-3-SLOT:3 %SYS-5-X:
 * ...`.
 */
const CISCO = /((?:%?[A-Za-z][\w-]*(?:-\w+)?:\s?\w*\s+)?%[A-Za-z]\w*(?:[-\s]\w+)*-\w+)\s*:\s*/
/** The same without the percent sign, and only at the beginning: `SYS-5-CONFIG_I: Configured`. */
const CISCO_BARE = /^\s*([A-Z][A-Z0-9_]*(?:-[A-Z0-9_]+)*-[0-7]-[A-Z0-9_]+)\s*:\s*/
/** Linux: `sshd[812]: text`, `CRON(root): text`, `pam_unix(sudo:session): text`. */
const LINUX = /^\s*([\w./@-]+)(?:\([^)]*\)|\[[^\]]*\])\s*:\s*/
/** ProCurve: `00077 ports: port 3 is now off-line`; the number is the event. */
const PROCURVE = /^\s*(?:[A-Z]?\d{3,5}:?\s+)?(?:[A-Z]{1,3}\d?:\s+)?([A-Za-z][\w-]*):\s+/
/** ZyWALL: `src="..." msg="blocked" cat="Firewall"`. */
const ZYWALL = /\bcat="([^"]+)"/

type Split = (message: Message) => Spoken | null
interface Message {
  readonly program: string | null
  readonly facility: string | null
  readonly msg: string
}

const cisco: Split = ({ msg }) => parts(msg, CISCO) ?? parts(msg, CISCO_BARE)

const SPLITS: Readonly<Record<string, Split>> = {
  ios: cisco,
  iosxe: cisco,
  catos: cisco,
  linux: ({ program, facility, msg }) => {
    if (program !== null) return null
    return parts(msg, LINUX) ?? (facility === null ? null : { program: facility, msg })
  },
  procurve: ({ msg }) => parts(msg, PROCURVE),
  zywall: ({ msg }) => {
    const category = ZYWALL.exec(msg)?.[1]
    return category === undefined ? null : { program: category, msg }
  },
}

/**
 * The program of a message, which on some operating systems is part of the text. If there is none, the message becomes
 * the program; if the message is longer than a program may be, it is kept as well. Source: contract BEHAVIOUR.md,
 * syslogsink.
 */
export function spoken(os: string | null, message: Message): Spoken {
  const split = (os === null ? null : SPLITS[os]?.(message)) ?? withoutProgram(os, message)
  const { program, msg } = split ?? message
  const name = program?.trim() ?? ''
  if (name !== '') return { program: cut(name), msg }
  const text = (msg ?? '').trim()
  return { program: cut(text), msg: text.length > MAX_PROGRAM ? msg : null }
}

/** Of other operating systems, if the collector gave no program. */
function withoutProgram(os: string | null, { program, msg }: Message): Spoken | null {
  return program !== null || (os !== null && os in SPLITS) ? null : readByOs(msg.trim(), os)
}

/** The program matched by the pattern, and the text after it. */
function parts(msg: string, pattern: RegExp): Spoken | null {
  const match = pattern.exec(msg.slice(0, HEAD))
  if (match === null) return null
  return { program: match[1] ?? null, msg: msg.slice(match.index + match[0].length) }
}

const cut = (name: string): string => name.toUpperCase().slice(0, MAX_PROGRAM).toWellFormed()
