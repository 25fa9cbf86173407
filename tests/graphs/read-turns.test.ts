import { expect, test } from 'bun:test'
import { createTurns, READ_AT_ONCE } from '../../src/graphs/read-turns.ts'

test('graphs are read a few at a time, and those whose turn does not come in time are not read at all', async () => {
  const inTurn = createTurns(1)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  let begun = 0
  const first = Array.from({ length: READ_AT_ONCE }, () => inTurn(() => freed.then(() => 'read')))
  const late = Array.from({ length: 150 }, () => inTurn(async () => void begun++).catch((error: unknown) => error))
  // before those that are being read have ended
  for (const error of await Promise.all(late))
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('waited for others') })
  free()
  expect(await Promise.all(first)).toEqual(first.map(() => 'read'))
  expect([begun, await inTurn(async () => 'the next')]).toEqual([0, 'the next'])
})

test('those that wait are read in order when others are done, also after one has failed', async () => {
  const inTurn = createTurns()
  const order: number[] = []
  const all = Array.from({ length: 30 }, (_, n) =>
    inTurn(async () => {
      order.push(n)
      await Promise.resolve()
      if (n % 3 === 0) throw new Error('no')
    }).catch(() => undefined),
  )
  await Promise.all(all)
  expect(order).toEqual(Array.from({ length: 30 }, (_, n) => n))
})
