import { expect, setDefaultTimeout, test } from 'bun:test'
import { formatMetrics } from '../../src/observe/metrics.ts'
import { startTestServer, until } from './server.ts'

setDefaultTimeout(120_000)

test('metrics of one name stand together, and labels are escaped', () => {
  const text = formatMetrics([
    { name: 'a_total', type: 'counter', help: 'A.', value: 1, labels: { reason: 'x' } },
    { name: 'b', type: 'gauge', help: 'B.', value: 0.5 },
    { name: 'a_total', type: 'counter', help: 'A.', value: 2, labels: { reason: 'say "hi"\n' } },
  ])
  expect(text).toBe(
    '# HELP a_total A.\n# TYPE a_total counter\na_total{reason="x"} 1\na_total{reason="say \\"hi\\"\\n"} 2\n# HELP b B.\n# TYPE b gauge\nb 0.5\n',
  )
})

test('the server shows how polling stands at /metrics', async () => {
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
      return /^portlight_polls_silent_total [1-9]/m.test(found) && found
    })
    expect(text).toMatch(/^portlight_devices 1$/m)
    expect(text).toMatch(/^portlight_database_up 1$/m)
    expect(text).toMatch(/^portlight_snmp_requests_total [1-9]/m)
  } finally {
    await server.stop()
  }
})
