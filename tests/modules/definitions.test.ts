import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { DEFINITIONS } from '../../src/definitions/catalogue.ts'
import { detectOs } from '../../src/definitions/detect.ts'
import { DefinitionError } from '../../src/definitions/error.ts'
import { identify } from '../../src/definitions/identity.ts'
import { parseDefinition } from '../../src/definitions/parse.ts'
import { VENDORS } from '../../src/definitions/yaml-files.ts'

const MINIMAL = { os: 'x', text: 'X', type: 'network', icon: 'x.svg', detect: [{ sysDescr: ['^X'] }] }

test('every file is in the catalogue', () => {
  const files = readdirSync(VENDORS, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.os.yaml'))
  expect(DEFINITIONS.detectable().map(({ os }) => os)).toEqual(files.map((path) => basename(path, '.os.yaml')).sort())
})

describe('an invalid file is rejected with the location of the error', () => {
  test.each([
    { name: 'an unknown key', value: { ...MINIMAL, detekt: [] }, path: 'x' },
    { name: 'an unknown key in a condition', value: { ...MINIMAL, detect: [{ sysDesc: ['a'] }] }, path: 'x.detect[0]' },
    { name: 'a name other than the file name', value: { ...MINIMAL, os: 'y' }, path: 'x.os' },
    {
      name: 'an expression that does not compile',
      value: { ...MINIMAL, detect: [{ sysDescr: ['('] }] },
      path: 'x.detect[0].sysDescr',
    },
    { name: 'a condition that always holds', value: { ...MINIMAL, detect: [{}] }, path: 'x.detect[0]' },
    {
      name: 'an invalid OID',
      value: { ...MINIMAL, detect: [{ sysObjectID: ['enterprises.9'] }] },
      path: 'x.detect[0].sysObjectID',
    },
    {
      name: 'an unknown field',
      value: { ...MINIMAL, identity: [{ sysDescr: '(?<vresion>x)' }] },
      path: 'x.identity[0].sysDescr',
    },
    { name: 'an unused scalar', value: { ...MINIMAL, identity: [{ scalar: '1.3.6.1' }] }, path: 'x.identity[0]' },
    {
      name: 'an unknown column of the chassis',
      value: { ...MINIMAL, identity: [{ chassis: { serial: 'serial' } }] },
      path: 'x.identity[0].chassis.serial',
    },
    { name: 'not a map', value: [], path: 'x' },
  ])('$name', ({ value, path }) => {
    expect(() => parseDefinition('x', value)).toThrow(DefinitionError)
    expect(() => parseDefinition('x', value)).toThrow(`${path}: `)
  })
})

describe('detectOs', () => {
  const definitions = [
    parseDefinition('wide', { ...MINIMAL, os: 'wide', detect: [{ sysObjectID: ['1.3.6.1.4.1.9'] }] }),
    parseDefinition('narrow', { ...MINIMAL, os: 'narrow', detect: [{ sysObjectID: ['1.3.6.1.4.1.9.1'] }] }),
    parseDefinition('text', {
      ...MINIMAL,
      os: 'text',
      detect: [{ sysObjectID: ['1.3.6.1.4.1.9.1'], sysDescr: ['XE'], sysDescrNot: ['XR'] }],
    }),
    parseDefinition('descr', { ...MINIMAL, os: 'descr', detect: [{ sysDescr: ['^Linux'] }] }),
  ]
  test.each([
    { name: 'the longest prefix', sysObjectID: '.1.3.6.1.4.1.9.1.5', sysDescr: 'IOS', want: 'narrow' },
    { name: 'a prefix must end at a sub-identifier', sysObjectID: '1.3.6.1.4.1.9.12', sysDescr: null, want: 'wide' },
    {
      name: 'prefix and text win over the prefix alone',
      sysObjectID: '1.3.6.1.4.1.9.1.5',
      sysDescr: 'IOS XE',
      want: 'text',
    },
    { name: 'a forbidden text', sysObjectID: '1.3.6.1.4.1.9.1.5', sysDescr: 'XE XR', want: 'narrow' },
    { name: 'text alone', sysObjectID: '1.3.6.1.4.1.99999', sysDescr: 'Linux host', want: 'descr' },
    { name: 'nothing', sysObjectID: null, sysDescr: null, want: 'generic' },
  ])('$name', ({ sysObjectID, sysDescr, want }) => {
    for (const order of [definitions, [...definitions].reverse()]) {
      expect(detectOs(order, { sysObjectID, sysDescr }).os).toBe(want)
    }
  })
  test('says why', () => {
    const { why } = detectOs(definitions, { sysObjectID: '1.3.6.1.4.1.9.1.5', sysDescr: 'IOS XE' })
    expect(why).toBe('sysObjectID begins with 1.3.6.1.4.1.9.1 and sysDescr has "XE"')
  })
})

describe('the shipped definitions', () => {
  test.each([
    {
      os: 'ios',
      sysObjectID: '1.3.6.1.4.1.9.1.9999',
      sysDescr: 'Cisco IOS Software, C9999 Software (C9999-UNIVERSALK9-M), Version 15.9(9)E9, RELEASE',
      version: '15.9(9)E9',
      features: 'UNIVERSALK9',
    },
    {
      os: 'iosxe',
      sysObjectID: '1.3.6.1.4.1.9.1.9999',
      sysDescr: 'Cisco IOS Software [Place], Catalyst L3 Switch Software (CAT9K_IOSXE), Version 17.99.1, RELEASE',
      version: '17.99.1',
      features: 'Place',
    },
    {
      os: 'iosxr',
      sysObjectID: '1.3.6.1.4.1.9.1.9999',
      sysDescr: 'Cisco IOS XR Software (Cisco NCS-999),  Version 7.99.1[Default]',
      version: '7.99.1',
      features: 'Default',
    },
    {
      os: 'nxos',
      sysObjectID: '1.3.6.1.4.1.9.12.3.1.3.9999',
      sysDescr: 'Cisco NX-OS(tm) n9000, Software (n9000-dk9), Version 9.99(9), RELEASE',
      version: '9.99(9)',
      features: null,
    },
    {
      os: 'junos',
      sysObjectID: '1.3.6.1.4.1.2636.1.1.1.2.999',
      sysDescr: 'Juniper Networks, Inc. mx999 router, kernel JUNOS 22.9R9.9, Build',
      version: '22.9R9.9',
      features: null,
    },
    {
      os: 'arista_eos',
      sysObjectID: '1.3.6.1.4.1.30065.1.3011.1',
      sysDescr: 'Arista Networks EOS version 4.99.9M running on an Arista Networks DCS-9999',
      version: '4.99.9M',
      features: null,
    },
    {
      os: 'linux',
      sysObjectID: '1.3.6.1.4.1.8072.3.2.10',
      sysDescr: 'Linux host 6.99.0-amd64 #1 SMP x86_64',
      version: '6.99.0-amd64',
      features: null,
    },
    {
      os: 'windows',
      sysObjectID: '1.3.6.1.4.1.311.1.1.3.1.2',
      sysDescr: 'Hardware: Intel64 - Software: Windows Version 6.3 (Build 99999 Multiprocessor Free)',
      version: '6.3',
      features: 'Multiprocessor',
    },
    {
      os: 'comware',
      sysObjectID: '1.3.6.1.4.1.25506.1.1',
      sysDescr: 'Comware Platform Software, Software Version 7.9.999 Release 999P9\r\nHP 9999 Switch',
      version: '7.9.999',
      features: '999P9',
    },
  ])('$os', ({ os, sysObjectID, sysDescr, version, features }) => {
    const found = detectOs(DEFINITIONS.detectable(), { sysObjectID, sysDescr })
    expect(found.os).toBe(os)
    const definition = DEFINITIONS.definitionOf(os)
    if (definition === undefined) throw new Error(`no definition ${os}`)
    expect(identify(definition, { sysDescr, scalars: new Map(), chassis: null })).toMatchObject({ version, features })
  })
})

test('identity: the first source with a field wins, the others fill the rest', () => {
  const definition = parseDefinition('x', {
    ...MINIMAL,
    identity: [
      { scalar: '1.3.6.1.4.1.99999.1.0', as: 'serial' },
      { scalar: '1.3.6.1.4.1.99999.2.0', match: 'v(?<version>\\S+)' },
      { chassis: { serial: 'entPhysicalSerialNum', hardware: 'entPhysicalModelName' } },
      { sysDescr: '^(?<hardware>\\S+)' },
    ],
  })
  const scalars = new Map([
    ['1.3.6.1.4.1.99999.1.0', ' '],
    ['1.3.6.1.4.1.99999.2.0', 'release v3.2 final'],
  ])
  expect(identify(definition, { sysDescr: 'Box 9', scalars, chassis: { entPhysicalSerialNum: 'S1' } })).toEqual({
    serial: 'S1',
    version: '3.2',
    hardware: 'Box',
    features: null,
  })
})

test('quirks are read, and rejected if invalid', () => {
  const quirks = { bulk: false, max_repetitions: 10, max_varbinds: 20, bad_tables: ['1.3.6.1.2.1.17.4.3'] }
  expect(parseDefinition('x', { ...MINIMAL, quirks }).quirks).toEqual({
    bulk: false,
    maxRepetitions: 10,
    maxVarbinds: 20,
    badTables: ['1.3.6.1.2.1.17.4.3'],
  })
  for (const wrong of [{ bulk: 'no' }, { max_repetitions: -1 }, { bad_tables: ['ifTable'] }, { walk: true }]) {
    expect(() => parseDefinition('x', { ...MINIMAL, quirks: wrong })).toThrow(DefinitionError)
  }
})
