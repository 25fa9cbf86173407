import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { actWith } from '../act.ts'
import { DEMO_TOKEN_FILE, type LoadComposition } from '../app.ts'
import { printJson, say } from '../output.ts'

/** `portlight demo remove`. */
export function registerDemo(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const demo = program.command('demo').description('the demo that serve --demo sets up')
  demo
    .command('remove')
    .description('remove the demo devices with their history, locations and token; other devices stay')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const removed = await act(command, async ({ services, dataDir }) => {
        const result = await services.demo.remove()
        rmSync(join(dataDir, DEMO_TOKEN_FILE), { force: true })
        return result
      })
      if (options.json === true) return printJson(removed)
      const { devices, locations, token } = removed
      if (devices.length === 0 && !token) return say('there is no demo to remove')
      say(
        `removed: ${devices.length} devices with their history, ${locations.length} locations${token ? ', the token' : ''}`,
      )
    })
}
