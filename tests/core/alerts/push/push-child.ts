import { createPushSubscriptions } from '../../../../src/core/alerts/push/push-subscriptions.ts'
import { createDeliver } from '../../../../src/core/alerts/transports/deliver.ts'
import { createExchangeLog } from '../../../../src/core/alerts/transports/exchange.ts'
import { connect } from '../../../../src/core/database/client.ts'
import { createLog } from '../../../../src/observe/log.ts'
import { never, notification, settingsWith } from '../transports/support.ts'

// A separate process, because trusted certificates are read when a process starts. Sends what each line says.
const [url = ''] = process.argv.slice(2)
const store = connect(url, { max: 2 })
const deliver = createDeliver({
  settings: settingsWith({ email_from: 'Portlight <noc@example.net>' }),
  log: createLog('silent'),
  lookup: () => Promise.resolve(['127.0.0.1']),
  push: createPushSubscriptions(store),
})
for await (const line of console) {
  if (line === '') continue
  const { settings, changes } = JSON.parse(line) as { settings: Record<string, unknown>; changes: object }
  const log = createExchangeLog({}, {})
  const delivery = await deliver({ kind: 'webpush', settings }, notification(changes), never, log.note)
  console.log(JSON.stringify({ delivery, exchanges: log.exchanges() }))
}
await store.close(1)
