import { type Form, prefixed } from './form.ts'

/** Snare: fields separated by tabs, which arrive as blanks. */
const SNARE = /^(MSWinEventLog|LinuxKAudit|ApacheLog)[ ,\t]+/
/** iLO writes its generation: `#ILO 5: 10/05/2026 22:14 Browser login: ann`. */
const ILO = /^(#ILO \d{1,2}): ?/

/**
 * The tag of RFC 3164 §4.1.3 as programs write it: `sshd[812]: `, `CRON(root): `, `(systemd)[1]: `, `c++filt[9]: `,
 * `/usr/sbin/cron[12]: `, `eventd_to_syslog(): `, `TRAPMGR[tTrapTask]: `. A colon must follow, or a process in brackets.
 */
const TAG = /^([A-Za-z_/(.@][\w./@+()#~*-]{0,63}?)(?:\[[^\]\s]{0,64}\]|\([\w:. -]{0,64}\))?:(?![:/]) ?/
const TAG_WITH_PROCESS = /^([\w./@+()#~*-]{1,64})\[\d{1,10}\](?:: ?| )/

const tag = prefixed(TAG)
const tagWithProcess = prefixed(TAG_WITH_PROCESS)

/** The tag without what belongs to it only as an instance: `eventd_to_syslog()`. */
export const readTag: Form['read'] = (text) => {
  const said = tagWithProcess(text) ?? tag(text)
  return said === null ? null : { ...said, program: said.program?.replace(/\(\)$/, '') ?? null }
}

export const HOSTS: readonly Form[] = [
  { os: ['windows'], anyone: true, read: prefixed(SNARE) },
  { os: ['hpe-ilo'], anyone: true, read: prefixed(ILO) },
]
