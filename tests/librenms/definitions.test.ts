import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import fc from 'fast-check'
import { loadedDefinitions, readIndex, removeDefinitions, writeDefinitions } from '../../src/librenms/store.ts'
import { withoutIgnoredBy } from '../../src/modules/loaded/rules.ts'
import type { Observation } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { type Agent, agentOf, discover, int, moduleOf, oid, only, text } from '../modules/agent.ts'
import { BUOY_DETECTION, BUOY_DISCOVERY, BUOY_MODULE, compiled, treeFolder } from './tree.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function tree(files: Readonly<Record<string, string | null>> = {}): string {
  const root = treeFolder(files)
  made.push(root)
  return root
}

/** A folder with the compiled definitions of a tree. */
function stored(files: Readonly<Record<string, string | null>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-definitions-'))
  made.push(folder)
  writeDefinitions(folder, compiled(tree(files)), 'test', new Date(0))
  return folder
}

const B = '1.3.6.1.4.1.64998'
const DECK = '2.66.49'

/** An agent of the invented vendor. */
function buoy(more: Readonly<Record<string, SnmpValue>> = {}): Agent {
  return agentOf({
    '1.3.6.1.2.1.1.1.0': text('Buoy 7, firmware 3.2'),
    '1.3.6.1.2.1.1.2.0': oid(`${B}.1.4`),
    [`${B}.1.0`]: text('B-7'),
    [`${B}.2.0`]: text('SN:Q12/x'),
    [`${B}.10.1.2.1`]: text('Mast'),
    [`${B}.10.1.2.2`]: text('Keel'),
    [`${B}.10.1.2.3`]: text('Spare'),
    [`${B}.10.1.3.1`]: int(1),
    [`${B}.10.1.3.2`]: int(2),
    [`${B}.10.1.3.3`]: int(1),
    [`${B}.10.1.4.1`]: int(231),
    [`${B}.10.1.4.2`]: int(80),
    [`${B}.10.1.5.1`]: int(400),
    [`${B}.10.1.6.1`]: int(1),
    [`${B}.10.1.6.2`]: int(2),
    [`${B}.10.1.6.3`]: int(3),
    [`${B}.20.1.2.${DECK}`]: text('North'),
    [`${B}.21.1.2.${DECK}.1`]: text('1.5 A'),
    [`${B}.21.1.2.${DECK}.2`]: text('0 A'),
    [`${B}.21.1.3.${DECK}.1`]: int(100),
    [`${B}.21.1.3.${DECK}.2`]: int(0),
    [`${B}.30.0`]: int(88),
    [`${B}.31.0`]: int(4096),
    [`${B}.32.0`]: int(1024),
    [`${B}.33.1.2.1`]: text('log'),
    [`${B}.33.1.3.1`]: int(427),
    ...more,
  })
}

function run(folder: string, agent: Agent): Promise<readonly Observation[]> {
  const modules = [moduleOf(MODULES, 'system'), moduleOf(MODULES, 'loaded-definitions')]
  return discover(modules, agent, { settings: { 'definitions.folder': folder } })
}

describe('a loaded definition', () => {
  test('gives the OS and its fields', async () => {
    expect(only(await run(stored(), buoy()), 'system')).toMatchObject({
      os: 'buoy',
      type: 'environment',
      icon: 'buoy.svg',
      hardware: 'B-7 for sea',
      version: '3.2',
      serial: 'Q12',
      features: null,
    })
  })

  test('gives sensors with limits, groups, states and functions', async () => {
    const { rows, complete } = only(await run(stored(), buoy()), 'sensors')
    expect(complete).toBeTrue()
    expect(rows.map((row) => [row.sensor_class, row.sensor_index, row.sensor_descr, row.sensor_current])).toEqual([
      ['current', `${DECK}.1`, 'Deck North lamp 1', 1.5],
      // braces without spaces inside are not a placeholder
      ['dbm', `${DECK}.1`, 'Lamp 1 {{$index}}', 0],
      ['state', 'bProbeState.1', 'Mast state', 1],
      ['state', 'bProbeState.2', 'Keel state', 2],
      ['temperature', 'bProbeValue.1', 'Mast', 23.1],
    ])
    const [lamp, light, state, , air] = rows
    expect(lamp).toMatchObject({ group: 'Deck B1', sensor_limit_low: 0.5, sensor_limit: null, sensor_type: 'buoy' })
    expect(light).toMatchObject({ sensor_divisor: 100, user_func: 'mw_to_dbm' })
    expect(state).toMatchObject({ sensor_type: 'bProbeState', states: { name: 'bProbeState' } })
    // `on` is text, not true
    expect(state?.states?.values.map(({ descr, generic }) => [descr, generic])).toEqual([
      ['ok', 'ok'],
      ['on', 'warning'],
      ['lost', 'critical'],
    ])
    // the limit from an object is divided; no lower limit of temperature is guessed
    expect(air).toMatchObject({ sensor_oid: `${B}.10.1.4.1`, sensor_limit: 40, sensor_limit_low: null })
  })

  test('gives processors, memory and storage', async () => {
    const found = await run(stored(), buoy())
    expect(only(found, 'processors').rows).toMatchObject([
      { processor_type: 'buoy', processor_oid: `${B}.30.0`, processor_descr: 'Controller 1', processor_usage: 12 },
    ])
    expect(only(found, 'mempools').rows).toMatchObject([
      {
        mempool_descr: 'Controller Memory',
        mempool_total: 4_194_304,
        mempool_used: 3_145_728,
        mempool_free_oid: `${B}.32.0`,
        mempool_used_oid: null,
      },
    ])
    expect(only(found, 'storage').rows).toMatchObject([
      { storage_type: 'flash', storage_descr: 'log', storage_size: 100, storage_perc_oid: `${B}.33.1.3.1` },
    ])
  })

  test('hundreds of digits are no number', async () => {
    const found = await run(stored(), buoy({ [`${B}.33.1.3.1`]: text('9'.repeat(400)) }))
    expect(only(found, 'storage').rows).toEqual([])
  })

  test('requests only the columns that it names, and only from devices of its OS', async () => {
    const agent = buoy()
    await run(stored(), agent)
    expect(agent.asked).toContain(`${B}.10.1.4`)
    expect(agent.asked).not.toContain(`${B}.10.1.1`)
    const other = buoy({ '1.3.6.1.2.1.1.1.0': text('a switch'), '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.64990.1') })
    await run(stored(), other)
    expect(other.asked.filter((asked) => asked.startsWith(`${B}.10`))).toEqual([])
  })

  test('a truncated column leaves the sets incomplete', async () => {
    const agent = { ...buoy(), truncated: { [`${B}.10.1.2`]: 1 } }
    expect(only(await run(stored(), agent), 'sensors').complete).toBeFalse()
  })

  test('is used once it is stored, and not after it is removed', async () => {
    const folder = stored()
    expect(loadedDefinitions(folder).form('buoy')?.sensors.length).toBeGreaterThan(0)
    expect(removeDefinitions(folder)).toBeTrue()
    expect(loadedDefinitions(folder).form('buoy')).toBeNull()
    expect(only(await run(folder, buoy()), 'system').os).toBe('generic')
  })
})

describe('values that are text', () => {
  const sensor = (lines: string) => BUOY_DISCOVERY.replace('user_func: mw_to_dbm', lines)
  const discovered = async (discovery: string, agent: Agent, cls: string) => {
    const files = { 'resources/definitions/os_discovery/buoy.yaml': discovery }
    return only(await run(stored(files), agent), 'sensors').rows.filter((row) => row.sensor_class === cls)
  }

  test('a date becomes the minutes until then', async () => {
    const agent = buoy({ [`${B}.21.1.3.${DECK}.1`]: text('12/31/2035'), [`${B}.21.1.3.${DECK}.2`]: text('not yet 2') })
    const [next, none] = await discovered(
      sensor('user_func: dateToRuntime').replace('dbm:', 'runtime:'),
      agent,
      'runtime',
    )
    const minutes = (new Date(2035, 11, 31).getTime() - Date.now()) / 60_000
    expect(Math.abs((next?.sensor_current ?? 0) - minutes)).toBeLessThan(2)
    expect(next).toMatchObject({ user_func: 'dateToRuntime', sensor_oid: `${B}.21.1.3.${DECK}.1` })
    expect(none?.sensor_current).toBeNull()
  })

  test('a state is found by its text, which polls read as well', async () => {
    const agent = buoy({ [`${B}.10.1.6.2`]: text('lost') })
    const rows = await discovered(BUOY_DISCOVERY.replace('skip_values: 3', ''), agent, 'state')
    expect(rows.map(({ sensor_current, user_func }) => [sensor_current, user_func])).toEqual([
      [1, undefined],
      [3, 'state_text'],
      [3, undefined],
    ])
  })
})

describe('rules of a detection file', () => {
  const rules = (text: string) => ({ 'resources/definitions/os_detection/buoy.yaml': `${BUOY_DETECTION}${text}` })
  const IF = '1.3.6.1.2.1.2.2.1'
  const interfaces = (...names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name, i) => [
        [`${IF}.2.${i + 1}`, text(name)],
        [`${IF}.3.${i + 1}`, int(name.startsWith('tun') ? 131 : 6)],
        [`${IF}.8.${i + 1}`, int(1)],
        [`1.3.6.1.2.1.31.1.1.1.1.${i + 1}`, text(`if${i + 1}`)],
      ]),
    )
  const ports = async (detection: string, ...names: readonly string[]) => {
    const modules = [moduleOf(MODULES, 'system'), moduleOf(MODULES, 'ports')]
    const settings = { 'definitions.folder': stored(rules(detection)) }
    const found = await discover(modules, buoy(interfaces(...names)), { settings })
    return only(found, 'ports').rows.map((row) => row.ifDescr)
  }

  test('interfaces become ports according to the file', async () => {
    const names = ['eth0', 'Loop1', 'tun0', 'gre1', 'eth9']
    expect(await ports('', ...names)).toEqual(names)
    expect(
      await ports("bad_if: [ loop ]\nbad_iftype: [ tunnel ]\nbad_if_regexp: [ '/^GRE[0-9]/' ]\n", ...names),
    ).toEqual(['eth0', 'eth9'])
    expect(await ports("bad_ifname_regexp: '/^IF[45]$/'\n", ...names)).toEqual(['eth0', 'Loop1', 'tun0'])
    expect(await ports('bad_if: [ eth ]\ngood_if: [ eth9 ]\n', ...names)).toEqual(['Loop1', 'tun0', 'gre1', 'eth9'])
  })

  test('filesystems are ignored according to the file, whichever module found them', () => {
    const form = (detection: string) => compiled(tree(rules(detection))).oses[0]?.form ?? null
    const disk = (storage_descr: string, storage_type = 'hrStorageFixedDisk') => ({ storage_descr, storage_type })
    const rows = [disk('/'), disk('/boot'), disk('/snap/core'), disk('C:'), disk('D:', 'cd')].map((row, i) => ({
      type: 'hrstorage',
      storage_index: String(i),
      storage_units: 1,
      storage_size: 100,
      storage_used: 50,
      ...row,
    }))
    const left = (detection: string) => {
      const [found] = withoutIgnoredBy(form(detection), [{ kind: 'storage', complete: true, rows: rows as never }])
      return found?.kind === 'storage' ? found.rows.map((row) => row.storage_descr) : []
    }
    expect(left('')).toHaveLength(5)
    expect(left('ignore_mount: [ / ]\nignore_mount_string: [ snap ]\n')).toEqual(['/boot', 'C:', 'D:'])
    expect(left("ignore_mount_regexp: [ '/^[A-Z]:/' ]\n")).toEqual(['/', '/boot', '/snap/core'])
    expect(left('ignore_mount_type: cd\n')).toEqual(['/', '/boot', '/snap/core', 'C:'])
  })

  test('an unreliable clock gives no uptime', async () => {
    const agent = () =>
      buoy({
        '1.3.6.1.2.1.1.3.0': { kind: 'TimeTicks', value: 500 },
        '1.3.6.1.6.3.10.2.1.3.0': int(42_949_672 + 5),
      })
    const uptime = async (detection: string) => only(await run(stored(rules(detection)), agent()), 'system').uptime
    expect(await uptime('')).toBe(42_949_677)
    expect(await uptime('bad_snmpEngineTime: true\n')).toBe(5)
    expect(await uptime('bad_uptime: true\n')).toBeUndefined()
  })
})

describe('detection', () => {
  const osOf = async (files: Readonly<Record<string, string | null>>, agent = buoy()) =>
    only(await run(stored(files), agent), 'system').os
  const detection = (os: string, entry: string) => ({
    [`resources/definitions/os_detection/${os}.yaml`]: `os: ${os}\ntext: X\ntype: network\nmib_dir: tide\ndiscovery:\n    - ${entry}\n`,
  })

  test('prefixes are compared as text, and the first matching file wins', async () => {
    const files = { ...detection('a-first', 'sysObjectID: .1.3.6.1.4.1.6499') }
    expect(await osOf(files)).toBe('a-first')
    expect(await osOf(detection('zebra', 'sysObjectID: .1.3.6.1.4.1.64998.1'))).toBe('buoy')
  })

  test('entries that need a request come after the others, and match only if it is answered', async () => {
    const asks = "{ sysObjectID: .1.3.6.1.4.1.64998, snmpget: { oid: 'BUOY-MIB::bModel.0', op: starts, value: B- } }"
    expect(await osOf(detection('a-asks', asks))).toBe('buoy')
    const without = { 'resources/definitions/os_detection/buoy.yaml': null, ...detection('a-asks', asks) }
    expect(await osOf(without)).toBe('a-asks')
    expect(await osOf({ ...without, ...detection('a-asks', asks.replace('B-', 'C-')) })).toBe('generic')
  })

  test('the result of a walk is compared as a whole, including names', async () => {
    const without = { 'resources/definitions/os_detection/buoy.yaml': null }
    const walks = (oid: string, value: string, key = 'snmpwalk') =>
      detection('a-walks', `{ sysObjectID: .1.3.6.1.4.1.64998, ${key}: { oid: '${oid}', value: '${value}' } }`)
    const os = (files: Readonly<Record<string, string>>, agent = buoy()) => osOf({ ...without, ...files }, agent)
    expect(await os(walks('BUOY-MIB::bProbeName', 'Keel'))).toBe('a-walks')
    expect(await os(walks('BUOY-MIB::bProbeName', 'bProbeName[2] = Keel'))).toBe('a-walks')
    expect(await os(walks('.1.3.6.1.4.1.64998.10', 'Spare'))).toBe('a-walks')
    expect(await os(walks('BUOY-MIB::bModel', 'B-7'))).toBe('a-walks')
    expect(await os(walks('BUOY-MIB::bProbeName', 'Deck'))).toBe('generic')
    expect(await os(walks('BUOY-MIB::bProbeName', 'Keel', 'snmpwalk_except'))).toBe('generic')
    expect(await os(walks('BUOY-MIB::bProbeName', 'Deck', 'snmpwalk_except'))).toBe('a-walks')
    // an OS that needs no request is detected without the walk; the column is read for its sensors
    const agent = buoy()
    expect(await osOf(walks('BUOY-MIB::bProbeName', 'Keel'), agent)).toBe('buoy')
    expect(agent.asked.filter((asked) => asked === `${B}.10.1.2`)).toHaveLength(1)
  })

  test('an entry with a condition that cannot be checked never matches', async () => {
    const entry = "{ sysObjectID: .1.3.6.1.4.1.64998, sysDescr_regex: '/(a)\\1/' }"
    expect(await osOf(detection('a-first', entry))).toBe('buoy')
  })

  test('an entry that needs a request comes before later ones if that is only an exception', async () => {
    const except = (value: string) =>
      detection(
        'a-except',
        `{ sysObjectID: .1.3.6.1.4.1.64998, snmpget_except: { oid: 'BUOY-MIB::bModel.0', value: ${value} } }`,
      )
    expect(await osOf(except('B-'))).toBe('buoy')
    expect(await osOf(except('C-'))).toBe('a-except')
    // the systems of last resort may ask as well
    const linux = "{ sysObjectID: .1.3.6.1.4.1.64998, snmpget: { oid: 'BUOY-MIB::bModel.0', op: starts, value: B- } }"
    const without = { 'resources/definitions/os_detection/buoy.yaml': null }
    expect(await osOf({ ...without, ...detection('linux', linux) })).toBe('linux')
    expect(await osOf({ ...without, ...detection('linux', linux.replace('B-', 'C-')) })).toBe('generic')
  })

  test.each([
    ['/Buoy(?= 7)/', true],
    ['/Buoy(?= 8)/', false],
    ['/^(?=.*firmware)Buoy/', true],
    ['/^(?=.*raft)Buoy/', false],
    ['/^(?!.*(raft|firmware)).*$/', false],
    ['/^(?!.*(raft|barge)).*$/', true],
    ['/^(?:(?!firmware).)+$/', false],
    ['/(?<=Raft |Buoy )7/', true],
    ['/(?<=Raft |Barge )7/', false],
  ])('look-around: %s', async (expression, matches) => {
    const entry = `{ sysObjectID: .1.3.6.1.4.1.64998, sysDescr_regex: '${expression}' }`
    expect(await osOf(detection('a-first', entry))).toBe(matches ? 'a-first' : 'buoy')
  })

  test('a look-ahead that depends on what came before it is not supported', async () => {
    const entry = "{ sysObjectID: .1.3.6.1.4.1.64998, sysDescr_regex: '/[\\d.]+(?!-beta)x?/' }"
    expect(await osOf(detection('a-first', entry))).toBe('buoy')
  })

  test('a negative look-ahead after a beginning of fixed length is supported', async () => {
    const entry = (not: string) => `{ sysObjectID: .1.3.6.1.4.1.64998, sysDescr_regex: '/^Buoy(?!.*${not}).*$/' }`
    expect(await osOf(detection('a-first', entry('Raft')))).toBe('a-first')
    expect(await osOf(detection('a-first', entry('firmware')))).toBe('buoy')
  })
})

describe('compilation', () => {
  test('reports what was not used and why', () => {
    const { oses, faults } = compiled(tree())
    expect(oses.map(({ os, unknown }) => [os, unknown])).toEqual([['buoy', ['BUOY-MIB::bNothing']]])
    expect(faults.map(({ why }) => why)).toEqual(['BUOY-MIB::bNothing is unknown'])
  })

  test('an unknown function leaves out only its sensor', () => {
    const { oses, faults } = compiled(
      tree({ 'resources/definitions/os_discovery/buoy.yaml': BUOY_DISCOVERY.replace('mw_to_dbm', 'no_such_function') }),
    )
    expect(faults[0]?.why).toContain('no_such_function')
    const classes = oses[0]?.form.sensors.map((sensor) => sensor.class) ?? []
    expect(classes).not.toContain('dbm')
    expect(classes).toContain('current')
  })

  test('identical files have the same revision, different ones another', () => {
    expect(compiled(tree()).revision).toBe(compiled(tree()).revision)
    expect(compiled(tree({ 'resources/definitions/os_detection/buoy.yaml': `${BUOY_DETECTION}\n` })).revision).not.toBe(
      compiled(tree()).revision,
    )
  })

  test('files that are not quite valid YAML are read as LibreNMS reads them', () => {
    const twice = BUOY_DETECTION.replace('type: environment', 'type:\n    "environment"\n    "second"')
    const [os] = compiled(tree({ 'resources/definitions/os_detection/buoy.yaml': twice })).oses
    expect(os?.form.type).toBe('environment')
  })

  test('a name cannot leave the folder', () => {
    const { oses, faults } = compiled(
      tree({
        'resources/definitions/os_detection/buoy.yaml': BUOY_DETECTION.replace('mib_dir: tide', 'mib_dir: ../../etc'),
      }),
    )
    expect(oses).toHaveLength(1)
    expect(faults.map(({ why }) => why).join(' ')).toContain('is unknown')
  })

  test('a pipe in place of a file is reported, and nothing waits for its other end', () => {
    const root = treeFolder({})
    for (const path of ['resources/definitions/os_detection/pipe.yaml', 'mibs/PIPE-MIB'])
      Bun.spawnSync(['mkfifo', join(root, path)])
    const tree = compiled(root)
    expect(tree.oses.map(({ os }) => os)).toContain('buoy')
    expect(tree.faults.filter(({ file }) => file.endsWith('pipe.yaml')).map(({ why }) => why)).toEqual([
      'it is not a file',
    ])
  })

  test('truncated and garbled files are reported, and never cause an exception', () => {
    const marks = ['{', '}', '[', ']', ': ', '- ', "'", '"', '\n', '\t', '&a', '*a', '\u0000', '{{ $', '|', '>']
    fc.assert(
      fc.property(
        fc.constantFrom('detection', 'discovery', 'module'),
        fc.nat(4000),
        fc.array(fc.tuple(fc.nat(4000), fc.constantFrom(...marks)), { maxLength: 6 }),
        (which, end, edits) => {
          let text = { detection: BUOY_DETECTION, discovery: BUOY_DISCOVERY, module: BUOY_MODULE }[which]
          for (const [at, mark] of edits)
            text = text.slice(0, at % text.length) + mark + text.slice((at % text.length) + 1)
          const name = {
            detection: 'resources/definitions/os_detection/buoy.yaml',
            discovery: 'resources/definitions/os_discovery/buoy.yaml',
            module: 'mibs/tide/BUOY-MIB',
          }[which]
          const root = treeFolder({ [name]: text.slice(0, end) })
          try {
            for (const { why } of compiled(root).faults) expect(why).not.toBe('')
          } finally {
            rmSync(root, { recursive: true, force: true })
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  test('a failed write leaves the old definitions in use and nothing half written', () => {
    const folder = stored()
    const before = readdirSync(folder).sort()
    const broken = compiled(tree())
    const [first] = broken.oses
    if (first === undefined) throw new Error('nothing compiled')
    // a name that cannot be a file
    const bad = { ...broken, oses: [first, { ...first, os: 'no/such/folder' }] }
    expect(() => writeDefinitions(folder, bad, 'test', new Date(0))).toThrow()
    expect(readdirSync(folder).sort()).toEqual(before)
    expect(readIndex(folder)?.oses.map(({ os }) => os)).toEqual(['buoy'])
  })

  test('a damaged compiled file counts as missing', () => {
    const folder = stored()
    for (const name of readdirSync(folder)) {
      const path = join(folder, name, 'buoy.json')
      if (!existsSync(path)) continue
      writeFileSync(path, '{"form":1,')
    }
    expect(loadedDefinitions(folder).form('buoy')).toBeNull()
  })
})
