import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { parseDefinition } from '../../src/definitions/parse.ts'
import { loadedDefinitions, writeDefinitions } from '../../src/librenms/store.ts'
import { FOLDER_SETTING } from '../../src/modules/loaded/rules.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { discoverSystem } from '../../src/modules/system/discover.ts'
import { compiled, treeFolder } from '../librenms/tree.ts'
import { agentOf, discover, int, moduleOf, oid, only, text } from './agent.ts'
import { osCatalogueOf } from './catalogues.ts'

const VENDOR = '1.3.6.1.4.1.64998'
const ENTITY = '1.3.6.1.2.1.47.1.1.1.1'
const BASE = { text: 'X', type: 'network', icon: 'x.svg' }

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** What module `system` finds on an agent of the vendor, with these definitions of ours. */
async function identityOf(
  definitions: readonly ReturnType<typeof parseDefinition>[],
  cells: Readonly<Record<string, SnmpValue>>,
  settings: Readonly<Record<string, unknown>> = {},
) {
  const agent = agentOf({
    '1.3.6.1.2.1.1.1.0': text('Buoy 7, firmware 3.2'),
    '1.3.6.1.2.1.1.2.0': oid(`${VENDOR}.1.4`),
    ...cells,
  })
  const module = { name: 'system', about: '', discover: discoverSystem(osCatalogueOf(definitions), loadedDefinitions) }
  const { os, hardware, version, serial, features } = only(await discover([module], agent, { settings }), 'system')
  return { os, hardware, version, serial, features, asked: agent.asked }
}

const chassis = (serial: string, model: string) => ({
  [`${ENTITY}.5.3`]: int(3),
  [`${ENTITY}.7.3`]: text('Chassis'),
  [`${ENTITY}.10.3`]: text('6.1.55'),
  [`${ENTITY}.11.3`]: text(serial),
  [`${ENTITY}.13.3`]: text(model),
})
const own = (identity: unknown, os = 'gear', prefix = VENDOR) =>
  parseDefinition(os, { ...BASE, os, detect: [{ sysObjectID: [prefix] }], identity })

test('the chassis of ENTITY-MIB gives serial number and model that no definition has, but no version', async () => {
  const cells = chassis('CH-55', 'BX-9')
  const found = { hardware: 'BX-9', serial: 'CH-55' }
  expect(await identityOf([], cells)).toMatchObject({ os: 'generic', ...found, version: undefined })
  const version = own([{ sysDescr: String.raw`firmware (?<version>\S+)` }])
  expect(await identityOf([version], cells)).toMatchObject({ os: 'gear', ...found, version: '3.2' })
  // what a definition has stays
  const serial = own([{ scalar: `${VENDOR}.2.0`, as: 'serial' }])
  const known = await identityOf([serial], { ...cells, [`${VENDOR}.2.0`]: text('S-1') })
  expect(known).toMatchObject({ serial: 'S-1', hardware: null })
  expect(known.asked.some((asked) => asked.startsWith(ENTITY))).toBe(false)
})

test('a serial number of zeros or words for nothing is unknown', async () => {
  for (const nothing of ['', '0000000', '00 00 00', '--', 'N/A', 'none', 'Unknown', ' \t'])
    expect(await identityOf([], chassis(nothing, nothing))).toMatchObject({ serial: undefined, hardware: undefined })
  // without the table, one question
  const { serial, asked } = await identityOf([own([{ scalar: `${VENDOR}.2.0`, as: 'serial' }])], {})
  expect([serial, asked.filter((column) => column.startsWith(ENTITY)).length]).toEqual([null, 1])
})

test('an OS that only loaded definitions know is read by our definition of its vendor, which fills what theirs leaves empty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-identity-'))
  const tree = treeFolder({})
  made.push(folder, tree)
  writeDefinitions(folder, compiled(tree), 'test', new Date(0))
  const settings = { [FOLDER_SETTING]: folder }
  const cells = { [`${VENDOR}.1.0`]: text('B-7'), [`${VENDOR}.9.0`]: text('S-9'), [`${VENDOR}.8.0`]: text('license 4') }
  const identity = [
    { scalar: `${VENDOR}.1.0`, as: 'hardware' },
    { scalar: `${VENDOR}.9.0`, as: 'serial' },
    { scalar: `${VENDOR}.8.0`, as: 'features' },
  ]
  const theirs = { os: 'buoy', hardware: 'B-7 for sea', version: '3.2' }
  expect(await identityOf([own(identity)], cells, settings)).toMatchObject({
    ...theirs,
    serial: 'S-9',
    features: 'license 4',
  })
  // not by a definition that has another vendor's branch or net-snmp's
  for (const prefix of ['1.3.6.1.4.1.64997', '1.3.6.1.4.1.8072.3.2.10']) {
    const other = parseDefinition('other', {
      ...BASE,
      os: 'other',
      detect: [{ sysObjectID: [prefix] }, { sysDescr: ['Buoy'] }],
      identity,
    })
    expect(await identityOf([other], cells, settings)).toMatchObject({ ...theirs, serial: null })
  }
})

/** Systems of vendors with invented models, versions and serial numbers, and the objects of their MIBs. */
test.each<[string, string, Readonly<Record<string, string>>, object]>([
  [
    '1.3.6.1.4.1.24693.1.1',
    'FB9999 Test Name (V9.99.000 2029-01-01T00:00:00)',
    {},
    { hardware: 'FB9999', version: 'V9.99.000' },
  ],
  [
    '1.3.6.1.4.1.2636.1.1.1.2.999',
    'Juniper Networks, Inc. mx9999 internet router, kernel JUNOS 9.9R9',
    {},
    { hardware: 'mx9999', version: '9.9R9' },
  ],
  [
    '1.3.6.1.4.1.12356.120.10.9',
    'x',
    { '1.3.6.1.4.1.12356.120.1.1.0': 'FP999F-v9.9-build9999' },
    { hardware: 'FortiAP 999F' },
  ],
  ['1.3.6.1.4.1.5491.999', 'Netman 999', {}, { hardware: 'Netman 999' }],
  [
    '1.3.6.1.4.1.2001.1.1.1',
    'OKI OkiLAN 9999z Rev.09.99 PrintServer: Attached to XX99 Rev.09.09 :',
    {},
    { hardware: 'XX99', version: '09.09' },
  ],
  ['1.3.6.1.4.1.1916.2.399', 'XA1480 (8.9.9.9_B099) (PRIVATE)', {}, { hardware: 'XA1480', version: '8.9.9.9_B099' }],
  [
    '1.3.6.1.4.1.7571.100.1.1.7.99',
    'Prod: Integra-Z;Vers: 9.9.9;kernel: 9;S/N: 999-1',
    {},
    { hardware: 'Integra-Z', version: '9.9.9', serial: '999-1' },
  ],
  [
    '1.3.6.1.4.1.8691.7.162',
    'EDS-Z99',
    { '1.3.6.1.4.1.8691.7.162.1.2.0': 'EDS-Z99-T', '1.3.6.1.4.1.8691.7.162.1.78.0': 'TZ9' },
    { hardware: 'EDS-Z99-T', serial: 'TZ9' },
  ],
  [
    '1.3.6.1.4.1.2440',
    'x',
    { '1.3.6.1.4.1.2440.1.14.1.1.0': 'SOLIDserver-99', '1.3.6.1.4.1.2440.1.14.1.2.0': 'Z9' },
    { hardware: 'SOLIDserver-99', serial: 'Z9' },
  ],
  [
    '1.3.6.1.4.1.8072.3.2.15',
    'AIX',
    { '1.3.6.1.4.1.2.6.191.1.3.6.0': 'IBM,9999-Z9', '1.3.6.1.4.1.2.6.191.1.3.7.0': 'IBM,0Z9' },
    { hardware: '9999-Z9', serial: '0Z9' },
  ],
  [
    '1.3.6.1.4.1.42359.2',
    'x',
    { '1.3.6.1.4.1.42359.2.2.1.1.7.1.0': 'CSG999', '1.3.6.1.4.1.42359.2.2.1.1.7.3.0': 'Z99' },
    { hardware: 'CSG999', serial: 'Z99' },
  ],
  [
    '1.3.6.1.4.1.21317.1',
    'x',
    { '1.3.6.1.4.1.21317.1.16.3.4.0': 'SYS-99', '1.3.6.1.4.1.21317.1.16.3.6.0': 'S9' },
    { hardware: 'SYS-99', serial: 'S9' },
  ],
  [
    '1.3.6.1.4.1.4329.6.1.2.9',
    'Siemens, SIMATIC NET, SCALANCE XB9, 6GK9',
    { '1.3.6.1.4.1.4329.6.3.2.1.1.3.0': 'VP9' },
    { hardware: 'SCALANCE XB9', serial: 'VP9' },
  ],
  [
    '1.3.6.1.4.1.1271.3',
    'x',
    { '1.3.6.1.4.1.1271.3.4.6.3.1.3.0': 'WS 9', '1.3.6.1.4.1.1271.3.4.14.3.1.5.0': '9.9-x' },
    { hardware: 'WS 9', version: '9.9-x' },
  ],
  [
    '1.3.6.1.4.1.674.10902.2',
    'Dell UPS Tower 99W',
    { '1.3.6.1.4.1.674.10902.2.120.1.2.0': 'CN-9' },
    { hardware: 'Dell UPS Tower 99W', serial: 'CN-9' },
  ],
  [
    '1.3.6.1.4.1.674.10903.200.9',
    'x',
    { '1.3.6.1.4.1.674.10903.200.2.200.100.2.1.7.1': 'D9', '1.3.6.1.4.1.674.10903.200.2.200.100.2.1.8.1': 'N9' },
    { hardware: 'D9', serial: 'N9' },
  ],
  [
    '1.3.6.1.4.1.935.10.2',
    'x',
    { '1.3.6.1.4.1.935.10.2.1.1.2.0': 'Power 9', '1.3.6.1.4.1.935.10.2.1.1.1.0': '99' },
    { hardware: 'Power 9', serial: '99' },
  ],
  [
    '1.3.6.1.4.1.6486.802.1.1.2.1.2.12',
    'OAW-AP9999 9.0.9',
    { '1.3.6.1.4.1.6486.802.1.1.2.1.2.12.1.1.6': 'SSZ9' },
    { hardware: 'OAW-AP9999', version: '9.0.9', serial: 'SSZ9' },
  ],
  [
    '1.3.6.1.4.1.6876.4.7',
    'VMware-vCenter-Server-Appliance 9.0.9 generic build 99 x',
    {},
    { version: '9.0.9', features: 'build 99' },
  ],
])('identity of %s %s', async (sysObjectID, sysDescr, objects, identity) => {
  const agent = agentOf({
    '1.3.6.1.2.1.1.1.0': text(sysDescr),
    '1.3.6.1.2.1.1.2.0': oid(sysObjectID),
    ...Object.fromEntries(Object.entries(objects).map(([object, value]) => [object, text(value)])),
  })
  expect(only(await discover([moduleOf(MODULES, 'system')], agent), 'system')).toMatchObject(identity)
})
