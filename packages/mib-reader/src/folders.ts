import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_MODULE_CHARS } from './lexer.ts'
import { SmiLibrary } from './library.ts'
import { moduleName, parseModules, type SmiModule } from './module.ts'

/** Bytes at the beginning of a file in which the module's name is searched first. */
const HEAD = 4096
/** Limit of files per folder. */
const MAX_FILES = 20_000

/** A file that was skipped or only partly used, and why. */
export interface FileFault {
  readonly file: string
  readonly why: string
}

/**
 * Folders of MIB files for search paths. They are not searched recursively, and a file is known by the first module
 * that it defines, regardless of its name. Each file is read once, when one of its modules is first needed. Records
 * what cannot be read; never throws for a broken file.
 */
export class MibFolders {
  /** For each folder, files by module. */
  private readonly folders = new Map<string, ReadonlyMap<string, string>>()
  private readonly files = new Map<string, readonly SmiModule[]>()
  readonly faults: FileFault[] = []

  /** Number of files read so far. */
  get parsed(): number {
    return this.files.size
  }

  /** True if the folder exists. */
  has(folder: string): boolean {
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  /** Names of the modules by which the files of a folder are known. */
  modules(folder: string): readonly string[] {
    return [...this.folder(folder).keys()]
  }

  /** The names of a search path; if two folders contain a module of the same name, the later one counts. */
  library(path: readonly string[]): SmiLibrary {
    const known = new Map<string, SmiModule | undefined>()
    // further modules in a file are known once it has been loaded
    const extra = new Map<string, SmiModule>()
    return new SmiLibrary((name) => {
      if (known.has(name)) return known.get(name)
      let found: SmiModule | undefined
      for (let i = path.length - 1; i >= 0 && found === undefined; i--) {
        const file = this.folder(path[i] ?? '').get(name)
        if (file === undefined) continue
        const modules = this.file(file)
        found = modules.find((module) => module.name === name)
        for (const module of modules) if (!extra.has(module.name)) extra.set(module.name, module)
      }
      found ??= extra.get(name)
      // a missing module is not remembered, because it may come with a file that is loaded later
      if (found !== undefined) known.set(name, found)
      return found
    })
  }

  private folder(folder: string): ReadonlyMap<string, string> {
    const known = this.folders.get(folder)
    if (known !== undefined) return known
    const files = new Map<string, string>()
    this.folders.set(folder, files)
    if (!this.has(folder)) return files
    for (const entry of readdirSync(folder, { withFileTypes: true }).slice(0, MAX_FILES)) {
      if (entry.name.startsWith('.')) continue
      const file = join(folder, entry.name)
      // a symbolic link may lead to a folder, and reading a pipe would wait for its other end
      if (!entry.isFile() && !(entry.isSymbolicLink() && leadsToFile(file))) continue
      const name = this.nameOf(file)
      if (name !== null && !files.has(name)) files.set(name, file)
    }
    return files
  }

  private nameOf(file: string): string | null {
    try {
      const head = Buffer.alloc(HEAD)
      const opened = openSync(file, 'r')
      let octets: number
      try {
        octets = readSync(opened, head, 0, HEAD, 0)
      } finally {
        closeSync(opened)
      }
      const text = head.toString('latin1', 0, octets)
      // a comment may be longer than the head, and the head may end in the middle of a name
      const name = moduleName(text)
      if (name !== null || octets < HEAD) return name
      return moduleName(this.text(file))
    } catch (error) {
      this.faults.push({ file, why: error instanceof Error ? error.message : String(error) })
      return null
    }
  }

  private text(file: string): string {
    const { size } = statSync(file)
    if (size > MAX_MODULE_CHARS) throw new Error(`larger than ${MAX_MODULE_CHARS} bytes`)
    return readFileSync(file, 'latin1')
  }

  private file(file: string): readonly SmiModule[] {
    const known = this.files.get(file)
    if (known !== undefined) return known
    let modules: readonly SmiModule[] = []
    try {
      modules = parseModules(this.text(file))
      for (const { faults } of modules) for (const why of faults) this.faults.push({ file, why })
    } catch (error) {
      this.faults.push({ file, why: error instanceof Error ? error.message : String(error) })
    }
    this.files.set(file, modules)
    return modules
  }
}

function leadsToFile(link: string): boolean {
  try {
    return statSync(link).isFile()
  } catch {
    return false
  }
}
