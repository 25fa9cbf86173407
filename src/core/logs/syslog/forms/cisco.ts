import { isIP } from 'node:net'
import { type DeviceClock, readClock } from '../clock.ts'
import { type Form, HEAD, type MessageText, prefixed } from './form.ts'

/**
 * The messages of Cisco and of those who write like it: parts that may each be missing, then `%FACILITY-SEVERITY-MNEMONIC:`
 * and the text.
 *
 * - IOS, IOS-XE: `seq: host: seq: *time: %SYS-5-X: text`; the time may be the uptime (`13w1d`).
 * - NX-OS, UCS: `: 2026 Oct  5 22:14:15 UTC: %X-5-Y: text`.
 * - IOS XR: `seq: host RP/0/RSP0/CPU0:time : process[pid]: %X-Y-5-Z : text`.
 * - ASA, FTD: `time host : %ASA-4-106023: text`, `time host  %FTD-1-430003: text`.
 * - AireOS: `host: *task: time: %X-5-Y: text`, later with `#` for `%`.
 * - FTOS (Dell OS9): `time: %STKUNIT0-M:CP %X-5-Y: text`; Small Business, PowerConnect: `%X-W-Y: text`.
 */

/** With the unit of a stack or a card before it. */
const MNEMONIC =
  /[%#](?:\w[\w-]{0,30}:\w{0,8} {1,2}%)?[A-Za-z]\w{0,40}(?:-{1,2}\w{1,60}){1,5}(?:-\w{1,60}(?=:))?(?= ?:)/y
const SEQUENCE = /\d{1,12}: */y
const UPTIME = /(?:(?:\d{1,4}[ywdhms]){1,4}|\d{1,3}:\d\d:\d\d(?:\.\d{1,6})?): */y
/** `RP/0/RSP0/CPU0:`, `0/RP0/ADMIN0:`. */
const NODE = /[A-Z\d]{1,4}\/\w{1,8}(?:\/\w{1,8}){0,3} ?: */y
const TASK = /\*[\w-]{1,64}: +/y
const PROCESS = /[\w./-]{1,64}(?:\[\d{1,10}\])? ?: */y
/** A word that may be a host name, and the colon that sets it apart from what follows. */
const WORD = /((?:::)?[A-Za-z\d](?:[\w.-]|:(?=\S)){0,254})(:| +:(?=[ %]))? */y
const MAX_PARTS = 10

/** `isTop`: the text has no header of its own, so that it may begin with a host name. */
export function readCisco(text: string, isTop: boolean): MessageText | null {
  const head = text.slice(0, HEAD)
  if (!head.includes('%') && !head.includes('#')) return null
  let [at, host, clock]: [number, string | null, DeviceClock | null] = [0, null, null]
  let [isXr, isNumbered, isTasked] = [false, false, false]
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(head)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    while (head[at] === ' ' || (head[at] === ':' && head[at + 1] !== ':')) at++
    if ((head[at] === '*' || head[at] === '.') && head[at + 1] === '%') at++
    if (head[at] === '%' || (head[at] === '#' && isTasked)) return mnemonic(text, head, at, { host, clock })
    const read = readClock(head, at)
    if (read !== null) {
      clock = read.clock
      at = read.end
      isNumbered ||= read.colon
    } else if (take(SEQUENCE) !== null || take(UPTIME) !== null) isNumbered = true
    else if (take(TASK) !== null) isTasked = true
    else if (take(NODE) !== null) isXr = true
    else if (isXr && take(PROCESS) !== null) continue
    else {
      const word: RegExpExecArray | null = host === null ? take(WORD) : null
      if (word === null) return null
      host = word[1] ?? null
      // `agent: %X-5-Y:` is how Arista and Junos write; the word is a program
      const isAgent = word[2] === ':' && head[at] === '%' && !isNumbered && isIP(host ?? '') === 0
      if (isAgent || (!isTop && !isNumbered && clock === null && !partFollows(head, at))) return null
    }
  }
  return null
}

/** Whether a part of Cisco's header follows a word, which is then a host name. */
function partFollows(head: string, at: number): boolean {
  return (
    /^(?:\*[\w-]+: |\d+: |[A-Z\d]{1,4}\/\w+[/:]|:? ?%)/.test(head.slice(at, at + 80)) || readClock(head, at) !== null
  )
}

function mnemonic(
  text: string,
  head: string,
  at: number,
  rest: Pick<MessageText, 'host' | 'clock'>,
): MessageText | null {
  MNEMONIC.lastIndex = at
  const match = MNEMONIC.exec(head)
  if (match === null) return null
  let end = MNEMONIC.lastIndex
  while (text[end] === ' ' || text[end] === ':') end++
  return { program: match[0].replace(/^#/, '%').replace(/ {2,}/, ' '), msg: text.slice(end), ...rest }
}

/** A mnemonic anywhere at the beginning, for messages of operating systems that are known to write one. */
const ANYWHERE = /%(?:\w[\w-]{0,30}:\w{0,8} {1,2}%)?[A-Za-z]\w{0,40}(?:-{1,2}\w{1,60}){1,5} ?: */
/** The same without the percent sign, and only at the beginning: `SYS-5-CONFIG_I: Configured`. */
const BARE = /^\s*([A-Z][A-Z0-9_]{0,40}(?:-[A-Z0-9_]{1,60}){0,4}-[0-7]-[A-Z0-9_]{1,60})\s?:\s*/

const anywhere: Form['read'] = (text) => {
  const match = ANYWHERE.exec(text.slice(0, 256))
  if (match === null) return null
  return { program: match[0].replace(/ ?: *$/, ''), msg: text.slice(match.index + match[0].length) }
}
const bare = prefixed(BARE)

export const CISCO: readonly Form[] = [
  // ISE: category, then the number of the message, of its parts, and which part this is
  { os: ['ise'], anyone: true, read: prefixed(/^(CISE_\w{1,60}) (?=\d{6,12} \d{1,4} \d{1,4} )/) },
  {
    os: ['ios', 'iosxe', 'iosxr', 'nxos', 'asa', 'ftd', 'catos', 'ciscowlc', 'ciscosb', 'cimc', 'ftos', 'dnos'],
    anyone: false,
    read: (text) => readCisco(text, false) ?? anywhere(text) ?? bare(text),
  },
]
