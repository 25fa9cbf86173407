import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountedRoutes } from '../../src/api/route-index.ts'
import { apiPages } from '../../tools/reference/api/pages.ts'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; in: string }[] }>>
}

test.each(apiPages())('$path is up to date (run `bun run docs`)', ({ path, text }) => {
  expect(readFileSync(join(import.meta.dir, '..', '..', path), 'utf8')).toBe(text)
})

test('the document is served without a token and contains every operation once', async () => {
  const answer = await api.call('GET', '/openapi.json', { token: null })
  expect(answer.headers.get('content-type')).toBe('application/json')
  const document = answer.json as Document
  expect(document.openapi).toStartWith('3.1.')
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((o) => o.operationId))
  expect(ids.toSorted()).toEqual(
    mountedRoutes(api.app)
      .map((route) => route.operation)
      .toSorted(),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('every path parameter is declared, and no path is in router syntax', async () => {
  const { paths } = (await api.call('GET', '/openapi.json')).json as Document
  for (const [path, item] of Object.entries(paths)) {
    expect(path).not.toMatch(/[:*]|\/$/)
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1])
    for (const { operationId, parameters } of Object.values(item)) {
      const declared = (parameters ?? []).filter((p) => p.in === 'path').map((p) => p.name)
      expect({ operationId, names: names.toSorted() }).toEqual({ operationId, names: declared.toSorted() })
    }
  }
})
