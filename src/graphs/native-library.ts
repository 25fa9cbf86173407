import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

/** The variable that names the canvas's library, read by the package as it loads. */
const VARIABLE = 'NAPI_RS_NATIVE_LIBRARY_PATH'

let folder: string | null = null

/** Where the compiled program may unpack the canvas's library. Called once, before anything is drawn. */
export function unpackInto(path: string): void {
  folder = path
}

/**
 * Makes the canvas's native library loadable. The compiled program carries it, and the runtime unpacks it into the
 * folder for temporary files; where that forbids execution, it is unpacked into the program's own folder instead.
 * Throws with one sentence that says what to do.
 */
export function prepareCanvas(): void {
  const inside = Bun.embeddedFiles.map((file) => (file as File).name).find((name) => /^skia\..*\.node$/.test(name))
  if (inside === undefined || process.env[VARIABLE] !== undefined) return
  const embedded = join('/$bunfs/root', inside)
  const first = failureOf(embedded)
  if (first === null) return
  if (folder === null) throw new Error(sentence(first, ''))
  const target = join(folder, basename(inside))
  let second: string | null
  try {
    unpack(embedded, target)
    second = failureOf(target)
  } catch (error) {
    second = messageOf(error)
  }
  if (second !== null) throw new Error(sentence(first, ` nor from ${target} (${second})`))
  process.env[VARIABLE] = target
}

function sentence(why: string, nor: string): string {
  return `the library that draws graphs cannot be loaded from the folder for temporary files (${why})${nor}; set the environment variable BUN_TMPDIR to a folder that allows execution`
}

/** Written beside and renamed, so that a start that is killed leaves no half of it. */
function unpack(embedded: string, target: string): void {
  const octets = readFileSync(embedded)
  if (existsSync(target) && readFileSync(target).equals(octets)) return
  mkdirSync(join(target, '..'), { recursive: true, mode: 0o755 })
  const part = `${target}.${process.pid}`
  try {
    writeFileSync(part, octets, { mode: 0o755 })
    renameSync(part, target)
  } finally {
    rmSync(part, { force: true })
  }
}

/** Why a library cannot be loaded; null: it can. */
function failureOf(path: string): string | null {
  try {
    createRequire(import.meta.url)(path)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
