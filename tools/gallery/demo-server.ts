import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DemoServer } from './shots.ts'

const MAIN = [process.execPath, '--no-env-file', join(import.meta.dir, '../../src/main.ts')]
const START_MS = 240_000
/** The demo has its history, and raises its first alert, within minutes. */
const READY_MS = 480_000

/** Runs `work` with a new `serve --demo` that has its history and its first alert, and removes it afterwards. */
export async function withDemo<T>(work: (server: DemoServer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-gallery-'))
  // when started as root, the database's user also needs access
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  const child = Bun.spawn([...MAIN, 'serve', '--demo', '--port', '0', '--data-dir', dataDir, '--log-level', 'info'], {
    stdio: ['ignore', 'pipe', Bun.file(join(folder, 'log'))],
  })
  try {
    const greeting = await greetingOf(child.stdout, join(folder, 'log'))
    const url = /https?:\/\/\S+/.exec(greeting)?.[0] ?? ''
    const password = /password (\S+)/.exec(greeting)?.[1] ?? ''
    const made = Bun.spawnSync(
      [
        ...MAIN,
        'token',
        'create',
        '--user',
        'admin',
        '--description',
        'gallery',
        '--for',
        'own',
        '--data-dir',
        dataDir,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const token = made.stdout.toString().trim()
    const endMs = performance.now() + READY_MS
    while (performance.now() < endMs && !(await Bun.file(join(folder, 'log')).text()).includes('demo history stored'))
      await Bun.sleep(1000)
    while (performance.now() < endMs) {
      const answer = await fetch(`${url}/api/v0/alerts/1`, { headers: { 'X-Auth-Token': token } })
      if (answer.ok && ((await answer.json()) as { alerts?: readonly unknown[] }).alerts?.length === 1) break
      await Bun.sleep(2000)
    }
    return await work({ url, password, token })
  } finally {
    child.kill('SIGTERM')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }
}

async function greetingOf(stdout: ReadableStream<Uint8Array>, log: string): Promise<string> {
  const reader = stdout.getReader()
  const late = setTimeout(() => void reader.cancel(), START_MS)
  const decoder = new TextDecoder()
  let greeting = ''
  while (!greeting.includes('Use it:')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the demo did not start; it said: ${greeting} ${await Bun.file(log).text()}`)
    greeting += decoder.decode(value, { stream: true })
  }
  clearTimeout(late)
  reader.releaseLock()
  return greeting
}
