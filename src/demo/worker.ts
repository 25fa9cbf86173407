import { unreachable } from '../lib/unreachable.ts'
import type { FromFleet, ToFleet } from './protocol.ts'
import { type ServedFleet, serveFleet } from './serve.ts'

declare const self: Worker

/** The fleet's thread: the poller's threads and the server's share nothing with it but the network. */
let fleet: ServedFleet | null = null

const tell = (message: FromFleet) => self.postMessage(message)

self.onmessage = async ({ data }: MessageEvent<ToFleet>) => {
  switch (data.kind) {
    case 'start':
      try {
        fleet = await serveFleet(data.options)
        tell({ kind: 'started', devices: fleet.devices })
      } catch (error) {
        tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
      }
      return
    case 'stop':
      fleet?.stop()
      tell({ kind: 'stopped', answered: fleet?.answered ?? 0 })
      return
    default:
      unreachable(data)
  }
}
