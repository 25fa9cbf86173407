import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Composed, compose } from '../../src/app/server.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { createLog } from '../../src/observe/log.ts'
import type { Fleet } from './fleet.ts'
import { dataFolder } from './folder.ts'
import { settingsGiven, textOption } from './option.ts'

const AT_ONCE = 50

/**
 * Runs a measurement on the whole program in this process, on a new data folder, with the settings given and those of
 * `--set NAME=VALUE`. It polls a device only when asked, or after its discovery. With `--definitions DIR` it has the
 * definitions of the LibreNMS installation in that folder.
 */
export async function withProgram<T>(
  settings: Readonly<Record<string, string>>,
  work: (program: Composed) => Promise<T>,
): Promise<T> {
  const dataDir = dataFolder()
  const own = { 'poller.interval': '86400', icmp_check: 'false', port: '0' }
  const tree = textOption('definitions')
  if (tree !== undefined) await addDefinitions(tree, dataDir)
  const given = settingsGiven().filter((arg) => arg !== '--set')
  const flags = { ...own, ...settings, ...Object.fromEntries(given.map((arg) => arg.split(/=(.*)/s, 2))) }
  const program = await compose({
    settings: createSettings({ flags }),
    dataDir,
    log: createLog('warn'),
    demo: false,
    version: 'bench',
  })
  try {
    return await work(program)
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** In a process of its own, so that what compiling takes is not measured. */
async function addDefinitions(tree: string, dataDir: string): Promise<void> {
  const main = join(import.meta.dir, '../../src/main.ts')
  const adding = Bun.spawn([process.execPath, main, 'definitions', 'add', tree, '--data-dir', dataDir], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await adding.stderr.text()
  if ((await adding.exited) !== 0) throw new Error(`adding the definitions in ${tree} failed: ${said}`)
}

/** Adds the first `count` devices of the fleet, as the API does. */
export async function addFleet({ services }: Composed, fleet: Fleet, count: number): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) =>
        services.devices.add(SYSTEM, {
          hostname: fleet.address(from + i),
          port: fleet.port,
          community: 'public',
          snmpver: 'v2c',
          force: true,
        }),
      ),
    )
  }
}
