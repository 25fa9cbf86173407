import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv, { type ValidateFunction } from 'ajv'
import { VENDORS } from '../../src/definitions/yaml-files.ts'
import { definitionsReference } from '../../tools/reference/definitions/page.ts'
import { jsonSchemas } from '../../tools/reference/definitions/schema.ts'

const REFERENCE = join(import.meta.dir, '../../docs/reference')
const SCHEMAS = jsonSchemas()
const ajv = new Ajv({ strict: false, formats: { regex: true } })
const VALID = new Map(
  Object.entries(SCHEMAS).map(([kind, schema]): [string, ValidateFunction] => [kind, ajv.compile(schema)]),
)
const FILES = readdirSync(VENDORS, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))

test('the page and the schemas are up to date (run `bun run docs`)', () => {
  expect(readFileSync(join(REFERENCE, 'definitions.md'), 'utf8')).toBe(definitionsReference())
  for (const [kind, schema] of Object.entries(SCHEMAS)) {
    const written: unknown = JSON.parse(readFileSync(join(REFERENCE, `${kind}.schema.json`), 'utf8'))
    expect(written).toEqual(JSON.parse(JSON.stringify(schema)))
  }
})

test('every file matches its schema, and names it for editors', () => {
  for (const path of FILES) {
    const kind = path.split('.').at(-2) ?? ''
    const text = readFileSync(join(VENDORS, path), 'utf8')
    expect(text.split('\n')[0]).toBe(`# yaml-language-server: $schema=../../../docs/reference/${kind}.schema.json`)
    const valid = VALID.get(kind)
    expect({ path, valid: valid?.(Bun.YAML.parse(text)), errors: valid?.errors ?? [] }).toEqual({
      path,
      valid: true,
      errors: [],
    })
  }
})

test('every base is used', () => {
  const texts = FILES.map((path) => readFileSync(join(VENDORS, path), 'utf8'))
  for (const path of FILES.filter((file) => file.endsWith('.base.yaml'))) {
    const name = path.slice(path.indexOf('/') + 1, -'.base.yaml'.length)
    expect({ name, extended: texts.some((text) => text.includes(`extends: ${name}\n`)) }).toEqual({
      name,
      extended: true,
    })
  }
})

test.each([
  ['health', { about: 'x', sensers: [] }],
  ['health', { sensors: [] }],
  ['health', { about: 'x', sensors: [{ class: 'temperature', value: 'a', descr: 'b', divider: 10 }] }],
  ['health', { about: 'x', scalars: { a: 'enterprises.9' } }],
  ['health', { about: 'x', states: { s: { 1: ['up', 'fine'] } } }],
  ['os', { os: 'x', text: 'X', type: 'network', icon: 'x.svg' }],
  ['os', { os: 'x', text: 'X', type: 'network', icon: 'x.svg', detect: [{ sysDesc: ['x'] }] }],
  ['products', { 1: 'Box' }],
  ['base', { about: 'x' }],
])('%s: %j is rejected', (kind, value) => {
  expect(VALID.get(kind)?.(value)).toBeFalse()
})
