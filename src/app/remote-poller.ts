import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { probes } from '../api/probes.ts'
import { serveStatus } from '../api/serve-status.ts'
import type { Running, ServeOptions } from '../cli/app.ts'
import { natsOptions } from '../core/pollers/remote/link/connection.ts'
import { createSeal } from '../core/pollers/remote/link/seal.ts'
import { nextEpoch, pollerKey } from '../core/pollers/remote/link/site-folder.ts'
import { nameProblem, sharedSecret } from '../lib/site-keys.ts'
import { watchDescriptors } from '../observe/descriptors.ts'
import { startPool } from '../poller/start-pool.ts'
import { tryLock } from '../postgres/lock.ts'
import { requireFreeAddress } from './address.ts'
import { ServingError } from './errors.ts'
import { createMetricsPage } from './metrics-page.ts'
import { addressOf } from './serving.ts'
import { linkSite } from './site-link.ts'
import { Stack } from './stack.ts'
import { certificateOf } from './tls.ts'

/**
 * A poller without a database, for a site that cannot reach it. Devices and settings come from the NATS server of the
 * site, results go into a stream there, and it listens only for health probes and metrics. If a part fails to start,
 * those already started are stopped.
 */
export async function composeRemotePoller(options: ServeOptions): Promise<Running> {
  const stack = new Stack(options.log)
  try {
    return await start(options, stack)
  } catch (error) {
    await stack.unwind()
    throw error
  }
}

async function start({ settings, dataDir, log, version }: ServeOptions, stack: Stack): Promise<Running> {
  const name = settings.get('poller.name') || hostname()
  const wrong = nameProblem(name)
  if (wrong !== null) throw new ServingError(`poller.name: the name of a remote poller ${wrong}`)
  const upstream = settings.get('poller.centre_key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const key = sentence(() => pollerKey(dataDir))
  if (upstream === '')
    throw new ServingError(
      `poller.centre_key is not set: run \`portlight remote-poller add ${name} --key ${key.publicText} --group GROUP\` at the centre, which prints it`,
    )
  const at = { hostname: settings.get('listen'), port: settings.get('port') }
  await requireFreeAddress(at.hostname, at.port)
  const lock = tryLock(join(dataDir, 'poller.lock'), 'exclusive')
  if (lock === null) throw new ServingError(`another remote poller uses the folder ${dataDir}`)
  stack.push('folder', () => lock.release())
  const seal = sentence(() => createSeal(sharedSecret(key, upstream), name))
  const servers = sentence(() => natsOptions(settings, `portlight poller ${name}`))
  const pool = startPool(settings, log.child({ component: 'poller' }))
  stack.push('workers', () => pool.stop(0))
  const stopping = new AbortController()
  const closing = stopping.signal
  const epoch = nextEpoch(dataDir)
  const link = linkSite({ settings, dataDir, log, version, name, seal, servers, epoch, pool, closing })
  stack.push('poller', async () => {
    stopping.abort()
    await link.stop()
  })
  const certificate = certificateOf(settings)
  const missing = () => new Response('Not found\n', { status: 404 })
  const server = serveStatus(
    at,
    { ...probes(() => Promise.resolve(link.problems())), '/metrics': createMetricsPage(link).answer },
    certificate,
    missing,
  )
  stack.add('probes', server)
  stack.add('descriptors', watchDescriptors(server, log))
  const url = addressOf(server, certificate)
  log.info({ poller: name, key: key.publicText, url }, 'remote poller')
  return {
    url,
    name,
    roles: ['remote-poller'],
    adminPassword: null,
    initialRules: [],
    demo: null,
    failure: link.failure,
    stop: () => stack.unwind(),
    hurry: () => stopping.abort(),
  }
}

/** Turns errors in settings and keys into a sentence for the operator. */
function sentence<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ServingError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
