import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTINGS } from '../../src/config/schema.ts'
import { compileTree, treeOf } from '../../src/librenms/compile-tree.ts'
import { writeDefinitions } from '../../src/librenms/store.ts'
import { FOLDER_SETTING } from '../../src/modules/loaded/rules.ts'

/** All settings with their defaults. */
export function defaultSettings(): Record<string, unknown> {
  return Object.fromEntries(Object.entries(SETTINGS).map(([name, { default: value }]) => [name, value]))
}

/**
 * Runs `work` with the default settings and the definitions of a LibreNMS installation; null: without. Throws if there
 * is no installation in the folder.
 */
export async function withDefinitions<T>(
  installation: string | null,
  work: (settings: Readonly<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  if (installation === null) return await work(defaultSettings())
  const tree = treeOf(installation)
  if (tree === null) throw new Error(`${installation} has no LibreNMS definitions: expected os_detection and mibs`)
  const folder = mkdtempSync(join(tmpdir(), 'portlight-coverage-'))
  try {
    const steps = compileTree(tree)
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    writeDefinitions(folder, step.value, installation, new Date())
    return await work({ ...defaultSettings(), [FOLDER_SETTING]: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
