import { collectEveryMinute } from '../lib/periodic-gc.ts'
import { unreachable } from '../lib/unreachable.ts'
import type { FromFleet, ToFleet } from './protocol.ts'
import { type ServedFleet, serveFleet } from './serve.ts'

declare const self: Worker

/** The fleet's thread. It shares nothing but the network with the threads of the poller and the server. */
let fleet: ServedFleet | null = null

const send = (message: FromFleet) => self.postMessage(message)

collectEveryMinute()
self.onmessage = async ({ data }: MessageEvent<ToFleet>) => {
  switch (data.kind) {
    case 'start':
      try {
        fleet = await serveFleet(data.options)
        send({ kind: 'started', devices: fleet.devices, unknown: fleet.unknown, webPort: fleet.webPort })
      } catch (error) {
        send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
      }
      return
    case 'past':
      try {
        if (fleet === null) throw new Error('the demo fleet is not running')
        const past = fleet.past(data.device, data.question)
        const arrays = [past.ticks, past.counters, past.known, past.numbers]
        self.postMessage(
          { kind: 'past', answer: past } satisfies FromFleet,
          arrays.map((array) => array.buffer as ArrayBuffer),
        )
      } catch (error) {
        send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
      }
      return
    case 'stop':
      await fleet?.stop()
      send({ kind: 'stopped', answered: fleet?.answered ?? 0 })
      return
    default:
      unreachable(data)
  }
}
