import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledTree } from './compile-tree.ts'
import { FORM, type FormDetectable, type FormOs } from './form.ts'

/** The folder for compiled definitions within the data folder. */
export function definitionsFolder(dataDir: string): string {
  return join(dataDir, 'definitions')
}

/** One OS in the list. */
export interface StoredOs {
  readonly os: string
  readonly text: string
  readonly type: string
  readonly sensors: number
  readonly processors: number
  readonly mempools: number
  readonly storage: number
  /** True: version, hardware and the like are defined. */
  readonly identity: boolean
  /** Number of object names, and how many of them are unknown. */
  readonly names: number
  readonly unknown: number
  /** Parts that were not used, and why. */
  readonly faults: readonly string[]
}

/** The list of stored definitions, without the definitions themselves. */
export interface StoredIndex {
  readonly form: typeof FORM
  /** Folder from which they were read. */
  readonly source: string
  readonly revision: string
  /** ISO time. */
  readonly added: string
  readonly oses: readonly StoredOs[]
}

/**
 * Stores compiled definitions in a new folder, which a pointer replaced by rename then makes current, so that a reader
 * sees either the old or the new ones. The old folder is removed afterwards.
 */
export function writeDefinitions(folder: string, tree: CompiledTree, source: string, added: Date): StoredIndex {
  mkdirSync(folder, { recursive: true })
  const made = mkdtempSync(join(folder, `${tree.revision}-`))
  try {
    const oses = tree.oses.map(({ os, form, names, unknown }): StoredOs => {
      writeFileSync(join(made, `${os}.json`), JSON.stringify(form))
      return {
        os,
        text: form.text,
        type: form.type,
        sensors: form.sensors.length,
        processors: form.processors.length,
        mempools: form.mempools.length,
        storage: form.storage.length,
        identity: form.identity !== null,
        names,
        unknown: unknown.length,
        faults: form.faults,
      }
    })
    const index: StoredIndex = { form: FORM, source, revision: tree.revision, added: added.toISOString(), oses }
    writeFileSync(join(made, INDEX), JSON.stringify(index))
    writeFileSync(join(made, DETECT), JSON.stringify(tree.oses.map(({ detectable }) => detectable)))
    makeCurrent(folder, made)
    return index
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw error
  }
}

// names that no OS can have
const INDEX = '.index'
const DETECT = '.detect'
const CURRENT = 'current.json'

/** Makes a compiled folder inside `folder` the current one. */
export function makeCurrent(folder: string, made: string): void {
  const pointer = join(folder, `.${CURRENT}.${process.pid}`)
  writeFileSync(pointer, JSON.stringify({ folder: made.slice(folder.length + 1) }))
  renameSync(pointer, join(folder, CURRENT))
  removeOthers(folder, made)
}

/** Removes all compiled folders but one; a reader of an old one finds its files missing and continues without them. */
function removeOthers(folder: string, kept: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && path !== kept && /^[\da-f]{12}-/.test(entry.name))
      rmSync(path, { recursive: true, force: true })
  }
}

/** Removes all compiled definitions; false if there were none. */
export function removeDefinitions(folder: string): boolean {
  const there = currentFolder(folder) !== null
  rmSync(join(folder, CURRENT), { force: true })
  if (there) removeOthers(folder, '')
  return there
}

/** The stored list; null: nothing is stored, or it was stored by another version. */
export function readIndex(folder: string): StoredIndex | null {
  const current = currentFolder(folder)
  if (current === null) return null
  const index = readJson(join(current, INDEX)) as StoredIndex | null
  return index?.form === FORM ? index : null
}

/** The current compiled folder; null: nothing is stored. */
export function currentFolder(folder: string): string | null {
  const pointer = readJson(join(folder, CURRENT))
  const name = typeof pointer === 'object' && pointer !== null && 'folder' in pointer ? pointer.folder : null
  return typeof name === 'string' && /^[\w-]+$/.test(name) ? join(folder, name) : null
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Loaded definitions as workers use them; each is read when a device first needs it. */
export interface LoadedDefinitions {
  readonly detectable: readonly FormDetectable[]
  /** The definition of an OS; null: none. */
  form(os: string | null): FormOs | null
}

/** No definitions. */
export const NO_DEFINITIONS: LoadedDefinitions = { detectable: [], form: () => null }

/** Limit of definitions kept in memory. */
const MAX_KEPT = 50

interface Opened {
  readonly mtimeMs: number
  readonly definitions: LoadedDefinitions
}

const opened = new Map<string, Opened>()

/**
 * The definitions stored in a folder; they are reopened after others have been stored, which costs one stat per call.
 */
export function loadedDefinitions(folder: unknown): LoadedDefinitions {
  if (typeof folder !== 'string' || folder === '') return NO_DEFINITIONS
  const mtimeMs = statSync(join(folder, CURRENT), { throwIfNoEntry: false })?.mtimeMs
  if (mtimeMs === undefined) return NO_DEFINITIONS
  const known = opened.get(folder)
  if (known?.mtimeMs === mtimeMs) return known.definitions
  const definitions = openDefinitions(folder)
  opened.set(folder, { mtimeMs, definitions })
  return definitions
}

function openDefinitions(folder: string): LoadedDefinitions {
  const current = currentFolder(folder)
  if (current === null || readIndex(folder) === null) return NO_DEFINITIONS
  const forms = new Map<string, FormOs | null>()
  let detectable: readonly FormDetectable[] | null = null
  return {
    get detectable() {
      detectable ??= (readJson(join(current, DETECT)) as readonly FormDetectable[] | null) ?? []
      return detectable
    },
    form(os) {
      // the name comes from the database and becomes part of a path
      if (os === null || !/^[\w-]{1,32}$/.test(os)) return null
      let form = forms.get(os)
      if (form === undefined) {
        form = readJson(join(current, `${os}.json`)) as FormOs | null
        if (forms.size >= MAX_KEPT) forms.clear()
        forms.set(os, form?.form === FORM ? form : null)
      }
      return forms.get(os) ?? null
    },
  }
}
