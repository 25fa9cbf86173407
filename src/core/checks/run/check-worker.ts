import { collectEveryMinute } from '../../../lib/periodic-gc.ts'
import { unreachable } from '../../../lib/unreachable.ts'
import { reportThread } from '../../../observe/threads.ts'
import type { FromCheckWorker, ToCheckWorker } from './protocol.ts'
import { createRunner } from './run.ts'

declare const self: Worker

const runner = createRunner()

function send(message: FromCheckWorker): void {
  self.postMessage(message)
}

self.onmessage = (event: MessageEvent<ToCheckWorker>) => {
  const message = event.data
  switch (message.kind) {
    case 'check': {
      const began = performance.now()
      void runner.run(message.job).then((result) => {
        send({ kind: 'checked', id: message.id, result, tookMs: performance.now() - began })
      })
      return
    }
    case 'stop':
      runner.close()
      send({ kind: 'stopped' })
      return
    default:
      unreachable(message)
  }
}
collectEveryMinute()
reportThread('checks')
send({ kind: 'ready' })
