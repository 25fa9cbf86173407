import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWithDatabase, makeStarted, portlight } from '../../cli/support.ts'
import { until } from '../../e2e/server.ts'
import { treeFolder } from '../../librenms/tree.ts'
import { emptyDatabase } from '../../support/database.ts'
import { startWebhookSink } from '../../support/webhook-sink.ts'
import { freeUdpPort, type House } from './house.ts'
import type { Place } from './rewriting.ts'
import { candidatesOf } from './rows.ts'

/** What is prepared for a page. */
interface Prepared {
  /** Further variables of the shell's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Further texts that are replaced in what is typed, and back in what comes. */
  readonly replaced?: readonly (readonly [string, string])[]
  readonly stop?: () => void | Promise<void>
}

/** What a page presupposes. */
export interface Given {
  /** Its figures are an example: they are not compared. */
  readonly figures?: boolean
  /** Files that are there, by path below the folder in which the commands are typed. */
  readonly files?: Readonly<Record<string, string>>
  /** Commands that fail here, by their beginning, with the reason. */
  readonly fails?: Readonly<Record<string, string>>
  /** Lines that are not always printed, or by something that is tested elsewhere, by their beginning. */
  readonly others?: readonly string[]
  readonly before?: (house: House, place: Place) => Promise<Prepared>
  /** Before the block of this number, from 0. Returns further variables of the shell's environment. */
  readonly beforeBlock?: (house: House, block: number) => Promise<Readonly<Record<string, string>>>
}

/** A server of the page's own, on a database without a row, as at a first start. */
async function ownServer(house: House): Promise<Prepared> {
  const folder = house.newFolder()
  await makeStarted(folder)
  return { env: { SERVE_DATA: folder } }
}

/** The day `days` after today, as in `2026-11-30`. */
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export const GIVEN: Readonly<Record<string, Given>> = {
  'README.md': { before: ownServer },
  'docs/tutorial/start.md': { before: ownServer, others: ['portlight: installing '] },
  'docs/how-to/backup.md': {
    figures: true,
    files: { 'new-database.txt': 'postgres://portlight:PASSWORD@db.example.net/portlight\n' },
    // only if it takes more than five seconds, and because the server goes on
    others: ['reading: ', 'checking: ', 'restoring: ', 'comparing: ', 'a server is running: '],
    async before(house) {
      for (const folder of ['var/backups', 'srv']) mkdirSync(join(house.folder, folder), { recursive: true })
      const target = await emptyDatabase()
      return {
        env: { SERVE_DATA: join(house.folder, 'srv/portlight') },
        replaced: [['postgres://portlight:PASSWORD@db.example.net/portlight', target.url]],
        stop: target.drop,
      }
    },
  },
  'docs/how-to/change-devices.md': {
    files: {
      'switches.txt': '192.0.2.1\n192.0.2.2\n',
      'devices.csv': 'hostname,snmpver,community,location,groups\n192.0.2.7,v2c,COMMUNITY,,Core;Berlin\n',
    },
  },
  // the page sets it in the configuration file
  'docs/how-to/remote-sites.md': {
    before: () => Promise.resolve({ env: { PORTLIGHT_NATS_URL: 'tls://localhost:4222' } }),
  },
  'docs/how-to/faults.md': {
    async before({ server }, { address }) {
      const name = 'A fault of the pages'
      const rules = [{ field: 'devices.hostname', operator: 'equal', value: address(1) }]
      const builder = JSON.stringify({ condition: 'AND', rules })
      await server.call('POST', '/devices', {
        hostname: address(1),
        community: 'public',
        version: 'v2c',
        force_add: true,
      })
      await server.call('POST', '/rules', { name, severity: 'critical', devices: [-1], builder })
      const { sql } = await server.store()
      const id = await until(60, 'the fault of the page began', async () => {
        const [row] = await sql<{ id: string }[]>`
          select f.id::text from faults f join alert_rules r on r.id = f.rule_id where r.name = ${name} and f.state = 1`
        return row?.id
      })
      return { replaced: [['4711', id]] }
    },
  },
  'docs/how-to/find-devices.md': {
    figures: true,
    async before(_house, { address }) {
      return {
        replaced: [
          ['10.20.4.0/22', `${address(0)}/29`],
          ['10.20.0.0/16', `${address(0)}/24`],
          ['10.20.4.1', address(1)],
          ['core-1', 'sw-1'],
          ['1.3.6.1.4.1.9.1.2494', '1.3.6.1.4.1.8072.3.2.10'],
        ],
      }
    },
  },
  'docs/how-to/found-devices.md': {
    async before(house, { address }) {
      await candidatesOf(await house.server.store(), [1, 2, 7].map(address), house.agentPort)
      return {}
    },
  },
  'docs/how-to/give-access.md': {
    async before(house) {
      const { sql } = await house.server.store()
      await sql`select setval(pg_get_serial_sequence('api_tokens', 'id'), greatest(6, (select max(id) from api_tokens)))`
      return {}
    },
  },
  'docs/how-to/librenms-definitions.md': {
    figures: true,
    others: ['  resources/definitions/os_discovery/epmp.yaml'],
    async before() {
      const tree = treeFolder()
      const stop = () => rmSync(tree, { recursive: true, force: true })
      return { replaced: [['/opt/librenms', tree]], stop }
    },
  },
  'docs/how-to/on-call.md': {
    files: { 'twilio.txt': 'auth-token\n' },
    async before() {
      // the first turn is now, and the holidays are still to come
      return {
        replaced: [
          ['2026-11-30', day(-2)],
          ['2026-12-24', day(20)],
          ['2026-12-27', day(23)],
          ['AC...', `AC${'0'.repeat(32)}`],
          ['+4930...', '+49301234567'],
          ['+49170...', '+491701234567'],
        ],
      }
    },
  },
  'docs/how-to/operations.md': {
    async before(house) {
      const { sql } = await house.server.store()
      const [transport] = await sql<{ id: number }[]>`
        insert into alert_transports (transport_name, transport_type, is_default, transport_config)
        values ('core team', 'webhook', 0, ${sql.json({ url: 'https://hook.example.net/' })}) returning transport_id as id`
      const [group] = await sql<{ id: number }[]>`
        insert into alert_transport_groups (transport_group_name) values ('everybody') returning transport_group_id as id`
      const [schedule] = await sql<{ id: number }[]>`
        insert into on_call_schedules (name, zone) values ('For operations', 'UTC') returning id`
      return {
        replaced: [
          ['"targets": ["3"]', `"targets": ["${transport?.id ?? 0}"]`],
          ['"targets": ["s1", "g2"]', `"targets": ["s${schedule?.id ?? 0}", "g${group?.id ?? 0}"]`],
        ],
      }
    },
  },
  'docs/how-to/own-database.md': {
    async before(house) {
      const target = await emptyDatabase()
      return {
        env: { SERVE_DATA: house.newFolder() },
        replaced: [['postgres://portlight:SECRET@db.example.net/portlight?sslmode=require', target.url]],
        stop: target.drop,
      }
    },
  },
  'docs/how-to/secrets.md': {
    async before(house) {
      mkdirSync(join(house.folder, 'etc/portlight'), { recursive: true })
      const { dataDir, remove } = await folderWithDatabase()
      const replaced = [['chown portlight:', 'chown "$(id -u):$(id -g)"']] as const
      return { env: { PORTLIGHT_DATA_DIR: dataDir }, replaced, stop: remove }
    },
    async beforeBlock(house, block): Promise<Readonly<Record<string, string>>> {
      const file = join(house.folder, 'etc/portlight/secrets.key')
      if (block === 0) return {}
      if (block === 2) {
        // a new line with the new key before the old one
        const [before, { out }] = [readFileSync(file, 'utf8'), await portlight(['secrets', 'key'])]
        rmSync(file)
        writeFileSync(file, `${out}${before}`, { mode: 0o400 })
      }
      return { PORTLIGHT_SECRETS_KEY_FILE: file }
    },
  },
  'docs/how-to/service-checks.md': {
    fails: { 'portlight service check 1': 'the name has no address' },
    // other pages add services too
    async before({ server }) {
      const { sql } = await server.store()
      const [{ id = 0 } = {}] = await sql<{ id: number }[]>`
        select (nextval(pg_get_serial_sequence('services', 'service_id')) + 1)::int as id`
      return {
        replaced: [
          ['service 1 added', `service ${id} added`],
          ['service check 1', `service check ${id}`],
        ],
      }
    },
  },
  'docs/how-to/syslog.md': {
    async before() {
      const port = await freeUdpPort()
      return {
        replaced: [
          ['0.0.0.0:5514', `127.0.0.1:${port}`],
          ['portlight.example.net -P 5514', `127.0.0.1 -P ${port}`],
        ],
      }
    },
  },
  'docs/how-to/traps.md': {
    async before() {
      const port = await freeUdpPort()
      return {
        replaced: [
          ['0.0.0.0:1162', `127.0.0.1:${port}`],
          ['portlight.example.net:1162', `127.0.0.1:${port}`],
        ],
      }
    },
  },
  'docs/how-to/transports.md': {
    files: {
      'root/pagerduty.key': 'R0123456789ABCDEF0123456789ABCDE\n',
      'auth.txt': 'auth-password\n',
      'priv.txt': 'priv-password\n',
    },
    fails: {
      'portlight transport test noc-mail': 'there is no mail server',
      'portlight transport test push-anna': 'no browser is subscribed',
      'portlight transport resend 17 18': 'nothing was given up',
    },
    async before(house) {
      const sink = startWebhookSink()
      const { sql } = await house.server.store()
      await sql`
        insert into alert_transports (transport_name, transport_type, is_default, transport_config)
        values ('sms', 'webhook', 0, ${sql.json({ url: sink.url })})`
      const slack = ['https://hooks.slack.com/services/...', sink.url] as const
      // the last of the rules that a first start stores
      return { replaced: [slack, ['--rule 7', '--rule 6']], stop: sink.stop }
    },
  },
}
