import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { type Listening, listen, notify } from '../../../src/core/database/listen.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// A start subscribes to a dozen channels while its session is being opened. None may be left out, whenever it comes.

const CHANNELS = Array.from({ length: 60 }, (_, i) => `channel_${i}`)
const ROUNDS = 8

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

test('every channel is heard, however its subscription falls into the opening of the session', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const store: Store = connect(database.url, { max: 2 })
    const connected = new Set<string>()
    const heard = new Set<string>()
    const listening: Listening[] = []
    for (const [i, channel] of CHANNELS.entries()) {
      const hear = () => void heard.add(channel)
      listening.push(listen(store, channel, hear, () => void connected.add(channel), createLog('silent')))
      // some at once, some a few turns of the loop later
      if (i % 3 === round % 3) await Bun.sleep(i % 5 === 0 ? 1 : 0)
    }
    expect(await missing(connected)).toEqual([])
    for (const channel of CHANNELS) await notify(store, channel)
    expect(await missing(heard)).toEqual([])
    await Promise.all(listening.map((one) => one.stop()))
    await store.close(1)
  }
}, 60_000)

/** The channels that are not among those after ten seconds, or as soon as none is missing. */
async function missing(among: ReadonlySet<string>): Promise<string[]> {
  for (const until = Date.now() + 10_000; among.size < CHANNELS.length && Date.now() < until; ) await Bun.sleep(5)
  return CHANNELS.filter((channel) => !among.has(channel))
}
