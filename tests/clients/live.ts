import { startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { portlight } from '../cli/support.ts'
import { startTestServer, type TestServer, until } from '../e2e/server.ts'

/** A server that monitors real agents and answers in dialect `librenms`. */
export interface LiveServer extends TestServer {
  /** The devices as the API returns them; all were discovered and polled. */
  readonly devices: readonly LiveDevice[]
  /** UDP port of the agent, on 127.0.0.1 to 127.0.0.3 with community `public`; 127.0.0.3 is not added. */
  readonly agentPort: number
  /** Token of a user with role `user` who was granted nothing. */
  readonly weakToken: string
}

export type LiveDevice = Readonly<Record<string, unknown>> & { readonly device_id: number; readonly hostname: string }

/** Seconds allowed for reading the devices on a busy machine. */
const READ_S = 90

/** Starts it with the snmpd at this path, and waits until every device was discovered and polled. */
export async function startLiveServer(snmpd: string): Promise<LiveServer> {
  const agent = await startSnmpd(snmpd, (port) => `agentaddress udp:127.0.0.2:${port},udp:127.0.0.3:${port}`)
  const settings = ['api.v0.dialect=librenms', 'allow_duplicate_sysName=true']
  const server = await startTestServer(settings.flatMap((setting) => ['--set', setting]))
  const stop = server.stop
  const stopAll = async () => {
    await stop()
    await agent.stop()
  }
  try {
    for (const hostname of ['127.0.0.1', '127.0.0.2'])
      await server.call('POST', '/devices', { hostname, port: agent.port, version: 'v2c', community: 'public' })
    await command(server, ['user', 'add', 'weak', '--no-password'])
    const weakToken = await command(server, ['token', 'create', '--user', 'weak'])
    const devices = await until(READ_S, 'all devices polled', async () => {
      const { json } = await server.call('GET', '/devices')
      const listed = json['devices'] as LiveDevice[] | undefined
      const polled = listed?.filter((device) => device['last_polled'] !== null && device['sysDescr'] !== null)
      return polled?.length === 2 && polled
    })
    return Object.assign(server, { devices, agentPort: agent.port, weakToken, stop: stopAll })
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** Runs a command on the server's database and returns what it prints. */
async function command(server: TestServer, args: readonly string[]): Promise<string> {
  const { code, out, err } = await portlight([...args, '--data-dir', server.dataDir])
  if (code !== 0) throw new Error(`portlight ${args.join(' ')}: ${err}`)
  return out.trim()
}
