import { describe, expect, test } from 'bun:test'
import { manufacturerOf } from '../../src/core/inventory/manufacturers.ts'

describe('the manufacturer of a MAC address', () => {
  test.each([
    ['the first block of the registry', '00000000abcd', 'XEROX'],
    ['a large block', '00005e000101', 'ICANN'],
    ['one in the middle', '001b21000001', 'Intel'],
    ['a small block takes precedence over the large one around it', '70b3d5000001', ''],
  ])('%s', async (_, mac, manufacturer) => {
    const found = await manufacturerOf(mac)
    expect(found).not.toBe('IEEE Registration Authority')
    expect(found.toLowerCase()).toContain(manufacturer.toLowerCase())
  })

  test('is empty for group addresses, locally administered addresses and unassigned blocks', async () => {
    expect(await manufacturerOf('01005e000001')).toBe('')
    expect(await manufacturerOf('020000000001')).toBe('')
    expect(await manufacturerOf('fcffffffffff')).toBe('')
  })
})
