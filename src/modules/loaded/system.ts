import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { DetectedOs } from '../../definitions/detect.ts'
import type { LoadedDefinitions } from '../../librenms/store.ts'
import type { SystemObservation } from '../system/observation.ts'
import type { Clocks } from '../system/uptime.ts'
import { type Asked, detectLoaded, LAST, type LoadedFacts, loadedObjects } from './detect.ts'
import { identityOf, identityOids } from './identity.ts'

/** What was read to detect the OS. */
export type Answers = Pick<LoadedFacts, 'objects' | 'walks'>

type Scalars = { readonly sysObjectID?: string | undefined; readonly sysDescr?: string | undefined }
type Identity = Pick<SystemObservation, 'hardware' | 'version' | 'serial' | 'features' | 'sysName' | 'sysLocation'>

interface ReadScalars {
  readonly scalars: Readonly<Record<string, unknown>>
  readonly scalarsComplete: boolean
}

const GENERIC = 'generic'

const isLastResort = (os: string): boolean => os === GENERIC || LAST.includes(os)

/** What loaded definitions contribute to module `system`. */
export function loadedSystem(definitions: LoadedDefinitions) {
  const factsOf = ({ sysObjectID, sysDescr }: Scalars, answers: Answers = {}): LoadedFacts => ({
    sysObjectID: sysObjectID ?? '',
    sysDescr: cleanDescr(sysDescr ?? ''),
    ...answers,
  })
  const formOf = (os: string) => definitions.form(os)
  return {
    /** What to read before the OS can be determined. */
    asked(scalars: Scalars): Asked {
      return loadedObjects(definitions.detectable, factsOf(scalars))
    },
    /**
     * Loaded definitions know more systems than ours and their order decides between them; ours are used for the rest.
     * Their systems of last resort are the rest too: none of their files knows the system if it comes to those.
     */
    detect(own: DetectedOs, scalars: Scalars, answers: Answers): DetectedOs {
      if (definitions.detectable.length === 0) return own
      const found = detectLoaded(definitions.detectable, factsOf(scalars, answers))
      if (found === null) return own
      if (isLastResort(found.os) && !isLastResort(own.os)) return own
      // our own result has the icon that we ship
      return found.os === own.os && own.os !== GENERIC ? own : found
    },
    /** Clocks of this OS that are unreliable; undefined: none. */
    /** The clocks that the definition does not call wrong; null: none of them shows the uptime. */
    usableClocks(os: string, clocks: Clocks): Clocks | null {
      const { badClock, badHostClock } = formOf(os) ?? {}
      if (badClock === 'all') return null
      return {
        agentTicks: clocks.agentTicks,
        engineS: badClock === 'engine' ? undefined : clocks.engineS,
        hostTicks: badHostClock === true ? undefined : clocks.hostTicks,
      }
    },
    identityOids(os: string): readonly string[] {
      const form = formOf(os)
      return form === null ? [] : identityOids(form)
    },
    /** What the definition derives; empty without one. Unknown members are absent if not everything could be read. */
    identity(os: string, scalars: Scalars, read: ReadScalars | undefined): Identity {
      const form = formOf(os)
      if (form?.identity == null) return {}
      const values = valuesIn(read)
      const facts = factsOf(scalars)
      const { sysName, ...fields } = identityOf(form, facts, values)
      const complete = read?.scalarsComplete ?? true
      const known = Object.entries(fields).filter(([, text]) => text !== null || complete)
      return { ...Object.fromEntries(known), ...(sysName !== null && { sysName }) }
    },
    /** Our fields, and theirs where ours are empty: much of what theirs would need is code. */
    joined(own: Identity, theirs: Identity): Identity {
      const joined: Record<string, unknown> = { ...theirs, ...own }
      for (const [name, text] of Object.entries(theirs)) joined[name] = joined[name] || text
      return joined
    },
  }
}

/** The text with its line breaks but without blank lines and surrounding white space. */
function cleanDescr(text: string): string {
  return text.trim().replace(/(\r?\n)(\s*\r?\n)+/g, '$1')
}

interface ReadTables {
  readonly tables: Readonly<Record<string, { readonly rows: ReadonlyMap<string, Readonly<Record<string, unknown>>> }>>
}

/** Name of the column that a detection walk reads; tables with the same column names are read once for all modules. */
export const WALKED = 'walked'

/** The results of the follow-ups for `asked`. */
export function answersIn(objects: ReadScalars | undefined, walks: ReadTables | undefined): Answers {
  const found = new Map<string, ReadonlyMap<string, SnmpValue>>()
  for (const [oid, { rows }] of Object.entries(walks?.tables ?? {})) {
    const values = [...rows].flatMap(([index, row]): [string, SnmpValue][] => {
      const value = row[WALKED]
      return isValue(value) ? [[index, value]] : []
    })
    found.set(oid, new Map(values))
  }
  return { objects: valuesIn(objects), walks: found }
}

function isValue(value: unknown): value is SnmpValue {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** The values that a follow-up read, by OID. */
function valuesIn(read: ReadScalars | undefined): ReadonlyMap<string, SnmpValue> {
  const found = new Map<string, SnmpValue>()
  for (const [oid, value] of Object.entries(read?.scalars ?? {})) {
    if (isValue(value)) found.set(oid, value)
  }
  return found
}
