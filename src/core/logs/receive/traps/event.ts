import { formatVarbind } from '@portlight/snmp/format.ts'
import type { SnmpNotification } from '@portlight/snmp/notification.ts'
import type { Varbind } from '@portlight/snmp/value.ts'
import { nameOf } from '../../../../mibs/names.ts'
import { NOTIFIED_COLUMNS, notificationOf } from '../../../../mibs/notifications.ts'

/** The event stored for a notification. */
export interface TrapEvent {
  readonly message: string
  /** 0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
  readonly severity: number
  /** ifIndex of linkUp and linkDown; null for other notifications, or if it is missing. */
  readonly ifIndex: number | null
  /** Whether to poll the device now. */
  readonly poll: boolean
}

const MAX_VARBINDS = 20
/** Maximum characters of one varbind, and of a message. */
const MAX_VARBIND = 160
const MAX_MESSAGE = 2000
/** SNMP-COMMUNITY-MIB::snmpTrapAddress and snmpTrapCommunity (RFC 3584 §3.1); the latter is a secret. */
const PROXIED = '1.3.6.1.6.3.18.1.'

const SNMP_TRAPS = '1.3.6.1.6.3.1.1.5.'
/** Severity of a notification that is not listed: it is worth reading, but nobody knows what it means. */
const NOT_LISTED = 2
const IF_INDEX = '1.3.6.1.2.1.2.2.1.1.'
/** Columns of ifTable and ifXTable, such as ifOperStatus, whose index is the ifIndex. */
const IF_COLUMN = /^1\.3\.6\.1\.2\.1\.(?:2\.2\.1|31\.1\.1\.1)\.\d+\.(\d+)$/

/** The event for a notification: its name and varbinds, in dotted decimal if our MIB tables do not know them. */
export function trapEvent({ trap, varbinds }: SnmpNotification): TrapEvent {
  const generic = trap.startsWith(SNMP_TRAPS) ? Number(trap.slice(SNMP_TRAPS.length)) : 0
  const shown = varbinds.filter(({ oid }) => !oid.startsWith(PROXIED))
  const parts = shown.slice(0, MAX_VARBINDS).map((varbind) => cut(varbindText(varbind), MAX_VARBIND))
  const more = shown.length > MAX_VARBINDS ? [`${shown.length - MAX_VARBINDS} more`] : []
  const kind = notificationOf(trap)
  const name = kind?.name ?? nameOf(trap)?.text ?? trap
  const text = [...parts, ...more].join(', ')
  return {
    message: cut(`SNMP trap ${name}${text === '' ? '' : `: ${text}`}`, MAX_MESSAGE),
    severity: kind?.severity ?? NOT_LISTED,
    ifIndex: generic === 3 || generic === 4 ? ifIndexOf(varbinds) : null,
    poll: generic >= 1 && generic <= 4,
  }
}

function varbindText(varbind: Varbind): string {
  const { value } = varbind
  const label =
    value.kind === 'ObjectIdentifier' ? (notificationOf(value.value)?.name ?? nameOf(value.value)?.text) : null
  const dot = varbind.oid.lastIndexOf('.')
  const column = NOTIFIED_COLUMNS.get(varbind.oid.slice(0, dot))
  const named = column === undefined ? (nameOf(varbind.oid)?.text ?? varbind.oid) : column + varbind.oid.slice(dot)
  if (label) return `${named} = ${label}`
  const text = formatVarbind(varbind, { name: named, label: null })
  // Types are of little use in a log: `ifIndex.3 = 3`, not `= INTEGER: 3`.
  return text.replace(/ = [A-Z][\w-]*: /, ' = ').replace(/[\0\r\n\t]/g, ' ')
}

function ifIndexOf(varbinds: readonly Varbind[]): number | null {
  for (const { oid, value } of varbinds)
    if (oid.startsWith(IF_INDEX) && value.kind === 'Integer32' && value.value > 0) return value.value
  for (const { oid } of varbinds) {
    const index = Number(IF_COLUMN.exec(oid)?.[1])
    if (Number.isSafeInteger(index) && index > 0) return index
  }
  return null
}

const cut = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed()
