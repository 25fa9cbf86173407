import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type BenchResult, result } from './result.ts'
import { builderOf } from './rules.ts'
import type { BenchServer } from './server.ts'
import type { Users, UsersReport } from './soak-users.ts'
import { type Footprint, footprint, growth } from './soak-watch.ts'

/** Load on the server during a soak besides polling; 0: none of this kind. */
export interface LoadOptions {
  readonly rules: number
  readonly services: number
  /** Messages a second. */
  readonly syslog: number
  /** Requests of the API and pages a second, besides pings. */
  readonly api: number
  readonly pages: number
}

/** The load, and the measurements during it. */
export interface Load {
  /** Starts measuring; anything before does not count. */
  begin(): Promise<void>
  /** Prints one line about the server and the machine. */
  minute(): Promise<void>
  results(): Promise<BenchResult[]>
  stop(): Promise<void>
}

/** Number of services whose port is alternately closed and open for a minute. */
const FLAKY = 20
const FLAKY_MS = 60_000
const PLUGIN = '/usr/lib/nagios/plugins/check_tcp'
const PING_MS = 50
const SOURCES = 100

export async function startLoad(options: LoadOptions, server: BenchServer, syslogPort: number): Promise<Load> {
  const { sql } = server.store
  const headers = { 'X-Auth-Token': server.token }
  const delays: number[] = []
  const pings: number[] = []
  let notified = 0
  let measuring = false
  let over = false

  const sink = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const at = Date.now()
      const body = (await request.json()) as { rule: { name: string }; device: { id: number } }
      notified++
      if (measuring && body.rule.name === 'flaky') {
        const [row] = await sql<{ at: Date }[]>`
          select checked_at as at from service_checks join services using (service_id)
          where device_id = ${body.device.id} and service_desc = 'flaky'`
        if (row !== undefined) delays.push(at - row.at.getTime())
      }
      return new Response('')
    },
  })
  const steady = listener(0)
  let flaky: ReturnType<typeof listener> | null = listener(0)
  const flakyPort = flaky.port
  const toggle = setInterval(() => {
    if (flaky === null) flaky = listener(flakyPort)
    else {
      flaky.stop(true)
      flaky = null
    }
  }, FLAKY_MS)

  if (options.rules > 0) {
    const [transport] = await sql<{ id: number }[]>`
      insert into alert_transports (transport_name, transport_type, is_default, transport_config)
      values ('bench', 'webhook', 0, ${JSON.stringify({ url: `http://127.0.0.1:${sink.port}/` })}::text::jsonb)
      returning transport_id as id`
    const id = transport?.id ?? 0
    await sql`delete from alert_rules`
    for (let r = 1; r < options.rules; r++)
      await sql`insert into alert_rules (severity, extra, name, query, builder)
        values ('warning', '{}', ${`rule ${r}`}, '', ${builderOf(r)})`
    const rules = [
      { field: 'services.service_desc', operator: 'equal', value: 'flaky' },
      { field: 'services.service_status', operator: 'equal', value: '2' },
    ]
    const response = await fetch(`${server.url}/api/v0/rules`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        name: 'flaky',
        severity: 'critical',
        devices: [-1],
        builder: { condition: 'AND', rules },
      }),
    })
    if (!response.ok) throw new Error(`rule: ${response.status} ${await response.text()}`)
    // only these rules notify, because others match on every device of the fleet
    await sql`insert into alert_transport_map (rule_id, transport_or_group_id, target_type)
      select id, ${id}, 'single' from alert_rules where name in ('flaky', 'rule 1', 'rule 2', 'rule 3', 'rule 4')`
  }
  if (options.services > 0) {
    if (!existsSync(PLUGIN)) throw new Error(`${PLUGIN} is missing: install monitoring-plugins-basic`)
    const count = options.services
    await sql`
      insert into services (device_id, service_type, service_ip, service_param, service_status, service_message, service_desc)
      select device_id, case when n % 5 in (1, 2) then 'icmp' else 'tcp' end, '127.0.0.1',
        case when n < ${FLAKY} * 5 and n % 5 = 0 then '-p ' || ${String(flakyPort)} when n % 5 in (0, 4) then '-p ' || ${String(steady.port)}
          when n % 5 = 3 then '-p ' || ${String(steady.port)} || ' -m 100' else '-n 1' end,
        0, 'before', case when n < ${FLAKY} * 5 and n % 5 = 0 then 'flaky' else 'steady' end
      from (select device_id, row_number() over (order by device_id) - 1 as d, count(*) over () as devices from devices) x,
        lateral (select n from generate_series(d, ${count - 1}, devices) n) y`
    await sql`select pg_notify('portlight_inventory', '')`
  }
  const sender =
    options.syslog === 0
      ? null
      : Bun.spawn(
          [
            process.execPath,
            join(import.meta.dir, 'syslog-sender.ts'),
            ...[syslogPort, options.syslog, 86_400, SOURCES].map(String),
            '127.16.0',
          ],
          { stdout: 'ignore' },
        )
  const ping = async (): Promise<void> => {
    while (!over) {
      const began = performance.now()
      await (await fetch(`${server.url}/api/v0/ping`, { headers })).text()
      if (measuring) pings.push(performance.now() - began)
      await Bun.sleep(PING_MS)
    }
  }
  const pinging = ping()
  const asked = await startUsers(options, server, () => measuring)
  const readings: Footprint[] = []
  let before = await metrics(server.url)
  let minutes = 0
  const loads: number[] = []

  return {
    async begin() {
      before = await metrics(server.url)
      measuring = true
    },
    async minute() {
      const now = await metrics(server.url)
      const reading = await footprint(server)
      readings.push(reading)
      loads.push(loadavg()[0] ?? 0)
      const line = {
        minute: minutes++,
        ...Object.fromEntries(Object.entries(reading).map(([name, value]) => [name, Math.round(value * 10) / 10])),
        load: loadavg()[0],
        late: now.polls_late - before.polls_late,
        polls: now.polls - before.polls,
        checks: now.checks - before.checks,
        syslog: now.syslog_stored - before.syslog_stored,
        waiting: now.syslog_waiting,
        notified,
        rules: now.rules,
        round: now.round,
        delays: delays.length,
        delayP99: Math.round(share(delays, 0.99)),
        pingP99: Number(share(pings, 0.99).toFixed(1)),
        requests: asked.api.length,
        pages: asked.pages.length,
        failed: asked.failed.length,
      }
      console.log(JSON.stringify(line))
    },
    async results() {
      const now = await metrics(server.url)
      const lost = now.syslog_dropped - before.syslog_dropped
      return [
        result('polls that started late', now.polls_late - before.polls_late, 'polls', null, {
          text: '0',
          met: now.polls_late === before.polls_late,
        }),
        ...(options.services > 0
          ? [
              result('service checks', now.checks - before.checks, 'checks'),
              result('of them late', now.checks_late - before.checks_late, 'checks'),
            ]
          : []),
        ...(options.syslog > 0
          ? [
              result('syslog messages stored', now.syslog_stored - before.syslog_stored, 'messages'),
              result('syslog messages dropped', lost, 'messages', null, { text: '0', met: lost === 0 }),
            ]
          : []),
        ...(options.rules > 0
          ? [
              result('rules evaluated', now.rules, 'rules'),
              result('a round of all rules on all devices, the last one', now.round, 's'),
              result('notifications received', notified, ''),
            ]
          : []),
        ...(delays.length > 0
          ? [
              result('from a check to its notification: how many', delays.length, ''),
              result('from a check to its notification: median', share(delays, 0.5), 'ms'),
              result('from a check to its notification: p99', share(delays, 0.99), 'ms', null, {
                text: 'at most 1 s',
                met: share(delays, 0.99) <= 1000,
              }),
            ]
          : []),
        result("API's ping, p50", share(pings, 0.5), 'ms'),
        result("API's ping, p99", share(pings, 0.99), 'ms', null, {
          text: 'at most 25 ms',
          met: share(pings, 0.99) <= 25,
        }),
        ...(options.api > 0
          ? [
              result('requests of the API', asked.api.length, ''),
              result('requests of the API, p99', share(asked.api, 0.99), 'ms'),
            ]
          : []),
        ...(options.pages > 0
          ? [result('pages', asked.pages.length, ''), result('pages, p99', share(asked.pages, 0.99), 'ms')]
          : []),
        ...(options.api + options.pages > 0
          ? [
              result(`answers that were errors ${asked.failed.slice(0, 3).join(' ')}`, asked.failed.length, '', null, {
                text: '0',
                met: asked.failed.length === 0,
              }),
            ]
          : []),
        ...(readings.length >= 10 ? growth(readings) : []),
        result('load of the machine, mean', loads.reduce((a, b) => a + b, 0) / loads.length, ''),
        result('load of the machine, most', Math.max(...loads), ''),
      ]
    },
    async stop() {
      over = true
      asked.stop()
      clearInterval(toggle)
      sender?.kill()
      await sender?.exited
      await pinging.catch(() => undefined)
      flaky?.stop(true)
      steady.stop(true)
      await sink.stop(true)
    },
  }
}

function listener(port: number) {
  return Bun.listen({ hostname: '127.0.0.1', port, socket: { open: (socket) => void socket.end(), data() {} } })
}

/** The quantile `of` (0 to 1) of the values; NaN if there are none. */
function share(values: readonly number[], of: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN
}

async function metrics(url: string) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
      (all, found) => all + Number(found[1]),
      0,
    )
  return {
    polls: sum('portlight_polls_total'),
    polls_late: sum('portlight_polls_late_total'),
    checks: sum('portlight_check_seconds_count'),
    checks_late: sum('portlight_checks_late_total'),
    syslog_stored: sum('portlight_syslog_stored_total'),
    syslog_dropped: sum('portlight_syslog_dropped_total'),
    syslog_waiting: sum('portlight_syslog_waiting'),
    rules: sum('portlight_alert_rules'),
    round: sum('portlight_alert_round_seconds'),
  }
}

/** Starts the clients; the lists grow until `stop`, by the answers that come while `counts` says so. */
async function startUsers(
  { api, pages }: LoadOptions,
  { url, token, password, store: { sql } }: BenchServer,
  counts: () => boolean,
) {
  const asked = { api: [] as number[], pages: [] as number[], failed: [] as string[], stop: () => {} }
  if (api + pages === 0) return asked
  const [row] = await sql<{ first: number; devices: number }[]>`
    select min(device_id)::int as first, count(*)::int as devices from devices`
  const worker = new Worker(new URL('./soak-users.ts', import.meta.url).href)
  worker.onmessage = ({ data }: MessageEvent<UsersReport>) => {
    if (!counts()) return
    asked.api.push(...data.api)
    asked.pages.push(...data.pages)
    asked.failed.push(...data.failed)
  }
  worker.postMessage({
    ...{ url, token, password, api, pages },
    ...{ firstId: row?.first ?? 0, devices: row?.devices ?? 0 },
  } satisfies Users)
  asked.stop = () => worker.terminate()
  return asked
}
