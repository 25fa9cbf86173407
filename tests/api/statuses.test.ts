import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/api/app.ts'
import { openApiDocument } from '../../src/api/openapi/document.ts'
import { isObject } from '../../src/api/openapi/json.ts'
import { refusals, STATUSES } from '../../src/api/v0/statuses.ts'
import type { Services } from '../../src/core/services.ts'

test('dialect documented has no 500 for mistakes of the caller', () => {
  expect(Object.values(STATUSES).filter(({ documented }) => (documented as number) === 500)).toEqual([])
})

test('docs/reference/errors.md has the table', () => {
  const page = readFileSync(join(import.meta.dir, '..', '..', 'docs', 'reference', 'errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| \[(\w+)\]\(#(\w+)\) \| (\d{3}) \| (\d{3}) \|/gm)]
  const entries = rows.map(([, code = '', anchor, documented, librenms]) => {
    expect(page).toContain(`\n## ${anchor}\n`)
    return [code, { documented: Number(documented), librenms: Number(librenms) }]
  })
  const { unforeseen, ...codes } = Object.fromEntries(entries)
  expect(codes).toEqual(STATUSES)
  expect(unforeseen).toEqual({ documented: 500, librenms: 500 })
})

test('an operation declares the statuses of both dialects', () => {
  expect(Object.keys(refusals('invalid', 'not_found'))).toEqual(['400', '404'])
  const declared = refusals('invalid', 'unusable', 'conflict', 'silent')
  expect(Object.keys(declared)).toEqual(['400', '409', '500', '503'])
  expect(declared[500].description).toBe('Only in dialect librenms, in place of 400, 409, 503')
})

test('in OpenAPI every 500 of v0 has a counterpart in dialect documented', () => {
  const document = openApiDocument(createApp({} as Services), '0')
  const paths = isObject(document['paths']) ? document['paths'] : {}
  let found = 0
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(isObject(item) ? item : {})) {
      const responses = isObject(operation) && isObject(operation['responses']) ? operation['responses'] : {}
      const failure = responses['500']
      if (!isObject(failure) || !(isObject(operation) && String(operation['tags']) !== 'v1')) continue
      const [, instead = ''] =
        /^Only in dialect librenms, in place of ([\d, ]+)$/.exec(String(failure['description'])) ?? []
      for (const status of instead.split(', ')) expect(Object.keys(responses)).toContain(status)
      found++
    }
  }
  expect(found).toBeGreaterThan(30)
})
