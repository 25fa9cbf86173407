import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Responder } from '../../../src/demo/responder.ts'
import { temporaryFolder } from '../../cli/support.ts'
import { startTestServer, type TestServer, until } from '../../e2e/server.ts'
import { rowsOfPages } from './rows.ts'
import { makeWorkFolder } from './shell.ts'

/** The installation that the pages are followed on: a server, agents, and the devices that the pages presuppose. */
export interface House {
  readonly server: TestServer
  /** The folder in which the commands are typed, and below which the files of the pages are. */
  readonly folder: string
  /** A folder for a page's own data, files and outputs. */
  newFolder(): string
  readonly env: Readonly<Record<string, string>>
  /** UDP port of all agents. */
  readonly agentPort: number
  /** Waits until the devices with agents are discovered and polled twice, so that there are rates. */
  discovered(): Promise<void>
  stop(): Promise<void>
}

/** The network of the agents; each page has one, so that what one page adds is new to the others. */
export const agentAddress = (page: number, host: number): string => `127.93.${page}.${host}`

const SWITCH = `1.3.6.1.2.1.1.1.0|4|A switch
1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.8072.3.2.10
1.3.6.1.2.1.1.3.0|67:uptime|
1.3.6.1.2.1.1.5.0|4|NAME
1.3.6.1.2.1.1.6.0|4|Laboratory
1.3.6.1.2.1.1.7.0|2|2

ports 32-bit
1|eth0|eth0||6|1500|1000|MAC|desk
`

const macOf = (page: number, host: number): string => `001b21${(page * 256 + host).toString(16).padStart(6, '0')}`

/** Agents at .1, .2 and .7 of each network: any community, and the SNMPv3 user of the pages. */
async function startAgents(pages: number): Promise<{ port: number; stop(): void }> {
  const v3 = { authname: 'monitor', authpass: 'SECRET1', cryptopass: 'SECRET2' }
  const sockets: Bun.udp.Socket<'uint8array'>[] = []
  for (let page = 1; page <= pages; page++)
    for (const host of [1, 2, 7]) {
      const name = `sw-${page}-${host}`
      const model = {
        name,
        kind: 'switch',
        recording: SWITCH.replace('NAME', name).replace('MAC', macOf(page, host)),
        v3,
      }
      const responders = ['public', 'COMMUNITY'].map(
        (community) => new Responder({ model, seed: String(page), community }),
      )
      sockets.push(
        await Bun.udpSocket({
          hostname: agentAddress(page, host),
          port: sockets[0]?.port ?? 0,
          binaryType: 'uint8array',
          socket: {
            data(socket, datagram, port, from) {
              const answers = responders.map((responder) => responder.respond(datagram, Date.now()))
              const answer = answers.find((one) => one !== null)
              if (answer !== undefined && answer !== null) socket.send(answer, port, from)
            },
            error() {},
          },
        }),
      )
    }
  return {
    port: sockets[0]?.port ?? 0,
    stop() {
      for (const socket of sockets) socket.close()
    },
  }
}

export async function startHouse(pages: number): Promise<House> {
  const agents = await startAgents(pages)
  const folder = temporaryFolder()
  const server = await startTestServer([
    ...['--set', `snmp.port=${agents.port}`, '--set', 'api.v1.enabled=true', '--set', 'snmp.retries=1'],
    ...['--set', 'poller.interval=10'],
    ...['--set', 'outgoing.allow=127.0.0.0/8'],
  ])
  await rowsOfPages(await server.store())
  makeWorkFolder(folder.path)
  let folders = 0
  const kept = Object.entries(process.env).filter(
    ([name, value]) => !/^(PORTLIGHT_|DATABASE_URL$|BUN_TEST|FORCE_COLOR)/.test(name) && value !== undefined,
  )
  return {
    server,
    folder: folder.path,
    newFolder() {
      const path = join(folder.path, `own-${++folders}`)
      mkdirSync(path, { mode: 0o755 })
      return path
    },
    env: {
      ...(Object.fromEntries(kept) as Record<string, string>),
      PATH: `${folder.path}:${process.env['PATH'] ?? ''}`,
      PORTLIGHT_DATA_DIR: server.dataDir,
      PORTLIGHT_SNMP_PORT: String(agents.port),
      TOKEN: server.token,
      PORTLIGHT_OUTGOING_ALLOW: '127.0.0.0/8',
      PORTLIGHT_ALERT_GRAPH_URL: 'https://monitor.example.net',
    },
    agentPort: agents.port,
    async discovered() {
      const { sql } = await server.store()
      await until(60, 'the devices are discovered and polled twice', async () => {
        const rows = await sql`
          select from devices where hostname like '127.93.%' and disabled = 0 and not exists (
            select from ports p join ts.port_samples using (port_id) where p.device_id = devices.device_id)`
        return rows.length === 0
      })
    },
    async stop() {
      await server.stop()
      agents.stop()
      folder.remove()
    },
  }
}

/** A free UDP port on loopback. Another process may take it before it is used. */
export async function freeUdpPort(): Promise<number> {
  const socket = await Bun.udpSocket({ hostname: '127.0.0.1', port: 0 })
  const { port } = socket
  socket.close()
  return port
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
