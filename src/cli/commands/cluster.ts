import type { Command } from 'commander'
import type { LoadComposition } from '../composition.ts'
import { printJson, printTable, say } from '../output.ts'

/** `portlight cluster list|forget`. */
export function registerCluster(program: Command, load: LoadComposition): void {
  const cluster = program.command('cluster').description('processes that share the database')
  cluster
    .command('list')
    .description('list them: what they do, whether they are living, and which one leads')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { withServices } = await import('../open.ts')
      const nodes = await withServices(command, load, ({ services }) => services.pollers.nodes())
      if (options.json === true) return printJson(nodes)
      printTable(
        ['NAME', 'ROLES', 'GROUPS', 'STATE', 'VERSION', 'HOST', 'SEEN'],
        nodes.map(({ name, roles, groups, living, lead, version, host, seenAt }) => [
          name,
          roles.join(','),
          groups?.join(',') ?? '',
          living ? (lead ? 'leads' : 'living') : 'gone',
          version,
          host,
          new Date(seenAt * 1000).toISOString(),
        ]),
      )
    })
  cluster
    .command('forget')
    .description('forget a process that is gone for good: poller groups that only it named are then polled by others')
    .argument('<name>', 'its name')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { withServices } = await import('../open.ts')
      await withServices(command, load, ({ services }) => services.pollers.forgetNode(name))
      say(`process ${name} is forgotten`)
    })
}
