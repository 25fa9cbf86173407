import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf, oidOf } from '../../src/mibs/names.ts'

const folder = join(import.meta.dir, '..', '..', 'src', 'mibs')

test('names are searched in every module with tables or scalars', () => {
  const names = readFileSync(join(folder, 'names.ts'), 'utf8')
  const missing = readdirSync(folder).filter(
    (file) =>
      file !== 'names.ts' &&
      /mibTable\(|scalar\(/.test(readFileSync(join(folder, file), 'utf8')) &&
      !names.includes(`'./${file}'`),
  )
  expect(missing).toEqual([])
})

test('the name shown for an OID resolves to the same OID', () => {
  for (const file of readdirSync(folder)) {
    for (const [, object] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:mibTable|scalar)\(\s*'([^']+)'/g)) {
      const found = oidOf(object ?? '')
      expect({ object, found: found.oid !== null }).toEqual({ object, found: true })
      expect(nameOf(`${found.oid}.1.2`)?.text.split('::')[0]).toBe(object?.split('::')[0] as string)
    }
  }
})

test.each(['1.3.6.1.2.1.1.1.0', '.1.3.6.1.2.1.1.1.0'])('%s is unchanged', (oid) => {
  expect(oidOf(oid)).toEqual({ oid: '1.3.6.1.2.1.1.1.0' })
})

test('an OID outside all tables has no name', () => {
  expect(nameOf('1.3.6.1.4.1.99999.1')).toBeNull()
  expect(nameOf('1.3.6.1.2.1.1.9.0')).toBeNull()
})
