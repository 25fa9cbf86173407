import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileFault, MibFolders } from '../smi/folders.ts'
import type { SmiLibrary } from '../smi/library.ts'
import { compileDetection, compileOs } from './compile.ts'
import type { FormDetectable, FormOs } from './form.ts'
import { parseYaml, textOf, type YamlMap } from './yaml.ts'

/** Files of one folder that are read; a whole installation has 807. */
const MAX_FILES = 5000

/** Folders of a LibreNMS installation. */
export interface Tree {
  readonly detection: string
  readonly discovery: string
  readonly mibs: string
  /** Folder of pictures of OSes, if it is there. */
  readonly icons: string
}

/** The folders below `dir`: a whole installation, or its `resources/definitions` beside or above `mibs`; null: not one. */
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

/** What became of one OS. */
export interface CompiledOs {
  readonly os: string
  readonly detectable: FormDetectable
  readonly form: FormOs
  /** Names of objects, and those of them that are unknown. */
  readonly names: number
  readonly unknown: readonly string[]
}

export interface CompiledTree {
  readonly oses: readonly CompiledOs[]
  /** Files that were not taken, or not wholly. */
  readonly faults: readonly FileFault[]
  /** Hash of the definition files: the same files have the same. */
  readonly revision: string
  /** MIB files read. */
  readonly mibFiles: number
}

/** Compiles every OS, yielding after each the number done and the number of all. Never throws for a broken file. */
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
      faults.push({ file: join(tree.detection, file), why: 'key os is not the name of the file' })
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
    const text = readFileSync(file, 'utf8')
    hash.update(text)
    return parseYaml(text)
  } catch (error) {
    faults.push({ file, why: error instanceof Error ? error.message : String(error) })
    return null
  }
}

/** The folders that names are looked up in; a later one wins. */
function searchPath(mibs: string, detection: YamlMap, os: string, folders: MibFolders): readonly string[] {
  const path = [mibs]
  const add = (name: string | null): void => {
    // a name, never a way out of the folder
    if (name !== null && /^\w[\w .-]*(\/\w[\w .-]*)*$/.test(name) && folders.has(join(mibs, name)))
      path.push(join(mibs, name))
  }
  add(textOf(detection['group']))
  add(textOf(detection['mib_dir']) ?? os)
  return path
}

/** The icon's file name: the first of `.svg` and `.png` that the installation has; without pictures `.svg`. */
function withIcon(detectable: FormDetectable, icons: string): FormDetectable {
  const { icon } = detectable
  if (!existsSync(icons)) return { ...detectable, icon: `${icon}.svg` }
  const found = ['svg', 'png'].find((extension) => existsSync(join(icons, `${icon}.${extension}`)))
  return { ...detectable, icon: found === undefined ? 'generic.svg' : `${icon}.${found}` }
}
