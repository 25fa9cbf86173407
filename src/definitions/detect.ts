import type { Pattern } from '@portlight/pattern/pattern.ts'
import type { DetectableOs, Detection } from './definition.ts'

/** What an OS is detected by. null: not reported. */
export interface OsFacts {
  /** Dotted decimal, with or without a leading dot. */
  readonly sysObjectID: string | null
  readonly sysDescr: string | null
  /** Texts of the objects in `detectionObjects`, by OID; absent if the agent lacks one or it was not read. */
  readonly objects?: ReadonlyMap<string, string>
}

export interface DetectedOs {
  /** `generic` if no definition matches. */
  readonly os: string
  readonly type: string
  readonly icon: string
  /** The condition that decided, shown to users. */
  readonly why: string
}

/**
 * The OS with the most specific matching condition: the longest sysObjectID prefix wins, then the most additional
 * objects, then the longest match in sysDescr, then the first name in alphabetical order, so that the order of files
 * does not matter.
 */
export function detectOs(definitions: readonly DetectableOs[], facts: OsFacts): DetectedOs {
  const best = fitsOf(definitions, facts).find(({ fit }) => [...fit.objects].every((object) => holds(object, facts)))
  if (best === undefined) {
    return { os: 'generic', type: '', icon: 'generic.svg', why: 'no definition matches' }
  }
  const { definition, fit } = best
  return { os: definition.os, type: definition.type, icon: definition.icon, why: fit.why }
}

/** net-snmp's own branch, which agents of many vendors report. */
const NET_SNMP = '1.3.6.1.4.1.8072'

/** Whether a definition names a vendor's branch to which the sysObjectID belongs. */
export function isOfVendor({ detect }: Pick<DetectableOs, 'detect'>, sysObjectID: string | undefined): boolean {
  return detect.some((detection) => {
    const prefix = longestPrefix(detection.sysObjectID ?? [], sysObjectID ?? null)
    return prefix !== null && prefix !== NET_SNMP && !prefix.startsWith(`${NET_SNMP}.`)
  })
}

/** OIDs to read from an agent before `detectOs` can decide: those of conditions that would win if they held. */
export function detectionObjects(definitions: readonly DetectableOs[], facts: OsFacts): readonly string[] {
  const wanted = new Set<string>()
  for (const { fit } of fitsOf(definitions, facts)) {
    if (fit.objects.size === 0) break
    for (const oid of fit.objects.keys()) wanted.add(oid)
  }
  return [...wanted]
}

interface Fitting {
  readonly definition: DetectableOs
  readonly fit: Fit
}

/** Every condition that holds as far as sysObjectID and sysDescr are concerned, most specific first. */
function fitsOf(definitions: readonly DetectableOs[], facts: OsFacts): readonly Fitting[] {
  const { sysObjectID, sysDescr } = facts
  if (sysDescr !== null && sysDescr.length > MAX_KNOWN_DESCR) return fit(definitions, facts)
  const { known } = indexOf(definitions)
  const key = JSON.stringify([sysObjectID, sysDescr])
  const fitting = known.get(key) ?? fit(definitions, facts)
  known.delete(key)
  known.set(key, fitting)
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break
    known.delete(oldest)
  }
  return fitting
}

/**
 * Number of device models whose matching conditions are cached: each device is looked up three times, and networks have
 * many devices of the same model.
 */
const MAX_KNOWN = 32
/** Longest sysDescr that is cached, in characters. */
const MAX_KNOWN_DESCR = 1024

function fit(definitions: readonly DetectableOs[], facts: OsFacts): readonly Fitting[] {
  const fitting: Fitting[] = []
  for (const { definition, detection } of candidates(definitions, facts.sysObjectID)) {
    const fit = fitOf(detection, facts)
    if (fit !== null) fitting.push({ definition, fit })
  }
  return fitting.sort((a, b) => compare(a.fit, b.fit, a.definition.os, b.definition.os))
}

interface Candidate {
  readonly definition: DetectableOs
  readonly detection: Detection
}

interface Index {
  /** Conditions by the sysObjectID prefixes that they name; those that name none are under ''. */
  readonly byPrefix: ReadonlyMap<string, readonly Candidate[]>
  /** The most recent results, oldest first. */
  readonly known: Map<string, readonly Fitting[]>
}

const indexes = new WeakMap<readonly DetectableOs[], Index>()

/**
 * The conditions whose sysObjectID may match, each once. Most name prefixes, and a device matches only a few of those.
 */
function candidates(definitions: readonly DetectableOs[], sysObjectID: string | null): ReadonlySet<Candidate> {
  const { byPrefix } = indexOf(definitions)
  const found = new Set(byPrefix.get(''))
  const ids = sysObjectID?.replace(/^\./, '').split('.') ?? []
  for (let length = 1; length <= ids.length; length++)
    for (const candidate of byPrefix.get(ids.slice(0, length).join('.')) ?? []) found.add(candidate)
  return found
}

function indexOf(definitions: readonly DetectableOs[]): Index {
  const made = indexes.get(definitions)
  if (made !== undefined) return made
  const byPrefix = new Map<string, Candidate[]>()
  for (const definition of definitions) {
    for (const detection of definition.detect) {
      const candidate = { definition, detection }
      for (const prefix of detection.sysObjectID ?? ['']) {
        const others = byPrefix.get(prefix)
        if (others === undefined) byPrefix.set(prefix, [candidate])
        else others.push(candidate)
      }
    }
  }
  const index = { byPrefix, known: new Map() }
  indexes.set(definitions, index)
  return index
}

function holds([oid, match]: readonly [string, Pattern], facts: OsFacts): boolean {
  const text = facts.objects?.get(oid)
  return text !== undefined && match.test(text)
}

interface Fit {
  readonly prefixLength: number
  readonly textLength: number
  readonly objects: ReadonlyMap<string, Pattern>
  readonly why: string
}

function fitOf(detection: Detection, facts: OsFacts): Fit | null {
  const why: string[] = []
  let prefixLength = 0
  if (detection.sysObjectID !== undefined) {
    const prefix = longestPrefix(detection.sysObjectID, facts.sysObjectID)
    if (prefix === null) return null
    prefixLength = prefix.split('.').length
    why.push(`sysObjectID begins with ${prefix}`)
  }
  const descr = facts.sysDescr ?? ''
  let textLength = 0
  if (detection.sysDescr !== undefined) {
    const found = detection.sysDescr
      .map((expression) => expression.exec(descr)?.text)
      .filter((text) => text !== undefined)
    if (found.length === 0) return null
    const longest = found.reduce((a, b) => (b.length > a.length ? b : a))
    textLength = Math.max(1, longest.length)
    why.push(`sysDescr has ${JSON.stringify(longest)}`)
  }
  if (detection.sysDescrNot?.some((expression) => expression.test(descr))) return null
  const objects = detection.objects ?? new Map<string, Pattern>()
  for (const [oid, match] of objects) why.push(`${oid} matches ${match.source}`)
  return { prefixLength, textLength, objects, why: why.join(' and ') }
}

function longestPrefix(prefixes: readonly string[], sysObjectID: string | null): string | null {
  if (sysObjectID === null) return null
  const oid = `${sysObjectID.replace(/^\./, '')}.`
  return prefixes
    .filter((prefix) => oid.startsWith(`${prefix}.`))
    .reduce<string | null>((a, b) => (a === null || b.length > a.length ? b : a), null)
}

function compare(a: Fit, b: Fit, nameA: string, nameB: string): number {
  return (
    b.prefixLength - a.prefixLength ||
    b.objects.size - a.objects.size ||
    b.textLength - a.textLength ||
    (nameA < nameB ? -1 : nameA > nameB ? 1 : 0)
  )
}
