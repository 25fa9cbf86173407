import { type Form, named, prefixed } from './form.ts'

/**
 * ProCurve, ArubaOS-Switch: the number of the event, the module, on a stack its member. Older ones put severity and time
 * before it.
 */
const PROCURVE =
  /^(?:[IWMDEC] \d\d\/\d\d\/\d\d \d\d:\d\d:\d\d )?(?:[A-Z]?\d{3,5}:?\s{1,8})(?:[A-Z]{1,3}\d?:\s{1,8})?([A-Za-z][\w-]{0,40}):\s{1,8}/
/** The same without a number, as a collector may pass it on. */
const PROCURVE_BARE = /^(?:[A-Z]{1,3}\d?:\s{1,8})?([A-Za-z][\w-]{0,40}):\s{1,8}/
/** EXOS: `<Info:vlan.msgs.portLinkStateUp>`, also after the slot. */
const EXOS = /^(?:Slot-\d{1,2}: )?<(?:Crit|Erro|Warn|Noti|Info|Summ|Verb|Deb)\w*:([\w.-]{1,64})> ?/
/** VOSS: card, codes, router instance, then module and severity. */
const VOSS =
  /^(?:CP\d|IO\d{1,2}|HW\w*)\s{1,4}[-\w]{0,20}\s{0,4}-?\s?0x[0-9a-f]{6,8} - (?:[0-9a-f]{8} )?(?:\S{1,40} )?(?=[A-Z])([A-Z][\w-]{1,20}) (?=(?:INFO|WARNING|ERROR|FATAL|SETUP)\b)/i
/** OmniSwitch: `swlogd INTERFACE(6) Info: text`. */
const OMNISWITCH = /^(?:\(\S{1,64}\) )?(swlogd):? /
/** SAOS: local or remote, severity, then the module. */
const SAOS = /^(?:\[\w+\] ?)?(?:\S{1,64}: ?\s?)?(?:\[\w+\] ?)?Sev:\d{1,2} ([\w-]{1,40})(?:\([^)]{0,40}\))?: ?:?/
/** Junos: a line card without a process. */
const JUNOS_CARD = /^((?:fpc|pfe|spc|tfeb|afeb|feb|scb|cluster)\d{0,2}(?:\.\S{1,16})?) (?=\S)/

export const SWITCHES: readonly Form[] = [
  { os: ['procurve'], anyone: true, read: prefixed(PROCURVE) },
  { os: ['procurve'], anyone: false, read: prefixed(PROCURVE_BARE) },
  { os: ['xos', 'exos'], anyone: true, read: prefixed(EXOS) },
  { os: ['voss', 'boss'], anyone: true, read: named(VOSS) },
  { os: ['aos', 'aos6', 'aos7'], anyone: true, read: prefixed(OMNISWITCH) },
  { os: ['ciena-saos'], anyone: true, read: prefixed(SAOS) },
  { os: ['junos'], anyone: false, read: prefixed(JUNOS_CARD) },
]
