import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { portlight, type Served, startServe, temporaryFolder } from '../cli/support.ts'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { until } from './server.ts'

setDefaultTimeout(120_000)

// Portlight checks itself: a certificate that expires tomorrow causes an alert and a notification, a new one the
// recovery.

const openssl = Bun.which('openssl')
const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)

function certificate(name: string, days: number): void {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x']
  const out = ['-days', String(days), '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]
  if (!Bun.spawnSync([openssl ?? '', ...args, ...out]).success) throw new Error('openssl failed')
}
function use(name: string): void {
  for (const kind of ['key', 'pem']) copyFileSync(file(`${name}.${kind}`), file(`live.${kind}`))
}

describe.skipIf(openssl === null)('alerts about itself', () => {
  let served: Served
  let sink: WebhookSink
  let token: string
  const flags = [
    ...['--set', `tls.cert=${file('live.pem')}`, '--set', `tls.key=${file('live.key')}`],
    ...['--set', 'services.interval=2', '--set', 'services.attempts=1', '--set', 'outgoing.allow=127.0.0.1'],
  ]
  const run = async (args: readonly string[]) => {
    const port = new URL(served.url).port
    const outcome = await portlight([...args, '--data-dir', file('data'), ...flags, '--set', `port=${port}`])
    if (outcome.code !== 0) throw new Error(outcome.err)
    return outcome.out
  }
  async function get<T>(path: string): Promise<T> {
    const headers = { 'X-Auth-Token': token }
    const answer = await fetch(`${served.url}/api/v0${path}`, { headers, tls: { rejectUnauthorized: false } })
    return (await answer.json()) as T
  }

  beforeAll(async () => {
    certificate('short', 1)
    certificate('long', 60)
    use('short')
    sink = startWebhookSink()
    served = await startServe(file('data'), file('log'), flags)
    token = (await run(['token', 'create', '--user', 'admin', '--description', 'test'])).trim()
    await run(['transport', 'add', 'webhook', '--name', 'sink', '--default', '--url', sink.url])
  })
  afterAll(async () => {
    served?.process.kill('SIGTERM')
    await served?.process.exited
    sink?.stop()
    folder.remove()
  })

  test('one command adds the device, its services and the rule, once only', async () => {
    const out = await run(['service', 'watch-self'])
    expect(out).toContain('device localhost added')
    expect(out).toContain('added  Portlight: certificate')
    expect(out).toContain('added  alert rule Portlight itself: warning')
    expect(await run(['service', 'watch-self'])).toBe('device localhost already has all of these services\n')
  })

  test('a certificate that expires tomorrow causes an alert, which a new one ends', async () => {
    type Services = { services: { service_name: string; service_status: number; service_message: string }[][] }
    const states = async () => {
      const { services } = await get<Services>('/services')
      return new Map(services.flat().map((one) => [one.service_name, one] as const))
    }
    const found = await until(60, 'every part was checked', async () => {
      const all = await states()
      return all.size === 10 && [...all.values()].every(({ service_status }) => service_status !== 3) && all
    })
    expect(found.get('Portlight: certificate')).toMatchObject({
      service_status: 2,
      service_message: 'PORTLIGHT CRITICAL: the certificate expires in 1 day',
    })
    for (const part of ['polls are in time', 'samples are stored', 'database', 'packing', 'clocks agree', 'backup'])
      expect([part, found.get(`Portlight: ${part}`)?.service_status]).toEqual([part, 0])
    type Alerts = { alerts: { hostname: string; name: string; state: number }[] }
    await until(30, 'the alert', async () => {
      const { alerts } = await get<Alerts>('/alerts?state=1')
      return alerts.some(({ hostname, name }) => hostname === 'localhost' && name === 'Service down')
    })
    const sent = await until(30, 'the notification', async () =>
      sink.received.find(({ body }) => body['kind'] === 'alert'),
    )
    expect(JSON.stringify(sent.body)).toContain('Portlight: certificate')
    use('long')
    served.process.kill('SIGHUP')
    await until(60, 'the recovery', async () => sink.kinds().includes('recovery'))
    expect((await states()).get('Portlight: certificate')?.service_status).toBe(0)
  })
})
