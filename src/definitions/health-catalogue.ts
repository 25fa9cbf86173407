import { definitionFiles } from './files.ts'
import type { HealthDefinition, HealthScope } from './health.ts'
import { parseHealth, parseHealthScope } from './health-parse.ts'

/** Health definitions, sorted by name. */
export interface HealthCatalogue {
  scopes(): readonly HealthScope[]
  /** The definition of a scope. */
  definition(scope: HealthScope): HealthDefinition
}

/**
 * The definitions in `src/vendors/VENDOR/NAME.health.yaml`. A file is parsed when a device first needs it, then kept.
 */
export const HEALTH: HealthCatalogue = createHealthCatalogue()

function createHealthCatalogue(): HealthCatalogue {
  const files = definitionFiles()
  const parsed = new Map<string, HealthDefinition>()
  let scopes: readonly HealthScope[] | null = null
  return {
    scopes() {
      scopes ??= files.names('health').map((name) => parseHealthScope(name, files.value('health', name)))
      return scopes
    },
    definition({ name }) {
      const known = parsed.get(name) ?? parseHealth(name, files.value('health', name))
      parsed.set(name, known)
      return known
    },
  }
}

/** Whether a definition names other systems than the device's, and applies to it only by a branch of sysObjectID. */
export function isByBranch({ os }: HealthScope, device: { readonly os: string | null }): boolean {
  return os.length > 0 && (device.os === null || !os.includes(device.os))
}

/** The definitions for a device: those for its OS, for its sysObjectID, or for all devices. */
export function healthFor<T extends HealthScope>(
  scopes: readonly T[],
  device: { readonly os: string | null; readonly sysObjectID: string | null },
): readonly T[] {
  const { os, sysObjectID } = device
  const index = indexOf(scopes)
  const found = new Set(index.all)
  for (const at of index.byOs.get(os ?? '') ?? []) found.add(at)
  for (let end = sysObjectID?.length ?? 0; end > 0; end = sysObjectID?.lastIndexOf('.', end - 1) ?? 0)
    for (const at of index.byBranch.get(sysObjectID?.slice(0, end) ?? '') ?? []) found.add(at)
  return [...found]
    .sort((a, b) => a - b)
    .flatMap((at) => scopes[at] ?? [])
    .filter(({ notOs }) => os === null || !notOs.includes(os))
}

/** Positions of definitions by what they name; there are hundreds, and a few apply to a device. */
interface Index {
  /** Those for all devices. */
  readonly all: readonly number[]
  readonly byOs: ReadonlyMap<string, readonly number[]>
  readonly byBranch: ReadonlyMap<string, readonly number[]>
}

const indexes = new WeakMap<readonly HealthScope[], Index>()

function indexOf(scopes: readonly HealthScope[]): Index {
  const made = indexes.get(scopes)
  if (made !== undefined) return made
  const all: number[] = []
  const byOs = new Map<string, number[]>()
  const byBranch = new Map<string, number[]>()
  const put = (map: Map<string, number[]>, name: string, at: number): void => {
    const others = map.get(name)
    if (others === undefined) map.set(name, [at])
    else others.push(at)
  }
  for (const [at, { os, sysObjectID }] of scopes.entries()) {
    if (os.length === 0 && sysObjectID.length === 0) all.push(at)
    for (const name of os) put(byOs, name, at)
    for (const branch of sysObjectID) put(byBranch, branch, at)
  }
  const index = { all, byOs, byBranch }
  indexes.set(scopes, index)
  return index
}
