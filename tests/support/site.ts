import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { portlight, spawnServe, temporaryFolder } from '../cli/support.ts'
import { startTestServer, type TestServer } from '../e2e/server.ts'
import { freePort, type Link, type NatsServer, startLink, startNats } from './nats.ts'

/** A remote poller in a process of its own. */
export interface RemoteProcess {
  readonly url: string
  readonly pid: number
  log(): string
  metric(name: string): Promise<number>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * A centre and a site: two NATS servers, the link between them, the server with its database, and the remote poller.
 */
export interface Site {
  readonly centre: TestServer
  readonly hub: NatsServer
  readonly leaf: NatsServer
  readonly link: Link
  readonly name: string
  /** Data folder of the remote poller. */
  readonly pollerDir: string
  readonly groupId: number
  poller: RemoteProcess
  /** Starts the remote poller again after it was stopped. */
  startPoller(): Promise<void>
  stop(): Promise<void>
}

export interface SiteOptions {
  readonly program: string
  /** `NAME=VALUE` for both ends, for the poller alone, and for the centre alone. */
  readonly settings: readonly string[]
  readonly pollerSettings?: readonly string[]
  readonly centreSettings?: readonly string[]
  readonly scheme?: 'nats' | 'tls'
  /** Configuration of the centre's server: port for leaf nodes, and the address by which the site reaches it. */
  readonly hubConfig?: (leafs: number, advertised: string) => string
  /** Configuration of the site's server: folder of its store, and address of the centre's. */
  readonly leafConfig?: (store: string, hub: string) => string
}

function hubConfig(leafs: number, advertised: string): string {
  return `server_name: hub\nleafnodes { listen: 127.0.0.1:${leafs}, advertise: "${advertised}" }\n`
}

function leafConfig(store: string, hub: string): string {
  return `server_name: oslo
jetstream { store_dir: "${store}", domain: oslo, max_file_store: 1GB }
leafnodes { reconnect: 1, remotes: [ { url: "nats-leaf://${hub}" } ] }
`
}

export async function startSite(o: SiteOptions): Promise<Site> {
  const folder = temporaryFolder()
  const name = 'oslo'
  const scheme = o.scheme ?? 'nats'
  const hubLeafs = await freePort()
  const link = await startLink(() => hubLeafs)
  // servers tell each other their addresses; this one advertises the link's, or the link would be bypassed
  const hub = await startNats(o.program, join(folder.path, 'hub'), () =>
    (o.hubConfig ?? hubConfig)(hubLeafs, `127.0.0.1:${link.port}`),
  )
  const leaf = await startNats(o.program, join(folder.path, 'leaf'), (store) =>
    (o.leafConfig ?? leafConfig)(store, `127.0.0.1:${link.port}`),
  )
  const set = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['--set', setting])
  const centre = await startTestServer(
    set([...o.settings, ...(o.centreSettings ?? []), `nats.url=${scheme}://127.0.0.1:${hub.port}`]),
  )
  const at = ['--data-dir', centre.dataDir]
  const dataDir = join(folder.path, 'poller')
  const key = (await portlight(['remote-poller', 'key', '--data-dir', dataDir])).out.trim()
  await portlight(['poller-group', 'add', 'Oslo', ...at])
  const added = await portlight([
    'remote-poller',
    'add',
    name,
    '--key',
    key,
    '--group',
    'Oslo',
    '--domain',
    name,
    ...at,
  ])
  const centreKey = /plk1_[\w-]{43}/.exec(added.out)?.[0]
  if (centreKey === undefined) throw new Error(`the poller was not added: ${added.out} ${added.err}`)
  const { sql } = await centre.store()
  const [group] = await sql<{ id: number }[]>`select id from poller_groups where group_name = 'Oslo'`

  const startPoller = async (): Promise<RemoteProcess> => {
    const log = join(folder.path, `poller-${crypto.randomUUID()}.log`)
    const child = spawnServe(dataDir, log, [
      '--role',
      'remote-poller',
      ...set([
        ...o.settings,
        `nats.url=${scheme}://127.0.0.1:${leaf.port}`,
        'nats.stream_mb=64',
        `poller.name=${name}`,
        `poller.centre_key=${centreKey}`,
        ...(o.pollerSettings ?? []),
      ]),
    ])
    const greeting = await firstText(child.stdout)
    const url = /https?:\/\/[\d.:]+/.exec(greeting)?.[0]
    if (url === undefined) throw new Error(`the remote poller said only: ${greeting} ${readFileSync(log, 'utf8')}`)
    return {
      url,
      pid: child.pid,
      log: () => readFileSync(log, 'utf8'),
      async metric(metric) {
        const text = await (await fetch(`${url}/metrics`)).text()
        return metricOf(text, metric)
      },
      async stop(signal = 'SIGTERM') {
        child.kill(signal)
        await child.exited
      },
    }
  }
  const site: Site = {
    centre,
    hub,
    leaf,
    link,
    name,
    pollerDir: dataDir,
    groupId: group?.id ?? 0,
    poller: await startPoller(),
    async startPoller() {
      site.poller = await startPoller()
    },
    async stop() {
      await site.poller.stop()
      await centre.stop()
      link.stop()
      await leaf.stop()
      await hub.stop()
      folder.remove()
    },
  }
  return site
}

/** Value of a metric without labels or with any; NaN: absent. */
export function metricOf(text: string, metric: string): number {
  const line = text.split('\n').find((l) => l.startsWith(`${metric} `) || l.startsWith(`${metric}{`))
  return line === undefined ? Number.NaN : Number(line.slice(line.lastIndexOf(' ') + 1))
}

async function firstText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  return new TextDecoder().decode(value ?? new Uint8Array())
}
