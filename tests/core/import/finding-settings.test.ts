import { expect, test } from 'bun:test'
import { readSettings } from '../../../src/core/import/settings.ts'
import type { Source } from '../../../src/core/import/source.ts'

/** A dump with these rows of the table config. */
const source = (rows: Readonly<Record<string, string>>): Source => ({
  name: 'dump',
  tables: new Map([['config', ['config_id', 'config_name', 'config_value']]]),
  zone: null,
  async *rows() {
    yield Object.entries(rows).map(([config_name, config_value]) => ({ config_name, config_value }))
  },
  close: async () => undefined,
})

test('settings of finding devices are taken over as they are, also with their default value', async () => {
  const { settings, ignored } = await readSettings(
    source({
      nets: '["10.0.0.0/8","192.168.0.0/16"]',
      'autodiscovery.xdp': 'true',
      'autodiscovery.bgp': 'false',
      'autodiscovery.nets-exclude.0': '"10.9.0.0/16"',
      'autodiscovery.xdp_exclude.sysname_regexp': '["/^phone-/i"]',
      'autodiscovery.xdp_exclude.sysdesc_regexp': '["/Vendor X/"]',
      'autodiscovery.cdp_exclude.platform_regexp': '["/(/"]',
      'discovery_modules.discovery-arp': 'true',
      discovery_by_ip: 'true',
      mydomain: '"example.net"',
      default_poller_group: '2',
    }),
  )
  expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual({
    nets: ['10.0.0.0/8', '192.168.0.0/16'],
    'autodiscovery.xdp': true,
    'autodiscovery.bgp': false,
    'autodiscovery.nets-exclude': ['10.9.0.0/16'],
    'autodiscovery.xdp_exclude.sysname_regexp': ['/^phone-/i'],
    'autodiscovery.xdp_exclude.sysdescr_regexp': ['/Vendor X/'],
    'discovery_modules.discovery-arp': true,
    discovery_by_ip: true,
    mydomain: 'example.net',
    default_poller_group: 2,
  })
  // a pattern that does not compile
  expect(ignored).toEqual(['autodiscovery.cdp_exclude.platform_regexp'])
})
