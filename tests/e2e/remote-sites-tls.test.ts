import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { portlight, projectDir, temporaryFolder } from '../cli/support.ts'
import { findNats } from '../support/nats.ts'
import { type Site, startSite } from '../support/site.ts'
import { until } from './server.ts'

// The configuration in docs/how-to/remote-sites.md, with TLS, accounts and permissions, exactly as documented.

setDefaultTimeout(120_000)

const program = findNats()
const openssl = Bun.which('openssl')
if (program === null || openssl === null)
  console.warn('SKIPPED: nats-server or openssl is not installed; the documented configuration is not tested')

/** The code block of the page that begins with this comment. */
function block(comment: string): string {
  const page = readFileSync(join(projectDir, 'docs', 'how-to', 'remote-sites.md'), 'utf8')
  const found = page.split('```').find((part) => part.startsWith(`conf\n# ${comment}`))
  if (found === undefined) throw new Error(`the page has no block ${comment}`)
  // the test puts its own address first in the file
  return found.slice('conf\n'.length).replace(/^listen: .*$/m, '')
}

function run(args: readonly string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync([openssl ?? '', ...args], { cwd })
  if (exitCode !== 0) throw new Error(stderr.toString())
}

function certificates(folder: string): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  run(
    ['req', '-x509', ...curve, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=test authority'],
    folder,
  )
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  for (const name of ['centre', 'oslo']) {
    run(['req', ...curve, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`], folder)
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2']
    run(['x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...signing], folder)
  }
}

describe.skipIf(program === null || openssl === null)('the documented configuration', () => {
  const folder = temporaryFolder()
  let site: Site
  let agent: DemoAgent

  beforeAll(async () => {
    certificates(folder.path)
    writeFileSync(join(folder.path, 'centre.pass'), 'centre:CENTRE-PASSWORD\n')
    writeFileSync(join(folder.path, 'poller.pass'), 'poller:POLLER-PASSWORD\n')
    agent = await openDemoAgent('edge-1')
    const at = (text: string) => text.replaceAll('/etc/nats/', `${folder.path}/`)
    site = await startSite({
      program: program ?? '',
      scheme: 'tls',
      settings: ['poller.interval=5', 'snmp.timeout=0.5', 'icmp_check=false', `nats.ca=${folder.path}/ca.pem`],
      centreSettings: [`nats.credentials=${folder.path}/centre.pass`],
      pollerSettings: [`nats.credentials=${folder.path}/poller.pass`],
      hubConfig: (leafs, advertised) =>
        at(block('centre:')).replace('0.0.0.0:7422', `127.0.0.1:${leafs}`).replace('nats.example.net:7422', advertised),
      leafConfig: (store, hub) =>
        at(block('site:')).replace('/var/lib/nats', store).replace('nats.example.net:7422', hub),
    })
  })
  afterAll(async () => {
    agent?.stop()
    await site?.stop()
    folder.remove()
  })

  test('a device added at the centre is polled at the site', async () => {
    const added = await portlight([
      ...['device', 'add', agent.address, '--snmp-port', String(agent.port), '--community', agent.community, '--force'],
      ...['--snmp-version', 'v2c', '--poller-group', String(site.groupId), '--data-dir', site.centre.dataDir],
    ])
    expect(added.err + added.out).toContain('added')
    await until(60, 'its samples', async () => {
      const { sql } = await site.centre.store()
      const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ts.port_samples`
      return (row?.n ?? 0) > 0
    })
  })

  test('the password of one site gives no access to another site', async () => {
    const nats: NatsConnection = await connect({
      port: site.hub.port,
      user: 'oslo',
      pass: 'OSLO-PASSWORD',
      tls: { caFile: join(folder.path, 'ca.pem') },
    })
    const refused: string[] = []
    void (async () => {
      for await (const status of nats.status()) if (status.type === 'error') refused.push(status.error.message)
    })()
    nats.publish('$JS.bergen.API.STREAM.DELETE.PORTLIGHT_bergen')
    nats.publish('portlight.bergen.requests')
    nats.subscribe('$JS.bergen.API.>', { callback: () => undefined })
    nats.subscribe('_INBOX.>', { callback: () => undefined })
    await nats.flush()
    await until(10, 'four refusals', async () => refused.length >= 4)
    await nats.close()
    expect(refused.every((text) => text.startsWith('Permissions Violation'))).toBe(true)
  })

  test('a server whose certificate was signed by another authority is not trusted', async () => {
    run(
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        'x.key',
        '-out',
        'x.pem',
        '-subj',
        '/CN=x',
      ],
      folder.path,
    )
    await expect(
      connect({
        port: site.hub.port,
        user: 'centre',
        pass: 'CENTRE-PASSWORD',
        tls: { caFile: join(folder.path, 'x.pem') },
      }),
    ).rejects.toThrow()
  })
})
