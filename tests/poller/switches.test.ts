import { expect, test } from 'bun:test'
import { MODULES } from '../../src/modules/registry.ts'
import { isPolled, polledModules, skippedModules } from '../../src/poller/switches.ts'

test('nothing is left out by itself', () => {
  expect(skippedModules({ switches: {} }, [])).toEqual([])
  expect(isPolled('ports', { switches: {} }, [])).toBe(true)
})

test('a module that is off for all is on where the device says so, and the other way round', () => {
  expect(skippedModules({ switches: {} }, ['inventory'])).toEqual(['inventory'])
  expect(skippedModules({ switches: { discover_inventory: true } }, ['inventory'])).toEqual([])
  expect(skippedModules({ switches: { discover_storage: false } }, [])).toEqual(['storage'])
  expect(isPolled('ports', { switches: { poll_ports: false } }, [])).toBe(false)
  expect(isPolled('ports', { switches: { discover_ports: false } }, [])).toBe(true)
})

test('system always runs', () => {
  expect(skippedModules({ switches: { discover_system: false } }, ['system'])).toEqual([])
})

test('only modules with a poll phase that found something are polled', () => {
  const found = MODULES.map((m) => m.name)
  const polled = polledModules({ switches: {}, modules: found }, [])
  expect(polled).toEqual(MODULES.filter((m) => m.poll !== undefined).map((m) => m.name))
  expect(polledModules({ switches: {}, modules: [] }, [])).toEqual([])
})
