import { expect, test } from 'bun:test'
import { blocksOf, manufacturerOf } from '../../../src/core/inventory/manufacturers.ts'

test('address blocks are found by a part of the name of their owner, in order', async () => {
  const blocks = await blocksOf('INTEL corp')
  expect(blocks).toContain('0002b3')
  expect(blocks).toEqual([...blocks].sort())
  for (const block of [blocks[0], blocks.at(-1)])
    expect((await manufacturerOf(block?.padEnd(12, '0') ?? '')).toLowerCase()).toContain('intel corp')
})

test.each([
  ['that no owner has', 'zzz no such owner'],
  ['that is only in the digits', '0002b3'],
  ['with a line break before it', '\nintel'],
  ['with a line break after it', 'xerox corporation\n'],
  ['of a million characters', 'x'.repeat(1_000_000)],
  ['of blocks that are assigned in smaller parts', 'ieee registration authority'],
])('a text %s has none', async (_, text) => {
  expect(await blocksOf(text)).toEqual([])
})

test('a text that most owners have is cut', async () => {
  for (const text of ['', 'e']) expect((await blocksOf(text)).length).toBe(3000)
})
