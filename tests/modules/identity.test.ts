import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { parseDefinition } from '../../src/definitions/parse.ts'
import { loadedDefinitions, writeDefinitions } from '../../src/librenms/store.ts'
import { FOLDER_SETTING } from '../../src/modules/loaded/discover.ts'
import { discoverSystem } from '../../src/modules/system/discover.ts'
import { compiled, treeFolder } from '../librenms/tree.ts'
import { agentOf, discover, int, oid, only, text } from './agent.ts'
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
