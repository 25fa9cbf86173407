import { describe, expect, test } from 'bun:test'
import { detectionObjects, detectOs } from '../../src/definitions/detect.ts'
import { DefinitionError } from '../../src/definitions/error.ts'
import { identify, identityColumns, identityScalars } from '../../src/definitions/identity.ts'
import { parseDefinition } from '../../src/definitions/parse.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { discoverSystem } from '../../src/modules/system/discover.ts'
import { agentOf, discover, int, moduleOf, oid, only, text } from './agent.ts'
import { osCatalogueOf } from './catalogues.ts'

const BASE = { text: 'X', type: 'network', icon: 'x.svg' }
const NET_SNMP = '1.3.6.1.4.1.8072.3.2.10'
const MODEL = '1.3.6.1.4.1.99999.1.0'

const linux = parseDefinition('linux', { ...BASE, os: 'linux', detect: [{ sysObjectID: [NET_SNMP] }] })
const box = parseDefinition('box', {
  ...BASE,
  os: 'box',
  detect: [{ sysObjectID: [NET_SNMP], objects: { [MODEL]: '^Box' } }],
  identity: [{ scalar: MODEL, as: 'hardware' }],
})
const other = parseDefinition('other', { ...BASE, os: 'other', detect: [{ sysObjectID: ['1.3.6.1.4.1.9'] }] })

describe('additional objects', () => {
  const facts = { sysObjectID: NET_SNMP, sysDescr: 'Linux' }
  test('are read only if they can be decisive', () => {
    expect(detectionObjects([linux, box, other], facts)).toEqual([MODEL])
    expect(detectionObjects([linux, box, other], { ...facts, sysObjectID: '1.3.6.1.4.1.9.1' })).toEqual([])
  })
  test.each([
    { model: 'Box 7', os: 'box' },
    { model: 'Chest', os: 'linux' },
    { model: null, os: 'linux' },
  ])('$model', ({ model, os }) => {
    const objects = new Map(model === null ? [] : [[MODEL, model]])
    for (const order of [
      [linux, box],
      [box, linux],
    ]) {
      expect(detectOs(order, { ...facts, objects }).os).toBe(os)
    }
  })
  test('are read from the agent, as are those that the winning definition needs', async () => {
    const catalogue = osCatalogueOf([linux, box, other])
    const module = { name: 'system', about: '', discover: discoverSystem(catalogue) }
    const cells = { '1.3.6.1.2.1.1.1.0': text('Linux'), '1.3.6.1.2.1.1.2.0': oid(NET_SNMP) }
    const known = only(await discover([module], agentOf({ ...cells, [MODEL]: text('Box 7') })), 'system')
    expect(known).toMatchObject({ os: 'box', hardware: 'Box 7' })
    const agent = agentOf(cells)
    expect(only(await discover([module], agent), 'system')).toMatchObject({ os: 'linux', hardware: null })
    expect(agent.asked.filter((asked) => asked === MODEL)).toHaveLength(1)
  })
})

describe('identity sources', () => {
  const made = (identity: unknown, products: Readonly<Record<string, unknown>> = {}) =>
    parseDefinition('x', { ...BASE, os: 'x', detect: [{ sysDescr: ['x'] }], identity }, (name) => products[name])
  const none = { sysDescr: null, scalars: new Map<string, string>(), chassis: null }

  test('a template is filled only if all its names are known', () => {
    const definition = made([
      { objects: { model: '1.3.6.1.9.1.0', revision: '1.3.6.1.9.2.0' }, set: { hardware: '{model} rev. {revision}' } },
      { scalar: '1.3.6.1.9.1.0', as: 'hardware' },
      { sysDescr: 'PF:(?<pf>\\S+)', set: { version: 'OS {pf}' } },
    ])
    expect(identityScalars(definition)).toEqual(['1.3.6.1.9.1.0', '1.3.6.1.9.2.0'])
    const scalars = new Map([['1.3.6.1.9.1.0', 'M1']])
    expect(identify(definition, { ...none, sysDescr: 'PF:v7', scalars })).toMatchObject({
      hardware: 'M1',
      version: 'OS v7',
    })
    scalars.set('1.3.6.1.9.2.0', 'B')
    expect(identify(definition, { ...none, scalars })).toMatchObject({ hardware: 'M1 rev. B', version: null })
  })

  test('a column yields its first matching cell, or that of a given row', () => {
    const first = made([{ column: '1.3.6.1.9.3', match: '^v(?<version>\\d+)' }])
    const cells = new Map([
      ['1', ''],
      ['2', 'none'],
      ['10', 'v12'],
    ])
    const columns = new Map([['1.3.6.1.9.3', cells]])
    expect(identityColumns(first)).toEqual(['1.3.6.1.9.3'])
    expect(identify(first, { ...none, columns }).version).toBe('12')
    const one = made([{ column: '1.3.6.1.9.3', row: '1.3.6.1.9.4.0', as: 'hardware' }])
    expect(identify(one, { ...none, columns, scalars: new Map([['1.3.6.1.9.4.0', '2']]) }).hardware).toBe('none')
    expect(identify(one, { ...none, columns }).hardware).toBeNull()
  })

  test('two columns of one table are read separately', async () => {
    const definition = made([
      { column: '1.3.6.1.9.5.1.1', as: 'hardware' },
      { column: '1.3.6.1.9.5.1.2', as: 'version' },
    ])
    const module = { name: 'system', about: '', discover: discoverSystem(osCatalogueOf([definition])) }
    const agent = agentOf({
      '1.3.6.1.2.1.1.1.0': text('x'),
      '1.3.6.1.9.5.1.1.7': text('Model'),
      '1.3.6.1.9.5.1.2.7': text('1.2'),
    })
    expect(only(await discover([module], agent), 'system')).toMatchObject({ hardware: 'Model', version: '1.2' })
  })

  test('products are looked up by the whole sysObjectID', () => {
    const definition = made([{ products: 'vendor' }], {
      vendor: { base: '1.3.6.1.4.1.99999.1', 7: 'Box', '8.1': 2950 },
    })
    const hardware = (sysObjectID: string) => identify(definition, { ...none, sysObjectID }).hardware
    expect(['.1.3.6.1.4.1.99999.1.7', '1.3.6.1.4.1.99999.1.8.1', '1.3.6.1.4.1.99999.1.7.1'].map(hardware)).toEqual([
      'Box',
      '2950',
      null,
    ])
  })

  test.each([
    { name: 'a missing product file', identity: [{ products: 'missing' }], path: 'x.identity[0].products' },
    {
      name: 'a template with an unknown name',
      identity: [{ objects: { a: '1.3.6.1' }, set: { serial: '{b}' } }],
      path: 'x.identity[0].set.serial',
    },
    { name: 'set beside as', identity: [{ scalar: '1.3.6.1', as: 'serial', set: {} }], path: 'x.identity[0]' },
    { name: 'a row for a scalar', identity: [{ scalar: '1.3.6.1', as: 'serial', row: '1.3' }], path: 'x.identity[0]' },
    { name: 'no source', identity: [{ as: 'serial' }], path: 'x.identity[0]' },
  ])('$name is rejected', ({ identity, path }) => {
    expect(() => made(identity)).toThrow(DefinitionError)
    expect(() => made(identity)).toThrow(`${path}: `)
  })
})

/** System groups of vendor agents, by enterprise number and product tree. */
test.each([
  ['1.3.6.1.4.1.9.6.1.1004.10.1', 'SG999 10-Port Gigabit Switch', 'ciscosb', 'network'],
  ['1.3.6.1.4.1.9.1.1069', 'Cisco Controller', 'ciscowlc', 'wireless'],
  ['1.3.6.1.4.1.1916.2.999', 'ExtremeXOS (X999) version 31.9.9.9 by release-manager', 'xos', 'network'],
  ['1.3.6.1.4.1.207.1.4.250', 'Allied Telesis router/switch, AW+ v5.5.9-1.1', 'awplus', 'network'],
  ['1.3.6.1.4.1.6574.1', 'Linux nas 4.4.302+ #1 SMP x86_64', 'dsm', 'storage'],
  ['1.3.6.1.4.1.2620.1.6.123.1.99', 'Linux gw 3.10.0cpx86_64', 'gaia', 'firewall'],
  ['1.3.6.1.4.1.14988.2', 'CSS999 SwOS v2.99', 'swos', 'network'],
  ['1.3.6.1.4.1.14988.1', 'RouterOS RB999', 'routeros', 'network'],
  ['1.3.6.1.4.1.25053.3.1.5.15', 'Ruckus Wireless Inc (C) 2006', 'ruckuswireless-unleashed', 'wireless'],
  ['1.3.6.1.4.1.674.10895.3028', '24-port switch', 'powerconnect', 'network'],
  ['1.3.6.1.4.1.674.11000.5000.100.2.1.99', 'Dell EMC Networking OS10 Enterprise.', 'dell-os10', 'network'],
  ['1.3.6.1.4.1.6027.1.3.99', 'Dell Networking OS', 'dnos', 'network'],
  ['1.3.6.1.4.1.789.2.5', 'NetApp Release 9.9.9P9: Mon', 'netapp', 'storage'],
  ['1.3.6.1.4.1.3224.1.99', 'SSG99 version 6.3.0r99 (SN: 1, Firewall+VPN)', 'screenos', 'firewall'],
  ['1.3.6.1.4.1.890.1.5.8.99', 'GS9999', 'zynos', 'network'],
  ['1.3.6.1.4.1.4526.100.4.99', 'M9999 ProSafe switch', 'netgear', 'network'],
  ['1.3.6.1.4.1.17713.21', 'Linux', 'epmp', 'wireless'],
  ['1.3.6.1.4.1.37069.7', 'Radio', 'bats', 'wireless'],
  ['1.3.6.1.4.1.1429.2.7', 'Radio', 'ciscosat', 'network'],
  ['1.3.6.1.4.1.4329.15.1.1.7', 'Radio', 'ewc', 'wireless'],
  ['1.3.6.1.4.1.12356.121.7', 'Radio', 'fortiextender', 'wireless'],
  ['1.3.6.1.4.1.15983.7', 'Radio', 'fortiwlc', 'wireless'],
  ['1.3.6.1.4.1.42397.1.1.7', 'Radio', 'grandstream-ap', 'wireless'],
  ['1.3.6.1.4.1.7262.4.5.7', 'Radio', 'harmony-enhanced', 'wireless'],
  ['1.3.6.1.4.1.7262.2.2.7', 'Radio', 'horizon-compact', 'wireless'],
  ['1.3.6.1.4.1.7262.2.3.7', 'Radio', 'horizon-duo', 'wireless'],
  ['1.3.6.1.4.1.7262.2.4.7', 'Radio', 'horizon-quantum', 'wireless'],
  ['1.3.6.1.4.1.7262.2.5.7', 'Radio', 'horizon-compactplus', 'wireless'],
  ['1.3.6.1.4.1.2356.13.7', 'Radio', 'lcoslx', 'wireless'],
  ['1.3.6.1.4.1.3323.13.7', 'Radio', 'mni', 'wireless'],
  ['1.3.6.1.4.1.18086.3080.7', 'Radio', 'protelevision-t1', 'network'],
  ['1.3.6.1.4.1.17713.250.7', 'Radio', 'ptp250', 'wireless'],
  ['1.3.6.1.4.1.17713.5.7', 'Radio', 'ptp500', 'wireless'],
  ['1.3.6.1.4.1.17713.11.7', 'Radio', 'ptp670', 'wireless'],
  ['1.3.6.1.4.1.17713.8.7', 'Radio', 'ptp800', 'wireless'],
  ['1.3.6.1.4.1.33555.4.7', 'Radio', 'ray3', 'wireless'],
  ['1.3.6.1.4.1.7571.100.1.1.2.7', 'Radio', 'saf-cfm', 'wireless'],
  ['1.3.6.1.4.1.7571.100.1.1.7.1.7', 'Radio', 'saf-integra-b', 'wireless'],
  ['1.3.6.1.4.1.7571.100.1.1.7.9.7', 'Radio', 'saf-integra-e', 'wireless'],
  ['1.3.6.1.4.1.7571.100.1.1.7.2.7', 'Radio', 'saf-integra-w', 'wireless'],
  ['1.3.6.1.4.1.7571.100.1.1.7.10.7', 'Radio', 'saf-integra-x', 'wireless'],
  ['1.3.6.1.4.1.31926.35.7', 'Radio', 'siklu-mhtg', 'wireless'],
  ['1.3.6.1.4.1.62821.7', 'Radio', 'wis-bridge', 'wireless'],
  ['1.3.6.1.4.1.1166.1.621.7', 'Radio', 'arris-dsr4410md', 'network'],
  ['1.3.6.1.4.1.63.501.3.7', 'Radio', 'airport', 'wireless'],
  ['1.3.6.1.4.1.193.81.1.1.3.7', 'Radio', 'ericsson-6600', 'wireless'],
  ['1.3.6.1.4.1.8072.3.2.8', 'FreeBSD host 14.9-RELEASE amd64', 'freebsd', 'server'],
  ['1.3.6.1.4.1.1718.3', 'Sentry Switched CDU', 'sentry3', 'power'],
  ['1.3.6.1.4.1.1916.2.399', 'XA1480 (8.9.9.9_B099) (PRIVATE)', 'voss', 'network'],
  ['1.3.6.1.4.1.1271.3', 'Waveserver X', 'ciena-waveserver', 'network'],
  ['1.3.6.1.4.1.674.10902.2', 'Dell UPS Tower 99W', 'dell-ups', 'power'],
  ['1.3.6.1.4.1.674.10903.200.3.1.1', 'DELL Web/SNMP Management Card (MB:V9.9f)', 'dell-rpdu', 'power'],
  ['1.3.6.1.4.1.935.10.2', 'Network Management Card for UPS', 'eaton-matrix', 'power'],
  ['1.3.6.1.4.1.6486.802.1.1.2.1.2.4', 'OAW-AP1231 9.0.9', 'stellar', 'network'],
  ['1.3.6.1.4.1.6876.4.7', 'VMware-vCenter-Server-Appliance 9.0.9 generic build 99 x', 'vmware-vcsa', 'server'],
  ['1.3.6.1.4.1.4329.6.1.2.1.2', 'Siemens, SIMATIC NET, SCALANCE XB999, HW: Version 9', 'scalance', 'network'],
  ['1.3.6.1.4.1.29671.2.999', 'C9999 - 24 Cisco UPOE', 'merakims', 'network'],
  ['1.3.6.1.4.1.641.2.71999999', 'Lexmark X999 version NH.99 kernel', 'lexmarkprinter', 'printer'],
  ['1.3.6.1.4.1.40297.1', 'Hytera repeater', 'hytera-repeater', 'wireless'],
  ['1.3.6.1.4.1.1916.2.99999', 'Extreme SLX9999-9Y Switch, SLX Operating System Version 99.1.1.', 'slxos', 'network'],
  ['1.3.6.1.4.1.57344.1', 'Linux radio 9.9.9 aarch64', 'tachyon', 'wireless'],
  ['1.3.6.1.4.1.3052.14.3.9', 'SiteBoss 571 9.99.999 STD', 'siteboss', 'environment'],
  ['1.3.6.1.4.1.2011.2.23.99999', 'Huawei YunShan OS Version 9.99.0.1 (S9999 V999R999)', 'yunshan', 'network'],
  ['1.3.6.1.4.1.4329.6.1.2.9.9', 'Siemens, SIMATIC NET, SCALANCE XC999, FW: Version V99.99', 'scalance', 'network'],
  ['1.3.6.1.4.1.21317', 'Linux (none) 9.9.9 armv6l', 'supermicro-bmc', 'management'],
  ['1.3.6.1.4.1.21239.42.1.99', 'PDU', 'geist-pdu', 'power'],
])('%s %s', async (sysObjectID, sysDescr, os, type) => {
  const agent = agentOf({
    '1.3.6.1.2.1.1.1.0': text(sysDescr),
    '1.3.6.1.2.1.1.2.0': oid(sysObjectID),
    '1.3.6.1.2.1.1.7.0': int(72),
  })
  expect(only(await discover([moduleOf(MODULES, 'system')], agent), 'system')).toMatchObject({ os, type })
})
