import { lowerThreadPriority } from '../lib/thread-priority.ts'
import { unreachable } from '../lib/unreachable.ts'
import { reportThread } from '../observe/threads.ts'
import { type Engine, openEngine } from './engine.ts'
import type { FromScanner, ToScanner } from './protocol.ts'

declare const self: Worker

const COLLECT_MS = 3000

const send = (message: FromScanner): void => self.postMessage(message)
const opening: Promise<Engine | null> = openEngine(send).then(
  (engine) => {
    send({ kind: 'ready', problem: null })
    return engine
  },
  (error: unknown) => {
    send({ kind: 'ready', problem: error instanceof Error ? error.message : String(error) })
    return null
  },
)
lowerThreadPriority()
// each address leaves a little garbage, and the heap would grow by it for minutes
setInterval(() => Bun.gc(true), COLLECT_MS)
reportThread('scanner')

self.onmessage = async ({ data }: MessageEvent<ToScanner>) => {
  const engine = await opening
  if (engine === null) return
  switch (data.kind) {
    case 'begin':
      engine.begin(data.job, data.options)
      return
    case 'hosts':
      engine.hosts(data.job, data.ids, data.addresses)
      return
    case 'end':
      engine.end(data.job)
      return
    default:
      unreachable(data)
  }
}
