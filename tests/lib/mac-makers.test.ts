import { describe, expect, test } from 'bun:test'
import { makerOf } from '../../src/domain/switching/makers.ts'

describe('the maker of a MAC address', () => {
  test.each([
    ['the first block of the registry', '00000000abcd', 'XEROX'],
    ['a large block', '00005e000101', 'ICANN'],
    ['one in the middle', '001b21000001', 'Intel'],
    ['a small block goes before the large one around it', '70b3d5000001', ''],
  ])('%s', async (_, mac, maker) => {
    const found = await makerOf(mac)
    expect(found).not.toBe('IEEE Registration Authority')
    expect(found.toLowerCase()).toContain(maker.toLowerCase())
  })

  test('groups, addresses of no maker, and blocks that nobody has', async () => {
    expect(await makerOf('01005e000001')).toBe('')
    expect(await makerOf('020000000001')).toBe('')
    expect(await makerOf('fcffffffffff')).toBe('')
  })
})
