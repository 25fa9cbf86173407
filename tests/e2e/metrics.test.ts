import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveFleet } from '../../src/demo/serve.ts'
import { CATALOGUE, isMetricName } from '../../src/observe/catalogue.ts'
import { createHistogram } from '../../src/observe/histogram.ts'
import { formatMetrics } from '../../src/observe/metrics.ts'
import { KINDS } from '../../src/series/kinds.ts'
import { parseMetrics } from '../support/metrics-text.ts'
import { startTestServer, until } from './server.ts'

setDefaultTimeout(120_000)

/** Checks the text with Prometheus' own linter. */
async function checkWithPromtool(text: string): Promise<void> {
  if (Bun.which('promtool') === null) return console.warn('promtool is missing: names were not linted by it')
  const run = Bun.spawn(['promtool', 'check', 'metrics'], { stdin: new Blob([text]), stderr: 'pipe', stdout: 'pipe' })
  const said = (await new Response(run.stdout).text()) + (await new Response(run.stderr).text())
  expect({ said, code: await run.exited }).toEqual({ said: '', code: 0 })
}

test('metrics with the same name are grouped, and labels are escaped', () => {
  const text = formatMetrics([
    { name: 'a_total', type: 'counter', help: 'A.', value: 1, labels: { reason: 'x' } },
    { name: 'b', type: 'gauge', help: 'B.', value: 0.5 },
    { name: 'a_total', type: 'counter', help: 'A.', value: 2, labels: { reason: 'say "hi"\n' } },
  ])
  expect(text).toBe(
    '# HELP a_total A.\n# TYPE a_total counter\na_total{reason="x"} 1\na_total{reason="say \\"hi\\"\\n"} 2\n# HELP b B.\n# TYPE b gauge\nb 0.5\n',
  )
})

test('a histogram counts values up to and including its bounds, cumulatively and by labels', () => {
  const histogram = createHistogram({
    name: 'h_seconds',
    help: 'H.',
    bounds: [0.1, 1],
    labels: ['operation', 'status'],
  })
  expect(histogram.metrics()).toEqual([])
  for (const seconds of [0.1, 0.5, 1, 3]) histogram.observe(seconds, 'ping', '2xx')
  histogram.observe(0.25, 'ping', '4xx')
  expect(formatMetrics(histogram.metrics())).toBe(
    `# HELP h_seconds H.
# TYPE h_seconds histogram
h_seconds_bucket{operation="ping",status="2xx",le="0.1"} 1
h_seconds_bucket{operation="ping",status="2xx",le="1"} 3
h_seconds_bucket{operation="ping",status="2xx",le="+Inf"} 4
h_seconds_sum{operation="ping",status="2xx"} 4.6
h_seconds_count{operation="ping",status="2xx"} 4
h_seconds_bucket{operation="ping",status="4xx",le="0.1"} 0
h_seconds_bucket{operation="ping",status="4xx",le="1"} 1
h_seconds_bucket{operation="ping",status="4xx",le="+Inf"} 1
h_seconds_sum{operation="ping",status="4xx"} 0.25
h_seconds_count{operation="ping",status="4xx"} 1
`,
  )
  const plain = createHistogram({ name: 'p_seconds', help: 'P.', bounds: [1] })
  plain.observe(0.5)
  expect(formatMetrics(plain.metrics())).toContain(
    'p_seconds_bucket{le="1"} 1\np_seconds_bucket{le="+Inf"} 1\np_seconds_sum 0.5\n',
  )
})

test('the server shows the state of polling at /metrics', async () => {
  const server = await startTestServer([
    '--set',
    'poller.interval=5',
    '--set',
    'snmp.timeout=0.2',
    '--set',
    'snmp.retries=0',
  ])
  try {
    const body = { hostname: '127.0.0.9', port: 9, version: 'v2c', community: 'public', force_add: true }
    expect(await server.call('POST', '/devices', body)).toMatchObject({ status: 200 })
    const text = await until(30, 'a silent poll is counted', async () => {
      const response = await fetch(`${server.url}/metrics`)
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      const found = await response.text()
      // workers report their counters once a second
      const counted = /^portlight_snmp_requests_total [1-9]/m.test(found)
      return counted && /^portlight_polls_silent_total [1-9]/m.test(found) && found
    })
    expect(text).toMatch(/^portlight_devices 1$/m)
    expect(text).toMatch(/^portlight_database_up 1$/m)
    const kinds = [...text.matchAll(/^portlight_samples_written_total\{kind="(\w+)"\}/gm)].map(([, kind]) => kind)
    expect(kinds.toSorted()).toEqual(Object.keys(KINDS).toSorted())
    const page = readFileSync(join(import.meta.dir, '..', '..', 'docs', 'reference', 'metrics.md'), 'utf8')
    const shown = await until(30, 'threads have reported and the database was inspected', async () => {
      const found = await (await fetch(`${server.url}/metrics`)).text()
      const isRead = ['database_size_bytes [1-9]', 'packing_problems 0'].every((one) =>
        new RegExp(`^portlight_${one}`, 'm').test(found),
      )
      return /thread="snmp-0"/.test(found) && isRead && found
    })
    const families = parseMetrics(shown)
    const undeclared = families.filter(({ name }) => !isMetricName(name)).map(({ name }) => name)
    expect(undeclared).toEqual([])
    for (const { name, type, help, samples } of families) {
      if (!isMetricName(name)) continue
      expect({ name, type, help }).toEqual({ name, type: CATALOGUE[name].type, help: CATALOGUE[name].help })
      expect(page).toContain(`| \`${name}\` | ${type} |`)
      for (const { labels } of samples) {
        const own = Object.keys(labels).filter((label) => label !== 'le')
        expect({ name, labels: own.toSorted() }).toEqual({
          name,
          labels: Object.keys(CATALOGUE[name].labels).toSorted(),
        })
      }
      // operations and modules are the labels with most values
      expect(new Set(samples.map(({ labels }) => JSON.stringify({ ...labels, le: '' }))).size).toBeLessThan(400)
    }
    const seen = new Set(families.map(({ name }) => name))
    const missing = Object.entries(CATALOGUE).filter(([name, { missing }]) => missing === '' && !seen.has(name))
    expect(missing.map(([name]) => name)).toEqual([])
    await checkWithPromtool(shown)
  } finally {
    await server.stop()
  }
})

test('durations of requests, polls and modules are histograms without devices, ports or paths', async () => {
  const fleet = await serveFleet({ port: 23_161 })
  const server = await startTestServer(['--set', 'poller.interval=5', '--set', 'api.v1.enabled=true'])
  try {
    const [device] = fleet.devices
    const { address, port } = device ?? { address: '', port: 0 }
    const hostname = 'a-device-of-its-own'
    const body = { hostname, overwrite_ip: address, port, version: 'v2c', community: 'public' }
    expect(await server.call('POST', '/devices', body)).toMatchObject({ status: 200 })
    const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })
    const token = { 'X-Auth-Token': server.token }
    expect((await get('/api/v0', token)).status).toBe(200)
    expect((await get(`/api/v0/devices/${hostname}`, token)).status).toBe(200)
    expect((await get(`/api/v0/devices/nobody-knows-this`, token)).status).toBe(404)
    expect((await get(`/api/v0/devices/${hostname}`)).status).toBe(401)
    expect((await get('/api/v0/no-such-path', token)).status).toBe(404)
    expect((await get('/api/v1/health')).status).toBe(200)
    expect((await get('/api/v1/system')).status).toBe(401)
    const malformed = await fetch(`${server.url}/api/v0/devices`, { method: 'POST', headers: token, body: '{' })
    expect(malformed.status).toBe(400)
    const text = await until(60, 'a poll and a discovery are counted', async () => {
      const found = await (await get('/metrics')).text()
      return (
        /^portlight_poll_duration_seconds_count [1-9]/m.test(found) &&
        /^portlight_discovery_module_duration_seconds_count\{module="ports"\} [1-9]/m.test(found) &&
        found
      )
    })
    const requests = (operation: string, status: string) =>
      Number(
        new RegExp(
          `^portlight_http_request_duration_seconds_count\\{operation="${operation}",status="${status}"\\} (\\d+)$`,
          'm',
        ).exec(text)?.[1] ?? 0,
      )
    expect({
      root: requests('root', '2xx'),
      found: requests('get_device', '2xx'),
      notFound: requests('get_device', '4xx'),
      added: requests('add_device', '2xx'),
      notAdded: requests('add_device', '4xx'),
      refused: requests('none', '4xx'),
      health: requests('v1_health', '2xx'),
      system: requests('v1_system', '4xx'),
    }).toEqual({ root: 1, found: 1, notFound: 1, added: 1, notAdded: 1, refused: 2, health: 1, system: 1 })
    for (const name of ['poll_duration', 'discovery_module_duration', 'http_request_duration']) {
      expect(text.match(new RegExp(`^# TYPE portlight_${name}_seconds histogram$`, 'gm'))).toHaveLength(1)
    }
    expect(text).toMatch(/^portlight_poll_duration_seconds_bucket\{le="\+Inf"\} [1-9]/m)
    for (const own of [hostname, address, 'nobody-knows-this', 'no-such-path', '/api/']) expect(text).not.toContain(own)
  } finally {
    await server.stop()
    await fleet.stop()
  }
})
