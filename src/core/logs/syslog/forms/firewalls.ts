import { type Form, HEAD, type MessageText, named, prefixed } from './form.ts'

/** PAN-OS: `1,time,serial,TYPE,subtype,...`; the first field is reserved and may be empty. The message stays whole. */
const PANOS = /^\d{0,2},\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d,[\dA-Za-z]{0,20},([A-Z][A-Z\d_-]{1,30}),/
/** Fireware: serial number, local time, then the process. */
const FIREWARE = /^(?:[0-9A-F]{4,20} )?\(\d{4}-\d\d-\d\dT[\d:.]{8,15}\) ([\w.-]{1,64})(?:\[\d{1,10}\])?: ?/
/** BIG-IP writes the severity before the program. */
const BIGIP = /^(?:emerg|alert|crit|err|error|warning|warn|notice|info|debug) ([\w./-]{1,64})(?:\[\d{1,10}\])?: ?/
/** NetScaler: the packet engine, the partition, then feature, event and two numbers. */
const NETSCALER = /^(?:\d{1,3}-)?PPE-\d{1,3} : (?:[\w-]{1,32} )?([A-Z][A-Z\d_]{1,31}) (?=[A-Z][A-Z\d_]{1,63} \d{1,12} )/
const SCREENOS = /^(?:([\w.-]{1,64}): )?NetScreen (device_id=([\w.-]{1,64}))/
/** The first of the formats of ArcSight and QRadar. */
const EVENT_FORMAT = /^(CEF|LEEF): ?(?=\d)/

/** `name=value name="a value"`, also with commas between. */
const PAIRS = /^\s{0,8}[A-Za-z_][\w.-]{0,40}=(?:"|[^\s"])/
/** Names of the members that say what kind of message it is, the most telling first. */
const KINDS = ['log_type', 'type', 'cat', 'logtype', 'event_type', 'id']
const KIND = /(?:^|[\s,])(log_type|type|cat|logtype|event_type|id)=(?:"([^"]{1,64})"|([\w.-]{1,64}))/g
const DEVICE = /(?:^|[\s,])(?:devname|device_name)=(?:"([\w.-]{1,255})"|([\w.-]{1,255}))/

/** FortiOS, SonicOS, Sophos, ZyWALL and others: pairs only. The kind of message is the program. */
function pairs(text: string): MessageText | null {
  if (!PAIRS.test(text)) return null
  const head = text.slice(0, 2 * HEAD)
  const found = new Map<string, string>()
  for (const [, name = '', quoted, bare] of head.matchAll(KIND)) {
    if (!found.has(name)) found.set(name, quoted ?? bare ?? '')
  }
  const kind = KINDS.map((name) => found.get(name)).find((value) => value !== undefined && !/^\d+$/.test(value))
  if (kind === undefined && !/^\s*[\w.-]+=\S*[\s,]+[\w.-]+=/.test(head)) return null
  const device = DEVICE.exec(head)
  return { program: kind ?? null, msg: text.trimStart(), host: device?.[1] ?? device?.[2] ?? null }
}

function screenos(text: string): MessageText | null {
  const match = SCREENOS.exec(text.slice(0, HEAD))
  if (match === null) return null
  const [whole, host, member = '', device] = match
  return { program: 'NetScreen', msg: text.slice(whole.length - member.length), host: host ?? device ?? null }
}

export const FIREWALLS: readonly Form[] = [
  { os: ['panos'], anyone: true, read: named(PANOS) },
  { os: ['fireware'], anyone: true, read: prefixed(FIREWARE) },
  { os: ['f5'], anyone: true, read: prefixed(BIGIP) },
  { os: ['netscaler'], anyone: true, read: prefixed(NETSCALER) },
  { os: ['screenos'], anyone: true, read: screenos },
  { os: [], anyone: true, read: prefixed(EVENT_FORMAT) },
  { os: ['fortigate', 'sonicwall', 'sophos', 'zywall'], anyone: true, read: pairs },
]
