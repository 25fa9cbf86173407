import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { DefinitionError } from '../../src/definitions/error.ts'
import { HEALTH, healthFor } from '../../src/definitions/health-catalogue.ts'
import { parseHealth } from '../../src/definitions/health-parse.ts'
import { fill, parseTemplate } from '../../src/definitions/template.ts'
import { VENDORS } from '../../src/definitions/yaml-files.ts'
import { discoverDefined } from '../../src/modules/defined/discover.ts'
import type { Agent } from './agent.ts'
import { agentOf, discover, gauge, int, only, text } from './agent.ts'
import { healthCatalogueOf } from './catalogues.ts'

const ENTRY = '1.3.6.1.4.1.99999.2.1'

/** A vendor's fan table, and templates that use it. */
const FANS = {
  about: 'Example',
  os: ['example'],
  tables: { fans: { entry: ENTRY, columns: { speed: 3, name: 2, state: 4, highest: 5 } } },
  scalars: { battery: '1.3.6.1.4.1.99999.3.1.0' },
  states: { fanState: { 1: ['normal', 'ok'], 2: ['failed', 'critical'] } },
  sensors: [
    {
      class: 'fanspeed',
      table: 'fans',
      value: 'speed',
      descr: ['{name}', 'Fan {index.0}/{index.-1}'],
      skip: [0, { of: 'name', match: '^unused' }],
      limits: { low: 100, high: '{highest}' },
    },
    { states: 'fanState', table: 'fans', value: 'state', descr: '{name}' },
    { class: 'voltage', value: 'battery', descr: 'Battery', divisor: 10 },
  ],
}

const CELLS = {
  [`${ENTRY}.3.1.1`]: int(4000),
  [`${ENTRY}.3.1.2`]: int(0),
  [`${ENTRY}.3.1.3`]: text('5000 rpm'),
  [`${ENTRY}.3.1.4`]: text('none'),
  [`${ENTRY}.3.1.5`]: int(4100),
  [`${ENTRY}.2.1.1`]: text('Left'),
  [`${ENTRY}.2.1.5`]: text('unused slot'),
  [`${ENTRY}.4.1.1`]: int(2),
  [`${ENTRY}.5.1.1`]: int(9000),
  '1.3.6.1.4.1.99999.3.1.0': gauge(135),
}

const moduleFor = (...definitions: readonly unknown[]) => ({
  name: 'defined-health',
  about: '',
  discover: discoverDefined(healthCatalogueOf(definitions.map((value, i) => parseHealth(`example${i}`, value)))),
})

const observe = (definition: unknown, agent: Agent, os = 'example') => discover([moduleFor(definition)], agent, { os })

describe('sensors of a definition', () => {
  test('a state sent by its name, in any case, is that state now and at every poll; other texts are no state', async () => {
    const { rows } = only(
      await observe(
        FANS,
        agentOf({
          [`${ENTRY}.3.1.1`]: int(4000),
          [`${ENTRY}.4.1.1`]: text('Failed'),
          [`${ENTRY}.4.1.2`]: text('2'),
          [`${ENTRY}.4.1.3`]: text('melting'),
          [`${ENTRY}.4.1.4`]: text(''),
        }),
      ),
      'sensors',
    )
    const states = rows.filter(({ sensor_class }) => sensor_class === 'state')
    expect(states.map((row) => [row.sensor_index, row.sensor_current, row.user_func])).toEqual([
      ['1.1', 2, 'state_text'],
      ['1.2', 2, undefined],
    ])
  })

  test('rows with values, the first non-empty description, limits from columns and constants', async () => {
    const { rows, complete } = only(await observe(FANS, agentOf(CELLS)), 'sensors')
    expect(complete).toBe(true)
    const fans = rows.filter((row) => row.sensor_class === 'fanspeed')
    expect(fans.map((row) => [row.sensor_index, row.sensor_descr, row.sensor_current])).toEqual([
      ['1.1', 'Left', 4000],
      ['1.3', 'Fan 1/3', 5000],
    ])
    expect(fans[0]).toMatchObject({
      sensor_type: 'example',
      sensor_oid: `${ENTRY}.3.1.1`,
      sensor_limit: 9000,
      sensor_limit_low: 100,
    })
    expect(rows.find((row) => row.sensor_class === 'state')).toMatchObject({
      sensor_type: 'fanState',
      sensor_current: 2,
      states: { name: 'fanState', values: [{ value: 1 }, { value: 2, descr: 'failed', generic: 'critical' }] },
    })
  })

  test('scaled values, with limits guessed if the agent reports none', async () => {
    const { rows } = only(await observe(FANS, agentOf(CELLS)), 'sensors')
    expect(rows.find((row) => row.sensor_class === 'voltage')).toMatchObject({
      sensor_index: '0',
      sensor_divisor: 10,
      sensor_current: 13.5,
      sensor_limit: 15.525,
      sensor_limit_low: 11.475,
    })
  })

  test('a truncated walk is not complete, so nothing vanishes', async () => {
    const agent = agentOf(CELLS, { truncated: { [`${ENTRY}.3`]: 1 } })
    expect(only(await observe(FANS, agent), 'sensors').complete).toBe(false)
  })

  test('only the first column is read from an agent without the table', async () => {
    const agent = agentOf({})
    const { rows, complete } = only(await observe(FANS, agent), 'sensors')
    expect({ rows, complete }).toEqual({ rows: [], complete: true })
    expect(agent.asked).toEqual(['1.3.6.1.4.1.99999.3.1.0', `${ENTRY}.3`])
  })

  test('nothing is read from another OS', async () => {
    const agent = agentOf(CELLS)
    expect(await observe(FANS, agent, 'other')).toEqual([])
    expect(agent.asked).toEqual([])
  })

  test('nothing more is read if the probe is not answered', async () => {
    const { os: _, ...everywhere } = FANS
    const probe = '1.3.6.1.4.1.99999.1.0'
    const silent = agentOf(CELLS)
    expect(await observe({ ...everywhere, probe }, silent)).toEqual([])
    expect(silent.asked).toEqual([probe])
    const answering = agentOf({ ...CELLS, [probe]: int(1) })
    expect(only(await observe({ ...everywhere, probe }, answering), 'sensors').rows.length).toBeGreaterThan(0)
  })

  test('class and power of ten from the row, joined tables', async () => {
    const found = await observe(
      {
        about: 'Kinds',
        os: ['example'],
        tables: {
          sensors: { entry: '1.3.6.1.4.1.99999.4.1', columns: { reading: 1, kind: 2, digits: 3, box: 4 } },
          boxes: { entry: '1.3.6.1.4.1.99999.5.1', columns: { label: 2 } },
        },
        maps: { kind: { 1: 'temperature', 2: 'power' }, exponent: { 1: '-1', 3: '-3', _: '0' } },
        sensors: [
          {
            class: '{kind|kind}',
            table: 'sensors',
            value: 'reading',
            exponent: ['{digits|exponent}'],
            with: { box: { table: 'boxes', index: '{box}' } },
            descr: '{box.label} {index|+1}',
          },
        ],
      },
      agentOf({
        '1.3.6.1.4.1.99999.4.1.1.7': int(12345),
        '1.3.6.1.4.1.99999.4.1.2.7': int(2),
        '1.3.6.1.4.1.99999.4.1.3.7': int(3),
        '1.3.6.1.4.1.99999.4.1.4.7': int(40),
        '1.3.6.1.4.1.99999.4.1.1.8': int(1),
        '1.3.6.1.4.1.99999.4.1.2.8': int(9),
        '1.3.6.1.4.1.99999.5.1.2.40': text('Rack'),
      }),
    )
    expect(only(found, 'sensors').rows).toMatchObject([
      { sensor_class: 'power', sensor_descr: 'Rack 8', sensor_divisor: 1000, sensor_current: 12.345 },
    ])
  })
})

test('of rows that give the same sensor the last in the order of OIDs counts, of entries the first', async () => {
  // two units with the same ports, of which only the second reports temperatures; the index has the port only
  const definition = {
    about: 'Units',
    os: ['example'],
    tables: { optics: { entry: ENTRY, columns: { temperature: 1, power: 4 } } },
    scalars: {},
    sensors: [
      { class: 'temperature', table: 'optics', value: 'temperature', index: 't{index.-1}', descr: 'Port {index.-1}' },
      { class: 'dbm', table: 'optics', value: 'power', index: 'p{index.-1}', descr: 'Port {index.-1}' },
      { class: 'dbm', table: 'optics', value: 'power', index: 'p{index.1}', descr: 'Again {index.-1}' },
    ],
  }
  const cells = {
    [`${ENTRY}.1.20.1`]: int(31),
    [`${ENTRY}.1.20.2`]: int(32),
    [`${ENTRY}.4.3.1`]: int(-9),
    [`${ENTRY}.4.3.2`]: int(-8),
    [`${ENTRY}.4.20.1`]: int(-3),
    [`${ENTRY}.4.20.2`]: int(-2),
    [`${ENTRY}.4.20.10`]: int(-1),
  }
  const { rows } = only(await observe(definition, agentOf(cells)), 'sensors')
  const seen = rows.map((row) => [row.sensor_index, row.sensor_oid, row.sensor_current, row.sensor_descr])
  expect(seen).toEqual([
    ['t1', `${ENTRY}.1.20.1`, 31, 'Port 1'],
    ['t2', `${ENTRY}.1.20.2`, 32, 'Port 2'],
    ['p1', `${ENTRY}.4.20.1`, -3, 'Port 1'],
    ['p2', `${ENTRY}.4.20.2`, -2, 'Port 2'],
    ['p10', `${ENTRY}.4.20.10`, -1, 'Port 10'],
  ])
})

test.each([
  ['more free than there is', int(200), int(100)],
  ['an amount below 0', int(-100), int(100)],
  ['hundreds of digits', int(1), text('9'.repeat(400))],
])('memory with %s is unknown', async (_, part, all) => {
  const definition = {
    about: 'Example',
    os: ['example'],
    scalars: { part: '1.3.6.1.4.1.99999.3.1.0', all: '1.3.6.1.4.1.99999.3.2.0' },
    mempools: [{ free: 'part', total: 'all', descr: 'Memory' }],
  }
  const agent = agentOf({ '1.3.6.1.4.1.99999.3.1.0': part, '1.3.6.1.4.1.99999.3.2.0': all })
  expect(only(await observe(definition, agent), 'mempools').rows).toEqual([])
})

test('processors, memory and storage: missing values are computed, impossible ones are unknown', async () => {
  const found = await observe(
    {
      about: 'Usage',
      os: ['example'],
      scalars: { idle: '1.3.6.1.4.1.99999.6.1.0', part: '1.3.6.1.4.1.99999.6.2.0', all: '1.3.6.1.4.1.99999.6.3.0' },
      processors: [{ value: 'idle', precision: -1, descr: 'CPU' }],
      mempools: [{ percent: 'part', descr: 'Memory' }],
      storage: [{ free: 'part', size: 'all', units: 1024, descr: 'Flash' }],
    },
    agentOf({
      '1.3.6.1.4.1.99999.6.1.0': int(97),
      '1.3.6.1.4.1.99999.6.2.0': int(30),
      '1.3.6.1.4.1.99999.6.3.0': int(100),
    }),
  )
  expect(only(found, 'processors').rows).toMatchObject([{ processor_usage: 3, processor_precision: -1 }])
  expect(only(found, 'mempools').rows).toMatchObject([{ mempool_used: 30, mempool_total: 100, mempool_free: 70 }])
  expect(only(found, 'storage').rows).toMatchObject([
    { storage_size: 102400, storage_used: 71680, storage_free: 30720 },
  ])
})

describe('templates', () => {
  const say = (template: string, values: Readonly<Record<string, string>>) =>
    fill(parseTemplate(template), (name) => values[name], { line: { 1: 'L1', _: 'all' } })
  test.each([
    ['Port {port} {line|line}', { port: 'A1', line: '1' }, 'Port A1 L1'],
    ['{line|line}', { line: '9' }, 'all'],
    ['{index|text}', { index: '2.104.105' }, 'hi'],
    ['{n|+100} {n|/10}', { n: '5' }, '105 0.5'],
    ['{name|number}', { name: 'Temp: 41.5 C' }, '41.5'],
    ['{uw|/10|uw_to_dbm}', { uw: '6310' }, '-2'],
    ['{uw|uw_to_dbm}', { uw: '0' }, null],
    ['{name}', { name: ' Slot 1:   Inlet ' }, 'Slot 1:   Inlet'],
    ['{name} {name}', { name: 'a  b' }, 'a b a b'],
    ['Fan {missing}', {}, null],
    ['Fan', {}, 'Fan'],
  ])('%p of %p is %p', (template, values, expected) => {
    expect(say(template, values)).toBe(expected)
  })
})

describe('an invalid file is rejected with the location of the error', () => {
  test.each([
    [{ ...FANS, sensor: [] }, 'x'],
    [{ ...FANS, sensors: [{ ...FANS.sensors[0], clas: 'power' }] }, 'x.sensors[0]'],
    [{ ...FANS, sensors: [{ ...FANS.sensors[0], class: 'heat' }] }, 'x.sensors[0].class'],
    [{ ...FANS, sensors: [{ ...FANS.sensors[0], value: 'spead' }] }, 'x.sensors[0].value'],
    [{ ...FANS, sensors: [{ ...FANS.sensors[0], group: '{name|lef}' }] }, 'x.sensors[0].group'],
    [{ ...FANS, sensors: [FANS.sensors[0], FANS.sensors[0]] }, 'x.sensors[1]'],
    [{ ...FANS, mempools: [{ used: 'battery', descr: 'M' }] }, 'x.mempools[0]'],
    [{ ...FANS, states: { fanState: { 1: ['normal', 'fine'] } } }, 'x.states.fanState.1[1]'],
  ])('%#', (value, path) => {
    try {
      parseHealth('x', value)
      throw new Error('the file was accepted')
    } catch (error) {
      expect(error).toBeInstanceOf(DefinitionError)
      expect(error).toMatchObject({ path })
    }
  })
})

test('every file is in the catalogue; a device gets those for its OS or sysObjectID', () => {
  const files = readdirSync(VENDORS, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.health.yaml'),
  )
  const ofFiles = files.map((path) => basename(path, '.health.yaml')).sort()
  expect(HEALTH.scopes().map(({ name }) => name)).toEqual(ofFiles)
  const names = (os: string | null, sysObjectID: string | null) =>
    healthFor(HEALTH.scopes(), { os, sysObjectID }).map(({ name }) => name)
  expect(names('fabos', null)).toContain('fabos')
  expect(names(null, '1.3.6.1.4.1.318.1.3.27')).toContain('apc')
  expect(names(null, '1.3.6.1.4.1.318.1.30')).not.toContain('apc')
})

test('a device has the definitions that name its system or a branch above its sysObjectID, in their order', () => {
  const scopes = HEALTH.scopes()
  const systems = [null, 'nowhere', ...new Set(scopes.flatMap(({ os, notOs }) => [...os, ...notOs]))]
  const branches = [null, '1', ...new Set(scopes.flatMap(({ sysObjectID }) => sysObjectID))]
  const cases = [
    ...systems.map((os) => ({ os, sysObjectID: '1.3.6.1.4.1.8072.3.2.10' })),
    ...branches.flatMap((id) => [`${id}`, `${id}.1`, `${id}1`].map((sysObjectID) => ({ os: null, sysObjectID }))),
    ...systems.map((os, i) => ({ os, sysObjectID: branches[i % branches.length] ?? null })),
  ]
  for (const { os, sysObjectID } of cases) {
    const expected = scopes.filter((scope) => {
      if (os !== null && scope.notOs.includes(os)) return false
      if (scope.os.length === 0 && scope.sysObjectID.length === 0) return true
      if (os !== null && scope.os.includes(os)) return true
      return sysObjectID !== null && scope.sysObjectID.some((branch) => `${sysObjectID}.`.startsWith(`${branch}.`))
    })
    expect(healthFor(scopes, { os, sysObjectID })).toEqual(expected)
  }
})
