import { sendHttp } from '../../../../src/core/alerts/transports/http.ts'
import { never, settingsWith } from './support.ts'

// A separate process, because trusted certificates are read when a process starts.
const [url = ''] = process.argv.slice(2)
const deps = {
  settings: settingsWith(),
  lookup: () => Promise.resolve(['127.0.0.1']),
  signal: never,
  now: Date.now,
}
try {
  const { status, body } = await sendHttp({ method: 'POST', url, headers: {}, body: '' }, deps)
  console.log(`${status} ${body}`)
} catch (error) {
  console.log(`failed ${error instanceof Error ? error.message : ''}`)
}
