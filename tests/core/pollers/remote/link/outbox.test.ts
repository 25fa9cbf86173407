import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import {
  createOutbox,
  type Outbox,
  POSITION_HEADER,
  StreamFullError,
} from '../../../../../src/core/pollers/remote/link/outbox.ts'
import { createSeal } from '../../../../../src/core/pollers/remote/link/seal.ts'
import { generateSiteKey, sharedSecret } from '../../../../../src/lib/site-keys.ts'
import { createLog } from '../../../../../src/observe/log.ts'
import { createBatch } from '../../../../../src/poller/samples/batch.ts'
import type { SampleBatch } from '../../../../../src/series/samples.ts'
import { temporaryFolder } from '../../../../cli/support.ts'
import { until } from '../../../../e2e/server.ts'
import { findNats, type NatsServer, startNats } from '../../../../support/nats.ts'

setDefaultTimeout(60_000)

const program = findNats()
const KEY = generateSiteKey()
const SEAL = createSeal(sharedSecret(KEY, generateSiteKey().publicText), 'full')
const MEGABYTE = 1024 * 1024

/** Samples that cannot be compressed. */
function noise(rows: number): SampleBatch {
  const batch = createBatch(1)
  for (let i = 0; i < rows; i++) batch.add('sensor', i + 1, Date.now(), [Math.random()])
  return batch.seal()
}

describe.skipIf(program === null)('the stream of a site', () => {
  const folder = temporaryFolder()
  let server: NatsServer
  let connection: NatsConnection

  beforeAll(async () => {
    server = await startNats(program ?? '', folder.path, (store) => `jetstream { store_dir: "${store}" }\n`)
    connection = await connect({ port: server.port, maxReconnectAttempts: -1, reconnectTimeWait: 200 })
  })
  afterAll(async () => {
    await connection?.close()
    await server?.stop()
    folder.remove()
  })

  const open = (poller: string, epoch = 1): Outbox =>
    createOutbox({
      connection,
      poller,
      domain: '',
      seal: SEAL,
      epoch,
      maxOctets: MEGABYTE,
      log: createLog('silent'),
    })
  const stateOf = async (stream: string) => (await (await jetstreamManager(connection)).streams.info(stream)).state

  test('when full, keeps the oldest, refuses and counts the newest, and accepts more once there is room', async () => {
    const outbox = open('full')
    const batch = noise(3000)
    let taken = 0
    const fill = async (): Promise<unknown> => {
      for (;;) {
        try {
          await outbox.deliver({ kind: 'samples', batch })
          taken++
        } catch (error) {
          return error
        }
      }
    }
    expect(await fill()).toBeInstanceOf(StreamFullError)
    expect(taken).toBeGreaterThan(5)
    const full = await stateOf('PORTLIGHT_full')
    expect(full).toMatchObject({ first_seq: 1, messages: taken })
    expect(full.bytes).toBeLessThanOrEqual(MEGABYTE)
    await expect(outbox.deliver({ kind: 'samples', batch })).rejects.toBeInstanceOf(StreamFullError)
    expect(outbox.stats()).toMatchObject({ published: taken, refused: 2, up: true })
    expect(await stateOf('PORTLIGHT_full')).toMatchObject({ first_seq: 1, messages: taken })
    await (await jetstreamManager(connection)).streams.purge('PORTLIGHT_full', { seq: 3 })
    await outbox.deliver({ kind: 'samples', batch })
    expect(await stateOf('PORTLIGHT_full')).toMatchObject({ first_seq: 3, messages: taken - 1 })
    await outbox.stop(1000)
  })

  test('divides deliveries that are larger than a NATS message can be', async () => {
    const manager = await jetstreamManager(connection)
    const outbox = createOutbox({
      connection,
      poller: 'large',
      domain: '',
      seal: SEAL,
      epoch: 5,
      maxOctets: 64 * MEGABYTE,
      log: createLog('silent'),
    })
    await outbox.deliver({ kind: 'samples', batch: noise(200_000) })
    const { messages } = await stateOf('PORTLIGHT_large')
    expect(messages).toBeGreaterThan(1)
    const last = await manager.streams.getMessage('PORTLIGHT_large', { seq: messages })
    expect(last?.header.get(POSITION_HEADER)).toBe(`5.1.${messages - 1}.${messages}`)
    await outbox.stop(1000)
  })

  test('gets what was delivered while its server was down, once and in order', async () => {
    const outbox = open('killed')
    await outbox.deliver({ kind: 'reboot', deviceId: 1, beforeS: 1, at: Date.now() })
    await server.stop('SIGKILL')
    const waiting = Array.from({ length: 20 }, (_, i) =>
      outbox.deliver({ kind: 'reboot', deviceId: 1, beforeS: i, at: Date.now() }),
    )
    await until(20, 'the outbox notices', async () => !outbox.stats().up)
    await server.start()
    await Promise.all(waiting)
    const manager = await jetstreamManager(connection)
    const { messages, first_seq } = await stateOf('PORTLIGHT_killed')
    expect(messages).toBe(21)
    const positions: (string | undefined)[] = []
    for (let seq = first_seq; seq < first_seq + messages; seq++)
      positions.push((await manager.streams.getMessage('PORTLIGHT_killed', { seq }))?.header.get(POSITION_HEADER))
    expect(positions).toEqual(Array.from({ length: 21 }, (_, i) => `1.${i + 1}.0.1`))
    await outbox.stop(1000)
  })
})
