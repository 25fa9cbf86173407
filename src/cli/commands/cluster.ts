import { hostname } from 'node:os'
import type { Command } from 'commander'
import type { LoadComposition } from '../composition.ts'
import { usage } from '../errors.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight cluster list|url|forget`. */
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
    .command('url')
    .description(
      'make a new password for other processes at the embedded database; only their database_url is printed on stdout',
    )
    .option('--at <host:port>', 'where they reach it (default: setting database_listen)')
    .action(async (options: { at?: string }, command: Command) => {
      const [{ withServices }, { nodeUrl }] = await Promise.all([
        import('../open.ts'),
        import('../../domain/cluster/credentials.ts'),
      ])
      const url = await withServices(command, load, ({ settings, database }) => {
        if (settings.get('database_url') !== '')
          throw usage('database_url names a server: give other processes the same')
        return nodeUrl(database.store, addressOf(options.at ?? settings.get('database_listen')))
      })
      print(url)
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

function addressOf(text: string): { readonly host: string; readonly port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(text)
  if (match === null)
    throw usage(
      text === ''
        ? 'the embedded database listens to no other machine: set database_listen, or add --at HOST:PORT'
        : `--at: expected HOST:PORT, not ${text}`,
    )
  const host = (match[1] ?? '').replace(/^\[|\]$/g, '')
  return { host: /^(0\.0\.0\.0|::)$/.test(host) ? hostname() : host, port: Number(match[2]) }
}
