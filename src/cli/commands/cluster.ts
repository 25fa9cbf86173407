import { hostname } from 'node:os'
import type { Command } from 'commander'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight cluster list|url|forget`. */
export function registerCluster(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const cluster = program.command('cluster').description('processes that share the database')
  cluster
    .command('list')
    .description('list the processes: their roles, whether they are running, and which one is the leader')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const nodes = await act(command, ({ services }) => services.pollers.nodes())
      if (options.json === true) return printJson(nodes)
      printTable(
        ['NAME', 'ROLES', 'GROUPS', 'STATE', 'VERSION', 'HOST', 'SEEN'],
        nodes.map(({ name, roles, groups, living, isLeader, version, host, seenAt }) => [
          name,
          roles.join(','),
          groups?.join(',') ?? '',
          living ? (isLeader ? 'leader' : 'running') : 'gone',
          version,
          host,
          new Date(seenAt * 1000).toISOString(),
        ]),
      )
    })
  cluster
    .command('url')
    .description(
      'create a new password for other processes that use the embedded database; only their database_url is printed on stdout',
    )
    .option('--at <host:port>', 'address at which they reach it (default: setting database_listen)')
    .action(async (options: { at?: string }, command: Command) => {
      const [{ withServices }, { nodeUrl }] = await Promise.all([
        import('../open.ts'),
        import('../../core/cluster/credentials.ts'),
      ])
      const url = await withServices(command, load, ({ settings, database }) => {
        if (settings.get('database_url') !== '')
          throw usage('database_url is set: use the same database_url for other processes')
        return nodeUrl(database.store, addressOf(options.at ?? settings.get('database_listen')))
      })
      print(url)
    })
  cluster
    .command('forget')
    .description(
      'forget a process that will not return: poller groups that only it served are then polled by other processes',
    )
    .argument('<name>', 'name of the process, from cluster list')
    .action(async (name: string, _options: unknown, command: Command) => {
      await act(command, ({ services }) => services.pollers.forgetNode(name))
      say(`process ${name} forgotten`)
    })
}

function addressOf(text: string): { readonly host: string; readonly port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(text)
  if (match === null)
    throw usage(
      text === ''
        ? 'the embedded database accepts no connections from other machines: set database_listen, or add --at HOST:PORT'
        : `--at: expected HOST:PORT, not ${text}`,
    )
  const host = (match[1] ?? '').replace(/^\[|\]$/g, '')
  return { host: /^(0\.0\.0\.0|::)$/.test(host) ? hostname() : host, port: Number(match[2]) }
}
