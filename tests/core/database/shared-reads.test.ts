import { expect, test } from 'bun:test'
import { sharedReads } from '../../../src/core/database/shared-reads.ts'

/** A read that the test completes. */
function controlled() {
  const begun: { readonly end: (value: string) => void; readonly fail: (error: Error) => void }[] = []
  const read = () =>
    new Promise<string>((end, fail) => {
      begun.push({ end, fail })
    })
  return { begun, read }
}

test('requests during a read share the next one, which begins when it ends', async () => {
  const shared = sharedReads<string>()
  const { begun, read } = controlled()
  const first = shared('key', read)
  const others = [shared('key', read), shared('key', read)]
  expect(begun).toHaveLength(1)
  begun[0]?.end('before')
  expect(await first).toBe('before')
  await Promise.resolve()
  expect(begun).toHaveLength(2)
  // this one is already running, so it is too late to join it
  const last = shared('key', read)
  begun[1]?.end('after')
  expect(await Promise.all(others)).toEqual(['after', 'after'])
  await Promise.resolve()
  begun[2]?.end('last')
  expect(await last).toBe('last')
  expect(begun).toHaveLength(3)
})

test('reads of another key do not wait, and nothing is cached afterwards', async () => {
  const shared = sharedReads<string>()
  const { begun, read } = controlled()
  const answers = [shared('a', read), shared('b', read)]
  expect(begun).toHaveLength(2)
  for (const one of begun) one.end('x')
  await Promise.all(answers)
  const again = shared('a', read)
  expect(begun).toHaveLength(3)
  begun[2]?.end('y')
  expect(await again).toBe('y')
})

test('a failing read fails for the callers who share it, not for the next', async () => {
  const shared = sharedReads<string>()
  const { begun, read } = controlled()
  const first = shared('key', read)
  const second = shared('key', read)
  begun[0]?.fail(new Error('gone'))
  expect(first).rejects.toThrow('gone')
  await first.catch(() => {})
  await Promise.resolve()
  begun[1]?.end('back')
  expect(await second).toBe('back')
})
