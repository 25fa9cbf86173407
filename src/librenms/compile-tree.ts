import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type FileFault, MibFolders } from '@portlight/mib-reader/folders.ts'
import type { SmiLibrary } from '@portlight/mib-reader/library.ts'
import { compileDetection, compileOs } from './compile.ts'
import type { FormDetectable, FormOs } from './form.ts'
import { parseYaml, textOf, type YamlMap } from './yaml.ts'

/** Limit of files read per folder; a complete installation has 807. */
const MAX_FILES = 5000

/** Folders of a LibreNMS installation. */
export interface Tree {
  readonly detection: string
  readonly discovery: string
  readonly mibs: string
  /** Folder of OS icons; it may not exist. */
  readonly icons: string
}

/** The folders of the installation at `dir`, or up to two levels above it; null: there is no installation. */
export function treeOf(dir: string): Tree | null {
  for (const root of [dir, join(dir, '..'), join(dir, '../..')]) {
    for (const definitions of ['resources/definitions', 'definitions', '.']) {
      const detection = join(root, definitions, 'os_detection')
      const mibs = join(root, 'mibs')
      if (!existsSync(detection) || !existsSync(mibs)) continue
      return {
        detection,
        discovery: join(root, definitions, 'os_discovery'),
        mibs,
        icons: join(root, 'html/images/os'),
      }
    }
  }
  return null
}

/** The result for one OS. */
export interface CompiledOs {
  readonly os: string
  readonly detectable: FormDetectable
  readonly form: FormOs
  /** Number of object names, and the names that are unknown. */
  readonly names: number
  readonly unknown: readonly string[]
}

export interface CompiledTree {
  readonly oses: readonly CompiledOs[]
  /** Files that were skipped or only partly used, and why. */
  readonly faults: readonly FileFault[]
  /** Hash of the definition files; identical files give the same hash. */
  readonly revision: string
  /** MIB files read. */
  readonly mibFiles: number
}

/** Compiles every OS, yielding the number done and the total after each. Never throws for a broken file. */
export function* compileTree(tree: Tree): Generator<readonly [done: number, all: number], CompiledTree, void> {
  const folders = new MibFolders()
  const hash = createHash('sha256')
  const faults: FileFault[] = []
  const oses: CompiledOs[] = []
  const files = readdirSync(tree.detection)
    .filter((file) => file.endsWith('.yaml') && !file.startsWith('.'))
    .sort((a, b) => (a < b ? -1 : 1))
    .slice(0, MAX_FILES)
  const libraries = new Map<string, SmiLibrary>()
  const library = (path: readonly string[]): SmiLibrary => {
    const key = path.join('\n')
    const known = libraries.get(key) ?? folders.library(path)
    libraries.set(key, known)
    return known
  }
  for (const [i, file] of files.entries()) {
    yield [i, files.length]
    const os = file.slice(0, -'.yaml'.length)
    const detection = read(join(tree.detection, file), hash, faults)
    if (detection === null) continue
    if (detection['os'] !== os || !/^[\w-]{1,32}$/.test(os)) {
      faults.push({ file: join(tree.detection, file), why: 'key os differs from the name of the file' })
      continue
    }
    const second = join(tree.discovery, file)
    const discovery = existsSync(second) ? read(second, hash, faults) : null
    const base = searchPath(tree.mibs, detection, os, folders)
    const fault = (why: string): void => void faults.push({ file: join(tree.detection, file), why })
    const inDir = (dir: string | null) => library(dir === null ? base : [...base, join(tree.mibs, dir)])
    const detectable = withIcon(compileDetection(detection, inDir, fault), tree.icons)
    const { form, names, unknown } = compileOs(detection, discovery, library(base))
    for (const why of form.faults) faults.push({ file: second, why })
    oses.push({ os, detectable, form: { ...form, icon: detectable.icon }, names, unknown })
  }
  yield [files.length, files.length]
  faults.push(...folders.faults)
  return { oses, faults, revision: hash.digest('hex').slice(0, 12), mibFiles: folders.parsed }
}

function read(file: string, hash: { update(text: string): unknown }, faults: FileFault[]): YamlMap | null {
  try {
    // reading a pipe would wait for its other end
    if (!statSync(file).isFile()) throw new Error('it is not a file')
    const text = readFileSync(file, 'utf8')
    hash.update(text)
    return parseYaml(text)
  } catch (error) {
    faults.push({ file, why: error instanceof Error ? error.message : String(error) })
    return null
  }
}

/** The folders in which names are looked up; a later one wins. */
function searchPath(mibs: string, detection: YamlMap, os: string, folders: MibFolders): readonly string[] {
  const path = [mibs]
  const add = (name: string | null): void => {
    // only names, never paths that leave the folder
    if (name !== null && /^\w[\w .-]*(\/\w[\w .-]*)*$/.test(name) && folders.has(join(mibs, name)))
      path.push(join(mibs, name))
  }
  add(textOf(detection['group']))
  add(textOf(detection['mib_dir']) ?? os)
  return path
}

/** The icon's file name: `.svg` or else `.png`, whichever the installation has; `.svg` if it has no icons at all. */
function withIcon(detectable: FormDetectable, icons: string): FormDetectable {
  const { icon } = detectable
  if (!existsSync(icons)) return { ...detectable, icon: `${icon}.svg` }
  const found = ['svg', 'png'].find((extension) => existsSync(join(icons, `${icon}.${extension}`)))
  return { ...detectable, icon: found === undefined ? 'generic.svg' : `${icon}.${found}` }
}
