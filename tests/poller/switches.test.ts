import { expect, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { moduleSwitch } from '../../src/config/switches.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { polledModules, skippedModules, switchesOf } from '../../src/poller/module-toggles.ts'

const device = (over: Partial<Parameters<typeof switchesOf>[0]> = {}) => ({
  os: 'ios',
  switches: {},
  groups: [],
  ...over,
})
const stored = (values: Record<string, unknown>) => {
  const settings = createSettings({})
  expect(settings.applyStored(new Map(Object.entries(values))).problems).toEqual([])
  return settings
}

/** Modules that are off by default. */
const USUALLY_OFF = ['etherlike']

test('only costly modules are off by default', () => {
  const isOn = switchesOf(device(), createSettings({}))
  expect(skippedModules(isOn)).toEqual(USUALLY_OFF)
  expect(isOn('ports', 'poll')).toBe(true)
  expect(isOn('etherlike', 'poll')).toBe(false)
})

test('a module that is off by default is discovered where it is polled, unless its discovery is switched by itself', () => {
  const settings = stored({ 'os.ios.poller_modules.etherlike': true })
  const on = (of: Parameters<typeof device>[0]) => {
    const isOn = switchesOf(device(of), settings)
    return [isOn('etherlike', 'discover'), isOn('etherlike', 'poll')]
  }
  expect(on({})).toEqual([true, true])
  expect(on({ os: 'junos' })).toEqual([false, false])
  expect(on({ os: 'junos', switches: { poll_etherlike: true } })).toEqual([true, true])
  expect(on({ switches: { discover_etherlike: false } })).toEqual([false, true])
  const listed = stored({ 'poller.modules_off': ['etherlike'] })
  expect(moduleSwitch('etherlike', 'poll', device(), listed)).toEqual({ on: false, by: 'poller.modules_off' })
})

test("a device's own switch overrides the setting for all devices, both on and off", () => {
  const off = stored({ 'poller.modules_off': ['inventory'] })
  const skipped = (switches: Record<string, boolean>, settings = off) =>
    skippedModules(switchesOf(device({ switches }), settings))
  expect(skipped({}).toSorted()).toEqual(['etherlike', 'inventory'])
  expect(skipped({ discover_inventory: true })).toEqual(USUALLY_OFF)
  expect(skipped({ discover_storage: false }, createSettings({})).toSorted()).toEqual(['etherlike', 'storage'])
})

test('the two phases are switched separately', () => {
  const settings = stored({ 'poller_modules.ports': false, 'discovery_modules.bgp': false })
  const isOn = switchesOf(device(), settings)
  expect([isOn('ports', 'poll'), isOn('ports', 'discover')]).toEqual([false, true])
  expect([isOn('bgp', 'poll'), isOn('bgp', 'discover')]).toEqual([true, false])
})

const LEVELS = {
  'poller_modules.bgp': false,
  'os.ios.poller_modules.bgp': true,
  'device_group.Core 1.2.poller_modules.bgp': false,
}

test.each([
  { name: 'all devices', device: device({ os: 'junos' }), on: false, by: 'poller_modules.bgp' },
  { name: 'the OS before all', device: device(), on: true, by: 'os.ios.poller_modules.bgp' },
  {
    name: 'the group before the OS',
    device: device({ groups: ['Edge', 'Core 1.2'] }),
    on: false,
    by: 'device_group.Core 1.2.poller_modules.bgp',
  },
  {
    name: 'the device before its group',
    device: device({ groups: ['Core 1.2'], switches: { poll_bgp: true } }),
    on: true,
    by: 'attribute poll_bgp',
  },
])('$name', ({ device: of, on, by }) => {
  expect(moduleSwitch('bgp', 'poll', of, stored(LEVELS))).toEqual({ on, by })
})

test('if groups disagree, the module is off', () => {
  const settings = stored({ 'device_group.A.poller_modules.bgp': true, 'device_group.B.poller_modules.bgp': false })
  expect(moduleSwitch('bgp', 'poll', device({ groups: ['A', 'B'] }), settings).on).toBe(false)
})

test("LibreNMS's names of modules are understood", () => {
  const settings = stored({
    'discovery_modules.fdb-table': false,
    'discovery_modules.stp': false,
    'os.ios.discovery_modules.sensors': false,
  })
  const skipped = skippedModules(switchesOf(device(), settings))
  expect(skipped.toSorted()).toEqual([
    'defined-health',
    'entity-sensors',
    'etherlike',
    'fdb',
    'lm-sensors',
    'spanning-tree',
  ])
})

test('a file has the switches as tables, and stored ones are kept as well', () => {
  const settings = createSettings({
    file: { path: 'x.toml', values: { os: { ios: { poller_modules: { bgp: false } } } } },
  })
  settings.applyStored(new Map([['os.junos.poller_modules.bgp', 'off']]))
  expect(settings.get('os')).toEqual({
    ios: { poller_modules: { bgp: false } },
    junos: { poller_modules: { bgp: false } },
  })
  expect(settings.origin('os')).toBe('file')
})

test('values that are not switches are refused', () => {
  expect(createSettings({}).applyStored(new Map([['poller_modules.bgp', 'perhaps']])).problems).toHaveLength(1)
  expect(() => createSettings({ flags: { os: '{"ios":{"modules":{"bgp":false}}}' } })).toThrow(/expected a JSON object/)
})

test('system always runs', () => {
  const isOn = switchesOf(
    device({ switches: { discover_system: false } }),
    stored({ 'poller.modules_off': ['system'] }),
  )
  expect(skippedModules(isOn)).toEqual(USUALLY_OFF)
})

test('only modules with a poll phase that found something are polled', () => {
  const found = MODULES.map((m) => m.name)
  const isOn = switchesOf(device(), createSettings({}))
  expect(polledModules({ modules: found }, isOn)).toEqual(
    MODULES.filter((m) => m.poll !== undefined && !USUALLY_OFF.includes(m.name)).map((m) => m.name),
  )
  expect(polledModules({ modules: [] }, isOn)).toEqual([])
})
