import { setDefaultTimeout } from 'bun:test'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/api/app.ts'
import { openPoller } from '../../src/app/open-poller.ts'
import type { CommandPoller } from '../../src/cli/app.ts'
import { createSettings, type SettingsHolder } from '../../src/config/settings.ts'
import type { Role } from '../../src/core/access/users/service.ts'
import type { Dialect } from '../../src/core/base/actor.ts'
import type { AgentIdentity, PingOutcome, ProbeOutcome, SnmpTarget } from '../../src/core/base/gateway.ts'
import type { Store } from '../../src/core/database/client.ts'
import { createGateway } from '../../src/core/pollers/gateway.ts'
import { HERE, type Owner } from '../../src/core/pollers/owner.ts'
import { createServices, type Services } from '../../src/core/services.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import { storedSeries } from '../../src/graphs/store-source.ts'
import { createLog } from '../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from './database.ts'

// The first test of a process starts a database server, which on a busy machine takes longer than a hook may.
setDefaultTimeout(60_000)

/**
 * A simulated network, where devices are added: names, who does not answer to ping, and agents with the credentials they
 * accept.
 */
export interface Network {
  /** Addresses of a name, IPv4 first, separated by spaces. */
  readonly names: Map<string, string>
  readonly silent: Set<string>
  readonly agents: Map<string, Agent>
  readonly probed: SnmpTarget[]
  /** Ids of devices that another process polls, which does not answer. */
  readonly elsewhere: Set<number>
  /** Ids of devices that were announced as changed. */
  readonly refreshed: number[]
}

export interface Agent {
  readonly knows: (target: SnmpTarget) => boolean
  readonly sysName: string
  readonly os?: string
  /** Answers come from here instead of where the agent is asked. */
  readonly from?: string
  /** What tells it from others; undefined: it does not say. */
  readonly identity?: AgentIdentity
}

/** An answer as a client sees it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; null if it is not JSON. */
  readonly json: unknown
}

export interface TestApi {
  readonly store: Store
  readonly services: Services
  readonly settings: SettingsHolder
  readonly network: Network
  readonly app: ReturnType<typeof createApp>
  /** A token of a new user with these roles. */
  token(roles: readonly Role[], dialect?: Dialect): Promise<{ token: string; username: string }>
  /** Sends a request with the token of an administrator, or with `token` (null: none). `body` is sent as JSON text. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  drop(): Promise<void>
}

export interface CallOptions {
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

let minted = 0
/** A number that no other object of this process has. */
export const mint = () => ++minted

/**
 * The real application over a database of its own. Devices are polled and discovered by a real poller, which starts when
 * it is first needed; those that are added are looked for in a simulated network. `flags`: settings as on the command
 * line.
 */
export async function testApi(flags: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const database: TestDatabase = await testDatabase()
  const settings = createSettings({ flags })
  const log = createLog('silent')
  const network: Network = {
    names: new Map(),
    silent: new Set(),
    agents: new Map(),
    probed: [],
    elsewhere: new Set(),
    refreshed: [],
  }
  const { store } = database
  let poller: Promise<CommandPoller> | null = null
  const opened = (): Promise<CommandPoller> => {
    poller ??= openPoller({ store, settings, dataDir: join(tmpdir(), 'no-definitions'), log })
    return poller
  }
  const asked: AskedPoller = {
    ...contactIn(network),
    discover: async (deviceId) => await (await opened()).discover(deviceId),
    poll: async (deviceId) => await (await opened()).poll(deviceId),
  }
  const gateway = createGateway({
    ...{ store, settings, log },
    poller: () => Promise.resolve(asked),
    ownerOf: (deviceId) => Promise.resolve(network.elsewhere.has(deviceId) ? ELSEWHERE : HERE),
    graceS: 0,
    changed: (deviceId) => void network.refreshed.push(deviceId),
  })
  const services = createServices({
    store,
    settings,
    gateway,
    graphs: createGraphs({ series: storedSeries(store, settings), now: Date.now }),
    log,
    version: { name: 'Portlight', version: '0.0.0-test', revision: '', builtAt: '' },
  })
  const app = createApp(services, () => '127.0.0.1')

  async function token(roles: readonly Role[], dialect?: Dialect) {
    const username = `user${mint()}`
    await services.users.create({ username, roles })
    const created = await services.tokens.create({ username, description: 'test', dialect: dialect ?? null })
    return { token: created.token, username }
  }
  const admin = await token(['admin'])

  return {
    store,
    services,
    settings,
    network,
    app,
    token,
    async call(method, path, options = {}) {
      const headers = new Headers(options.headers)
      const used = options.token === undefined ? admin.token : options.token
      if (used !== null) headers.set('X-Auth-Token', used)
      const body =
        options.body === undefined
          ? null
          : typeof options.body === 'string'
            ? options.body
            : JSON.stringify(options.body)
      const answer = await app.fetch(new Request(`http://localhost${path}`, { method, headers, body }))
      const text = await answer.clone().text()
      return { status: answer.status, headers: answer.headers, text, json: parse(text) }
    },
    async drop() {
      await gateway.announced()
      await (await poller)?.stop(0)
      await database.drop()
    },
  }
}

const ELSEWHERE: Owner = { at: 'elsewhere', name: null }

type AskedPoller = Awaited<ReturnType<Parameters<typeof createGateway>[0]['poller']>>

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // an image, or nothing
  }
}

function contactIn(network: Network): Pick<AskedPoller, 'resolve' | 'ping' | 'probe' | 'identify'> {
  return {
    resolve: async (hostname, family) => {
      const addresses = network.names.get(hostname)?.split(' ') ?? []
      return addresses.find((address) => family === 'any' || isIP(address) === family) ?? null
    },
    ping: async (address): Promise<PingOutcome> =>
      network.silent.has(address) ? { kind: 'silent' } : { kind: 'answer', rttMs: 1 },
    identify: async ({ address }) => network.agents.get(address)?.identity ?? null,
    probe: async (target): Promise<ProbeOutcome> => {
      network.probed.push(target)
      const agent = network.agents.get(target.address)
      if (!agent?.knows(target)) return { kind: 'failed', failure: { kind: 'timeout' } }
      if (agent.from !== undefined && target.anySource !== true)
        return { kind: 'failed', failure: { kind: 'otherSource', from: agent.from } }
      return {
        kind: 'answer',
        sysDescr: 'an agent',
        sysObjectID: '1.3.6.1.4.1.8072.3.2.10',
        sysName: agent.sysName,
        os: agent.os ?? 'linux',
        snmpEngineID: null,
      }
    },
  }
}
