import { describe, expect, test } from 'bun:test'
import type { LoadedDefinitions } from '../../src/librenms/store.ts'
import { loadedSystem } from '../../src/modules/loaded/system.ts'

const detectable = [
  { os: 'buoy', sysDescr: 'Buoy' },
  { os: 'linux', sysDescr: 'Linux' },
  { os: 'freebsd', sysDescr: 'FreeBSD' },
].map(({ os, sysDescr }) => ({ os, type: 'server', icon: os, late: false, entries: [{ sysDescr: [sysDescr] }] }))
const definitions: LoadedDefinitions = { detectable, form: () => null }

describe('which system a device has if loaded definitions and ours disagree', () => {
  test.each([
    ['ours, if theirs is one of last resort', 'Linux lantern 6.1', 'lantern', 'lantern'],
    ['theirs, if ours is one of last resort too', 'FreeBSD 14', 'linux', 'freebsd'],
    ['theirs, if ours is unknown', 'Linux 6.1', 'generic', 'linux'],
    ['theirs, if one of their files knows the system', 'Linux Buoy 6.1', 'lantern', 'buoy'],
    ['ours, if theirs is none', 'Lantern', 'lantern', 'lantern'],
  ])('%s', (_name, sysDescr, own, expected) => {
    const detected = { os: own, type: 'server', icon: `${own}.svg`, why: 'test' }
    expect(loadedSystem(definitions).detect(detected, { sysDescr }, {}).os).toBe(expected)
  })
})
