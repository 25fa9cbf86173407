import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { portlight, projectDir, temporaryFolder } from './support.ts'

setDefaultTimeout(60_000)

// A server as a person starts it, and commands beside it.
const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
const START_MS = 60_000
const STOP_MS = 6000

let server: ReturnType<typeof start>
let url = ''
let greeting = ''

function start() {
  return Bun.spawn(
    [
      process.execPath,
      '--no-env-file',
      join(projectDir, 'src', 'main.ts'),
      'serve',
      '--port',
      '0',
      '--data-dir',
      dataDir,
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore', cwd: folder.path },
  )
}

/** Reads stdout until the text is there. */
async function readUntil(stream: ReadableStream<Uint8Array>, wanted: string): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const late = AbortSignal.timeout(START_MS)
  const giveUp = (): void => void reader.cancel()
  late.addEventListener('abort', giveUp)
  let text = ''
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the server said only: ${text}`)
    text += decoder.decode(value, { stream: true })
  }
  late.removeEventListener('abort', giveUp)
  reader.releaseLock()
  return text
}

beforeAll(async () => {
  server = start()
  greeting = await readUntil(server.stdout, 'Use it:')
  url = /http:\/\/\S+/.exec(greeting)?.[0] ?? ''
}, START_MS)

afterAll(async () => {
  server.kill('SIGKILL')
  await server.exited
  // The next command finds the orphaned database server and takes it down with itself.
  await portlight(['migrate', '--data-dir', dataDir])
  folder.remove()
})

describe('serve', () => {
  test('the first start makes the user admin and tells the password', () => {
    expect(greeting).toMatch(/user admin, password \S{16} /)
  })

  test('a token made beside the server opens the API at once', async () => {
    expect((await fetch(`${url}/api/v0/ping`)).status).toBe(401)
    const { out } = await portlight(['token', 'create', '--user', 'admin', '--data-dir', dataDir])
    const answer = await fetch(`${url}/api/v0/ping`, { headers: { 'X-Auth-Token': out.trim() } })
    expect(await answer.json()).toEqual({ message: 'pong' })
  })

  test('a second server on the same data folder is refused, and the first goes on', async () => {
    const { code, err } = await portlight(['serve', '--port', '0', '--data-dir', dataDir])
    expect(code).toBe(1)
    expect(err).toContain('already')
    expect((await fetch(`${url}/api/v0/ping`)).status).toBe(401)
  })

  test('SIGTERM ends it with code 0 and leaves no database server', async () => {
    const deadline = setTimeout(() => server.kill('SIGKILL'), STOP_MS)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    clearTimeout(deadline)
    expect(await Bun.file(join(dataDir, 'postgres', 'data', 'postmaster.pid')).exists()).toBe(false)
  })
})
