import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { DetectedOs } from '../../definitions/detect.ts'
import type { FormAsked, FormDetectable, FormDetection } from '../../librenms/form.ts'
import { matches, passes } from './test.ts'
import { valueText } from './text.ts'

/** What an OS is detected by; a missing text is empty. */
export interface LoadedFacts {
  /** Dotted decimal without a leading dot. */
  readonly sysObjectID: string
  readonly sysDescr: string
  /** Values of the objects that were requested, by OID with instance; absent: no response. */
  readonly objects?: ReadonlyMap<string, SnmpValue>
  /** Values found by walks, by the walk's OID, then by the rest of the OID; absent: no response. */
  readonly walks?: ReadonlyMap<string, ReadonlyMap<string, SnmpValue>>
}

/** What to read before the OS is certain. */
export interface Asked {
  /** OIDs with instance. */
  readonly objects: readonly string[]
  /** OIDs to walk. */
  readonly walks: readonly string[]
}

/** OSes that are compared after all others, in this order. */
export const LAST: readonly string[] = ['airos', 'freebsd', 'linux']

/**
 * The first OS with a matching entry, in file name order. OSes that need a request come after the others, and `airos`,
 * `freebsd` and `linux` last. Null: none matches.
 */
export function detectLoaded(detectable: readonly FormDetectable[], facts: LoadedFacts): DetectedOs | null {
  for (const pass of passesOf(detectable)) {
    for (const { os, type, icon, entries } of pass) {
      const entry = entries.find((entry) => holds(entry, facts) && answered(entry, facts))
      if (entry !== undefined) return { os, type, icon, why: `${whyOf(entry, facts)} (loaded definition)` }
    }
  }
  return null
}

/** What to read before the OS is certain: what those ask for that come before the first that matches without. */
export function loadedObjects(detectable: readonly FormDetectable[], facts: LoadedFacts): Asked {
  const objects = new Set<string>()
  const walks = new Set<string>()
  for (const { entries } of passesOf(detectable).flat()) {
    const held = entries.filter((entry) => holds(entry, facts))
    if (held.some((entry) => !asks(entry))) break
    for (const entry of held) {
      for (const { oid } of [...(entry.get ?? []), ...(entry.getNot ?? [])]) objects.add(oid)
      for (const { oid } of [...(entry.walk ?? []), ...(entry.walkNot ?? [])]) walks.add(oid)
    }
  }
  return { objects: [...objects].slice(0, MAX_ASKED), walks: [...walks].slice(0, MAX_WALKED) }
}

const MAX_ASKED = 200
const MAX_WALKED = 20
/** Limit of lines per walk that are compared. */
const MAX_LINES = 1000

const ordered = new WeakMap<readonly FormDetectable[], readonly (readonly FormDetectable[])[]>()

function passesOf(detectable: readonly FormDetectable[]): readonly (readonly FormDetectable[])[] {
  const known = ordered.get(detectable)
  if (known !== undefined) return known
  const names = detectable.map((one) => ({ one, name: `${one.os}.yaml` })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const usual = names.map(({ one }) => one).filter(({ os }) => !LAST.includes(os))
  const last = LAST.flatMap((os) => detectable.filter((one) => one.os === os))
  const passes = [usual.filter(({ late }) => !late), usual.filter(({ late }) => late), last]
  ordered.set(detectable, passes)
  return passes
}

function asks({ get, getNot, walk, walkNot }: FormDetection): boolean {
  return [get, getNot, walk, walkNot].some((list) => list !== undefined)
}

/** Whether all keys that need no request match. */
function holds(entry: FormDetection, { sysObjectID, sysDescr }: LoadedFacts): boolean {
  const id = sysObjectID === '' ? '' : `.${sysObjectID.replace(/^\./, '')}`
  const begins = (texts: readonly string[]) => texts.some((text) => text !== '' && id.startsWith(text))
  const contains = (texts: readonly string[]) => texts.some((text) => text !== '' && sysDescr.includes(text))
  if (entry.sysObjectID !== undefined && !begins(entry.sysObjectID)) return false
  if (entry.sysObjectIDNot !== undefined && begins(entry.sysObjectIDNot)) return false
  if (entry.sysDescr !== undefined && !contains(entry.sysDescr)) return false
  if (entry.sysDescrNot !== undefined && contains(entry.sysDescrNot)) return false
  if (entry.sysDescrRegex !== undefined && !entry.sysDescrRegex.some((p) => matches(p, sysDescr))) return false
  if (entry.sysDescrRegexNot?.some((p) => matches(p, sysDescr)) === true) return false
  if (entry.sysObjectIDRegex !== undefined && !entry.sysObjectIDRegex.some((p) => matches(p, id))) return false
  // an entry without conditions would match every device
  return Object.keys(entry).length > 0
}

function answered({ get, getNot, walk, walkNot }: FormDetection, { objects, walks }: LoadedFacts): boolean {
  const answer = (asked: FormAsked): boolean => {
    const value = objects?.get(asked.oid)
    return passes(value === undefined ? '' : textOf(value, asked), asked)
  }
  const printed = (asked: FormAsked): boolean => passes(linesOf(asked, walks?.get(asked.oid)), asked)
  return (
    (get ?? []).every(answer) &&
    !(getNot ?? []).some(answer) &&
    (walk ?? []).every(printed) &&
    !(walkNot ?? []).some(printed)
  )
}

/** The value as text: enumerations as numbers, display hints applied. */
function textOf(value: SnmpValue, { object }: FormAsked): string {
  return valueText(value, object ?? undefined, 'detection') ?? ''
}

/** The result of a walk as text: one line `MIB::object[INDEX] = VALUE` per object. */
function linesOf(asked: FormAsked, found: ReadonlyMap<string, SnmpValue> | undefined): string {
  return [...(found ?? [])]
    .slice(0, MAX_LINES)
    .map(([index, value]) => `${asked.name ?? asked.oid}[${index}] = ${textOf(value, asked)}`)
    .join('\n')
}

function whyOf(entry: FormDetection, facts: LoadedFacts): string {
  const id = `.${facts.sysObjectID.replace(/^\./, '')}`
  const why: string[] = []
  const prefix = entry.sysObjectID?.find((text) => text !== '' && id.startsWith(text))
  if (prefix !== undefined) why.push(`sysObjectID begins with ${prefix.replace(/^\./, '')}`)
  const text = entry.sysDescr?.find((part) => part !== '' && facts.sysDescr.includes(part))
  if (text !== undefined) why.push(`sysDescr has ${JSON.stringify(text)}`)
  if (entry.sysDescrRegex !== undefined || entry.sysObjectIDRegex !== undefined)
    why.push('a regular expression matches')
  for (const { oid } of entry.get ?? []) why.push(`${oid} matches`)
  for (const { oid } of entry.walk ?? []) why.push(`the walk of ${oid} matches`)
  return why.join(' and ') || 'all conditions hold'
}
