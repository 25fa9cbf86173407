import type { Held } from './plan.ts'
import type { MessagePart } from './write-messages.ts'

/** What became of an alert over the notifications of a message. */
export type Happened = 'began' | 'continues' | 'changed' | 'acknowledged' | 'ended' | 'passed'

/** An alert of a message: its last notification, and what happened. */
export interface SummaryLine {
  readonly what: Happened
  readonly part: MessagePart
}

/** Everything that a message of several notifications says. */
export interface Summary {
  readonly title: string
  readonly kind: 'alert' | 'recovery' | 'ack' | 'changed'
  readonly severity: string
  /** 0: all of it ended. */
  readonly state: 0 | 1 | 2 | 5
  /** Problems first, the most severe first, then in order. */
  readonly lines: readonly SummaryLine[]
  /** Numbers of alerts by rule, the most first; none if there is one rule. */
  readonly rules: readonly (readonly [rule: string, alerts: number])[]
  /** The only device; null: several. */
  readonly device: { readonly id: number; readonly name: string; readonly location: string | null } | null
  readonly devices: number
  readonly rule: { readonly id: number; readonly name: string } | null
  /** The smallest id; 0: none. */
  readonly alertId: number
  /** What was held back, as a sentence; null: nothing. */
  readonly held: string | null
}

const SEVERITIES = ['critical', 'warning', 'ok']
const rank = (severity: string) => {
  const at = SEVERITIES.indexOf(severity)
  return at < 0 ? SEVERITIES.length : at
}
const ORDER: readonly Happened[] = ['began', 'continues', 'changed', 'acknowledged', 'passed', 'ended']

/** The latest notification of each alert that is still a problem. */
export const openParts = (parts: readonly MessagePart[]): readonly MessagePart[] =>
  summaryOf(parts, null).lines.flatMap(({ what, part }) => (what === 'ended' || what === 'passed' ? [] : [part]))

/** Puts notifications of several alerts, in the order in which they were stored, into one message. Needs at least one. */
export function summaryOf(parts: readonly MessagePart[], held: Held | null): Summary {
  const lines = [...byAlert(parts).values()]
    .map((some): SummaryLine | null => {
      const part = some.at(-1)
      return part === undefined ? null : { what: happened(some), part }
    })
    .filter((line) => line !== null)
    .toSorted(
      (a, b) =>
        ORDER.indexOf(a.what) - ORDER.indexOf(b.what) ||
        rank(a.part.severity) - rank(b.part.severity) ||
        a.part.id - b.part.id,
    )
  const devices = new Map(lines.map(({ part }) => [part.device_id ?? 0, part]))
  const rules = countsOf(lines.map(({ part }) => part.rule))
  const [first] = lines
  const open = lines.filter(({ what }) => what !== 'ended' && what !== 'passed')
  const loud = open.length > 0 ? open : lines
  const ids = lines.flatMap(({ part }) => (part.alert_id === null ? [] : [part.alert_id]))
  return {
    title: titleOf(lines, devices.size, rules),
    ...kindOf(lines),
    severity: SEVERITIES.find((one) => loud.some(({ part }) => part.severity === one)) ?? 'critical',
    lines,
    rules: rules.length > 1 ? rules : [],
    device:
      devices.size === 1 && first !== undefined
        ? { id: first.part.device_id ?? 0, name: first.part.device, location: first.part.location }
        : null,
    devices: devices.size,
    rule: rules.length === 1 && first !== undefined ? { id: first.part.rule_id ?? 0, name: first.part.rule } : null,
    alertId: ids.length === 0 ? 0 : Math.min(...ids.slice(0, MAX_IDS)),
    held: held === null ? null : heldText(held, lines.length),
  }
}

/** Parts are in order of time, so that the smallest id is rarely far behind. */
const MAX_IDS = 10_000

function byAlert(parts: readonly MessagePart[]): Map<string, MessagePart[]> {
  const alerts = new Map<string, MessagePart[]>()
  for (const part of parts) {
    const key = part.alert_id === null ? `n${part.id}` : String(part.alert_id)
    const some = alerts.get(key)
    if (some === undefined) alerts.set(key, [part])
    else some.push(part)
  }
  return alerts
}

function happened(parts: readonly MessagePart[]): Happened {
  const kinds = parts.map(({ kind }) => kind)
  const last = kinds.at(-1)
  if (last === 'recovery') return kinds[0] === 'alert' ? 'passed' : 'ended'
  if (kinds.includes('alert')) return last === 'ack' ? 'acknowledged' : 'began'
  if (last === 'ack') return 'acknowledged'
  return last === 'repeat' ? 'continues' : 'changed'
}

function kindOf(lines: readonly SummaryLine[]): Pick<Summary, 'kind' | 'state'> {
  const all = new Set(lines.map(({ what }) => what))
  if (all.has('began') || all.has('continues')) return { kind: 'alert', state: 1 }
  if (all.has('changed')) return { kind: 'changed', state: 5 }
  return all.has('acknowledged') ? { kind: 'ack', state: 2 } : { kind: 'recovery', state: 0 }
}

const HEADS: Readonly<Record<Happened, string>> = {
  began: 'Alert',
  continues: 'Alert, still active',
  changed: 'Changed',
  acknowledged: 'Acknowledged',
  ended: 'Recovered',
  passed: 'Began and recovered',
}
const COUNTED: Readonly<Record<Happened, string>> = {
  began: 'began',
  continues: 'still active',
  changed: 'changed',
  acknowledged: 'acknowledged',
  ended: 'recovered',
  passed: 'began and recovered',
}

/** `Alert: Port down on 100 devices behind core-1, 5,000 faults`, or `12 alerts: 9 began, 3 recovered; on 10 devices`. */
function titleOf(
  lines: readonly SummaryLine[],
  devices: number,
  rules: readonly (readonly [string, number])[],
): string {
  const [first] = lines
  if (first === undefined) return ''
  const { what, part } = first
  // about transports: their titles say all
  if (lines.every((line) => line.part.alert_id === null))
    return lines.length === 1 ? part.title : `${part.title}, and ${lines.length - 1} more`
  const same = lines.every((line) => line.what === what)
  const parent = lines.every((line) => line.part.parent === part.parent) ? part.parent : null
  const place =
    devices === 1 ? part.device : `${counted(devices, 'device')}${parent === null ? '' : ` behind ${parent}`}`
  const sum = lines.reduce((all, line) => all + line.part.faults, 0)
  const faults = what === 'ended' || what === 'passed' || sum <= lines.length ? '' : `, ${counted(sum, 'fault')}`
  if (same) {
    const rule = rules.length === 1 ? part.rule : counted(lines.length, 'alert')
    return `${HEADS[what]}: ${rule} on ${place}${faults}`
  }
  const counts = ORDER.flatMap((one) => {
    const number = lines.filter((line) => line.what === one).length
    return number === 0 ? [] : [`${number.toLocaleString('en')} ${COUNTED[one]}`]
  })
  return `${counted(lines.length, 'alert')} on ${place}: ${counts.join(', ')}`
}

const counted = (n: number, what: string) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`

function countsOf(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : a > b ? 1 : 0))
}

const WHY: Readonly<Record<Held['why'], string>> = {
  many: 'because many messages had just been sent',
  rate: 'by the rate limit of this transport',
  failing: 'because they could not be sent earlier',
}

/** `Held back for 4m because many messages had just been sent: 87 alerts.` */
export function heldText({ why, seconds }: Held, alerts: number): string {
  return `Held back for up to ${span(seconds)} ${WHY[why]}: ${counted(alerts, 'alert')}.`
}

function span(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds))
  if (s < 120) return `${s}s`
  return s < 7200 ? `${Math.floor(s / 60)}m` : `${Math.floor(s / 3600)}h ${Math.floor((s % 3600) / 60)}m`
}
