import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { DatabaseAddress } from '../../core/grafana/credentials.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { print, say } from '../output.ts'

/** `portlight grafana credentials|dashboards`. */
export function registerGrafana(program: Command, load: LoadComposition): void {
  const grafana = program.command('grafana').description('dashboards in Grafana')
  grafana
    .command('credentials')
    .description('create a database role for Grafana, or give it a new password; only the URL is printed on stdout')
    .option('--role <name>', 'name of the role', 'portlight_grafana')
    .option(
      '--at <host:port>',
      'address at which Grafana reaches the database (default: as the running server says, or from the settings)',
    )
    .action(async (options: { role: string; at?: string }, command: Command) => {
      if (!/^[a-z_][a-z0-9_]{0,62}$/.test(options.role))
        throw usage('--role must be 1 to 63 characters of a-z, 0-9 and _, and not begin with a digit')
      const [{ withServices }, { grafanaCredentials }, { listenAddress }] = await Promise.all([
        import('../open.ts'),
        import('../../core/grafana/credentials.ts'),
        import('../../core/database/address.ts'),
      ])
      const url = await withServices(command, load, async ({ settings, database }) => {
        const external = settings.get('database_url')
        // the running server knows, even if it was started with other settings than this command
        const listens = external === '' && database.how === 'joined' ? await listenAddress(database.store) : ''
        const address = addressOf(external, options.at ?? (listens || settings.get('database_listen')), options.at)
        return await grafanaCredentials(database.store, options.role, address)
      })
      print(url)
    })
  grafana
    .command('dashboards')
    .description('write provisioning files for Grafana: the data source and the dashboards')
    .argument('<dir>', 'folder, such as /etc/grafana/provisioning')
    .option('--api <url>', 'URL at which browsers reach Portlight, for links to its graphs', 'http://localhost:8000')
    .action(async (dir: string, options: { api: string }) => {
      const api = URL.parse(options.api)
      if (api === null || !/^https?:$/.test(api.protocol)) throw usage('--api: expected http://HOST:PORT')
      const { provisioningFiles } = await import('../../grafana/provisioning.ts')
      const files = provisioningFiles(options.api.replace(/\/+$/, ''))
      await writeFiles(dir, files)
      say(`${files.size} files written below ${dir}`)
    })
}

/** `listen`: HOST:PORT of the embedded server, '' if it has none. `at`: option --at. */
function addressOf(external: string, listen: string, at: string | undefined): DatabaseAddress {
  const url = external === '' ? null : new URL(external)
  const database = url === null ? 'portlight' : decodeURIComponent(url.pathname.slice(1)) || 'postgres'
  const socket = url?.searchParams.get('host')?.startsWith('/') === true
  // These describe how this program connects; Grafana connects differently.
  for (const own of ['host', 'port', 'user', 'password']) url?.searchParams.delete(own)
  const parameters = url?.search ?? ''
  if (url !== null && at === undefined) {
    if (socket || url.hostname === '') throw usage('the database is reached through a Unix socket: add --at HOST:PORT')
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 5432), database, parameters }
  }
  const match = /^(.+):(\d{1,5})$/.exec(listen)
  if (match === null) {
    if (at !== undefined) throw usage(`--at: expected HOST:PORT, not ${at}`)
    throw usage(
      'the embedded database accepts no connections from other programs: set database_listen (serve --database-listen HOST:PORT), or add --at HOST:PORT',
    )
  }
  const host = (match[1] ?? '').replace(/^\[|\]$/g, '')
  return { host: /^(0\.0\.0\.0|::)$/.test(host) ? hostname() : host, port: Number(match[2]), database, parameters }
}

/** Writes the files below `folder`, creating folders as needed. Other files there are left alone. */
async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) await Bun.write(join(folder, path), text)
}
