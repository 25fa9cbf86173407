import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveApi } from '../../src/api/serve.ts'
import { type TestApi, testApi } from '../support/api.ts'

const browser = Bun.which('chromium') ?? Bun.which('chromium-browser') ?? Bun.which('google-chrome')
if (browser === null) console.warn('SKIPPED: the API reference in a browser: no chromium found')

/** Disables the browser's own look-ups and updates. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

describe.skipIf(browser === null)('in a real browser', () => {
  let api: TestApi
  let server: ReturnType<typeof serveApi>
  let profile: string
  beforeAll(async () => {
    api = await testApi()
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
    profile = mkdtempSync(join(tmpdir(), 'portlight-browser-'))
  })
  afterAll(async () => {
    await server.stop()
    rmSync(profile, { recursive: true, force: true })
    await api.drop()
  })

  /** The DOM after the page's scripts ran, and the messages of the console. */
  async function rendered(path: string): Promise<{ dom: string; complaints: string }> {
    const child = Bun.spawn(
      [
        browser ?? '',
        ...FLAGS,
        '--enable-logging=stderr',
        `--user-data-dir=${profile}`,
        '--virtual-time-budget=30000',
        '--dump-dom',
        `http://127.0.0.1:${server.port}${path}`,
      ],
      { stdout: 'pipe', stderr: 'pipe', timeout: 120_000 },
    )
    const [dom, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    await child.exited
    const complaints = errors.split('\n').filter((line) => line.includes('CONSOLE'))
    return { dom, complaints: complaints.join('\n') }
  }

  test('the reference lists the groups of operations, and the content security policy blocks nothing', async () => {
    const { dom, complaints } = await rendered('/docs')
    expect(dom).toContain('Portlight API')
    const groups = [...dom.matchAll(/data-tag="([^"]+)"/g)].map((m) => m[1])
    expect(groups).toContain('devices')
    expect(groups).toContain('bills')
    expect(complaints).not.toContain('Content Security Policy')
    expect(complaints).not.toContain('Uncaught')
  }, 180_000)

  test('a link to an operation opens it with its parameters', async () => {
    const { dom } = await rendered('/docs#/devices/list_devices')
    expect(dom).toContain('/api/v0/devices')
    expect(dom).toMatch(/data-param-name="order"/)
  }, 180_000)
})
