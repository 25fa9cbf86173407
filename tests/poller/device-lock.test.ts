import { expect, test } from 'bun:test'
import { DeviceLock } from '../../src/poller/devices/device-lock.ts'

test('the runs of a device take place one at a time, in the order in which they asked', () => {
  const lock = new DeviceLock()
  const began: string[] = []
  const releases: (() => void)[] = []
  for (const name of ['a', 'b', 'c'])
    lock.take((release) => {
      began.push(name)
      releases.push(release)
    })
  expect(began).toEqual(['a'])
  releases[0]?.()
  expect(began).toEqual(['a', 'b'])
  // a run that ends twice does not end another
  releases[0]?.()
  expect(began).toEqual(['a', 'b'])
  releases[1]?.()
  releases[2]?.()
  expect(began).toEqual(['a', 'b', 'c'])
})

test('a run that ends at once lets the next one begin', () => {
  const lock = new DeviceLock()
  const began: number[] = []
  for (const n of [1, 2, 3])
    lock.take((release) => {
      began.push(n)
      release()
    })
  expect(began).toEqual([1, 2, 3])
})
