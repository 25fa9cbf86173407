import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const get = (path: string) => api.call('GET', path, { token: null })

test('the page is served without a token, with a policy against other hosts', async () => {
  const page = await get('/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  expect((await get('/docs/')).text).toBe(page.text)
})

test('everything the page refers to is served here with the right media type', async () => {
  const { text } = await get('/docs')
  const references = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((m) => m[1] ?? '')
  expect(references.length).toBeGreaterThanOrEqual(4)
  for (const path of references) {
    expect(path).toStartWith('/')
    expect(path).not.toStartWith('//')
    const asset = await get(path)
    expect({ path, status: asset.status, empty: asset.text === '' }).toEqual({ path, status: 200, empty: false })
    const wanted = { js: 'text/javascript', css: 'text/css', png: 'image/png', json: 'application/json' }
    const type = wanted[path.split('.').at(-1) as keyof typeof wanted]
    expect(asset.headers.get('content-type')).toStartWith(type)
  }
})

test('the style sheet loads nothing from other hosts', async () => {
  const { text } = await get('/docs/swagger-ui.css')
  const urls = [...text.matchAll(/url\(["']?([^)"']+)/g), ...text.matchAll(/@import\s+["']([^"']+)/g)].map((m) => m[1])
  expect(urls.filter((url) => !url?.startsWith('data:'))).toEqual([])
})

test('the page uses the OpenAPI document of this server and no external validator', async () => {
  const started: unknown[] = []
  const run = new Function('SwaggerUIBundle', (await get('/docs/start.js')).text) as (ui: (o: unknown) => void) => void
  run((options) => started.push(options))
  expect(started).toMatchObject([{ url: '/openapi.json', dom_id: '#ui', validatorUrl: null }])
  expect((await get('/openapi.json')).status).toBe(200)
  expect((await get('/docs/swagger-ui.js')).text).toContain('SwaggerUIBundle')
  expect((await get('/docs/nothing.js')).status).toBe(404)
})
