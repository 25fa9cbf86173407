import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, FACTS, int, moduleOf, oid, only, text } from './agent.ts'

const STORAGE = '1.3.6.1.2.1.25.2.3.1'
const FIXED = '1.3.6.1.2.1.25.2.1.4'
const OTHER = '1.3.6.1.2.1.25.2.1.1'
const RAM = '1.3.6.1.2.1.25.2.1.2'
const NETWORK = '1.3.6.1.2.1.25.2.1.10'

interface Store {
  readonly descr: string
  readonly type?: string
  readonly size?: number
  readonly used?: number
}

/** Rows of hrStorageTable with indexes from 1, in blocks of 1024 bytes. */
function stores(rows: readonly Store[]): Record<string, SnmpValue> {
  return Object.fromEntries(
    rows.flatMap(({ descr, type = FIXED, size = 1000, used = 10 }, i) => [
      [`${STORAGE}.2.${i + 1}`, oid(type)],
      [`${STORAGE}.3.${i + 1}`, text(descr)],
      [`${STORAGE}.4.${i + 1}`, int(1024)],
      [`${STORAGE}.5.${i + 1}`, int(size)],
      [`${STORAGE}.6.${i + 1}`, int(used)],
    ]),
  )
}

async function storageOf(
  rows: readonly Store[],
  os: string | null = null,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const found = await discover([moduleOf(MODULES, 'storage')], agentOf(stores(rows)), { os, settings })
  return only(found, 'storage').rows.map((row) => row.storage_descr)
}

describe('filesystems', () => {
  test('only local ones: no network disks, kernel filesystems, images or container mounts', async () => {
    const rows = [
      { descr: '/' },
      { descr: '/mnt/server', type: NETWORK },
      { descr: '/proc' },
      { descr: '/sys/fs/cgroup' },
      { descr: 'procfs: process file system, mounted on: /proc' },
      { descr: 'junosprocfs, mounted on: /.mount/junosproc' },
      { descr: '/dev/md4, mounted on: /packages/mnt/os-libs', used: 1000 },
      { descr: '/dev/md1.uzip, mounted on: /', used: 1000 },
      { descr: '/dev/md2, mounted on: /mfs' },
      { descr: '/var/lib/docker/overlay2/0a1b/merged' },
      { descr: '/media/iso', used: 1000 },
    ]
    expect(await storageOf(rows)).toEqual(['/', '/dev/md2, mounted on: /mfs', '/media/iso'])
  })

  test('memory filesystems are shown on appliances, not on servers', async () => {
    const rows = [
      { descr: '/' },
      { descr: '/run', used: 20 },
      { descr: '/run/user/0' },
      { descr: '/dev/shm', used: 30 },
    ]
    expect(await storageOf(rows, 'linux')).toEqual(['/'])
    expect(await storageOf(rows, 'cumulus')).toHaveLength(4)
    expect(await storageOf([{ descr: '/runner' }], 'linux')).toEqual(['/runner'])
  })

  test('rows of hrStorageTable with equal size and use are separate storage areas', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ descr: `/srv/${i}` }))
    expect(await storageOf(rows)).toEqual(rows.map((row) => row.descr))
  })

  test('a filesystem that is mounted many times is shown once', async () => {
    const mounts = Array.from({ length: 21 }, (_, i) => ({ descr: `/overlay/${i}` }))
    expect(await storageOf([...mounts, { descr: '/data', size: 2000 }])).toEqual(['/overlay/0', '/data'])
  })

  test('rows that the settings ignore are left out', async () => {
    const settings = { ignore_mount: ['/boot'], ignore_mount_string: ['/overlay', ''] }
    const rows = ['/', '/boot', '/boot/efi', '/srv/overlay/a', '/srv'].map((descr) => ({ descr }))
    expect(await storageOf(rows, null, settings)).toEqual(['/', '/boot/efi', '/srv'])
    const disks = {
      '1.3.6.1.4.1.2021.9.1.2.1': text('/boot'),
      '1.3.6.1.4.1.2021.9.1.2.2': text('/'),
      '1.3.6.1.4.1.2021.9.1.6.1': int(1000),
      '1.3.6.1.4.1.2021.9.1.6.2': int(1000),
    }
    const found = await discover([moduleOf(MODULES, 'storage')], agentOf(disks), { settings })
    expect(only(found, 'storage').rows.map((row) => row.storage_descr)).toEqual(['/'])
  })
})

describe('memory', () => {
  test('caches are a share of the physical memory, not of the size that the agent reports', async () => {
    const agent = agentOf(
      stores([
        { descr: 'Physical memory', type: RAM, size: 8000, used: 7000 },
        { descr: 'Cached memory', type: OTHER, size: 2000, used: 2000 },
      ]),
    )
    const { rows } = only(await discover([moduleOf(MODULES, 'mempools')], agent), 'mempools')
    expect(rows[1]).toMatchObject({ mempool_class: 'cached', mempool_total: 8000 * 1024, mempool_free: 6000 * 1024 })
  })

  test('a cache keeps its own size if there is no row for the physical memory', async () => {
    const agent = agentOf(stores([{ descr: 'Cached memory', type: OTHER, size: 2000, used: 500 }]))
    const { rows } = only(await discover([moduleOf(MODULES, 'mempools')], agent), 'mempools')
    expect(rows).toMatchObject([{ mempool_total: 2000 * 1024, mempool_free: 1500 * 1024 }])
  })
})

describe('processor names', () => {
  const named = async (...names: readonly string[]) => {
    const cells = names.flatMap((name, i): [string, SnmpValue][] => [
      [`1.3.6.1.2.1.25.3.3.1.2.${i + 1}`, int(5)],
      [`1.3.6.1.2.1.25.3.2.1.3.${i + 1}`, text(name)],
    ])
    const found = await discover([moduleOf(MODULES, 'processors')], agentOf(Object.fromEntries(cells)))
    return only(found, 'processors').rows.map((row) => row.processor_descr)
  }

  test.each([
    ['GenuineIntel: Intel(R) Atom(TM) CPU  C2338  @ 1.74GHz', 'Intel Atom C2338 @ 1.74GHz'],
    [
      'CPU Pkg/ID/Node: 0/0/0 Intel(R) Xeon(R) CPU E5-2650 0 @ 2.00GHz',
      'Pkg/ID/Node: 0/0/0 Intel Xeon E5-2650 0 @ 2.00GHz',
    ],
    ['Control CPU', 'Control CPU'],
    ['Unknown Processor Type', 'Processor'],
    ['', 'Processor'],
  ])('%s', async (descr, name) => {
    expect(await named(descr)).toEqual([name])
  })

  test('processors without a name are numbered', async () => {
    expect(await named('', 'unknown')).toEqual(['Processor 1', 'Processor 2'])
  })
})

describe('sensors', () => {
  const ENTITY = '1.3.6.1.2.1.99.1.1.1'

  test.each([
    ['DOM TX Bias Sensor for Ethernet1', 'DOM TX Bias  For Ethernet1'],
    ['RPM sensor for fan LC1-1F', 'RPM  For Fan LC1-1F'],
    ['Sensor 3', 'Sensor 3'],
    ['', 'Sensor 7'],
  ])('%s is named %s', async (entity, name) => {
    const cells = { [`${ENTITY}.4.7`]: int(40), [`${ENTITY}.1.7`]: int(8), '1.3.6.1.2.1.47.1.1.1.1.7.7': text(entity) }
    const { rows } = only(await discover([moduleOf(MODULES, 'entity-sensors')], agentOf(cells)), 'sensors')
    expect(rows.map((row) => row.sensor_descr)).toEqual([name])
  })

  test.each([
    ['1.3.6.1.4.1.30065.1.3011.7280.9', 'DOM TX Power Sensor for Ethernet7', 'dbm', -3.01],
    ['1.3.6.1.4.1.30065.1.3011.7280.9', 'PowerSupply1 input power', 'power', 0.0005],
    // the type that the agent gives is what it means
    ['1.3.6.1.4.1.1916.2.999', 'SFP TX Power Sensor', 'power', 0.0005],
    ['1.3.6.1.4.1.99999.1', 'DOM RX Power Sensor for Ethernet7', 'power', 0.0005],
  ])('watts of %s, %s: class %s', async (sysObjectID, entity, sensorClass, value) => {
    const cells = {
      [`${ENTITY}.1.7`]: int(6),
      [`${ENTITY}.2.7`]: int(8),
      [`${ENTITY}.3.7`]: int(4),
      [`${ENTITY}.4.7`]: int(5000),
      '1.3.6.1.2.1.47.1.1.1.1.7.7': text(entity),
    }
    const facts = { ...FACTS, sysObjectID }
    const { rows } = only(await discover([moduleOf(MODULES, 'entity-sensors')], agentOf(cells), facts), 'sensors')
    expect(rows).toMatchObject([{ sensor_class: sensorClass, sensor_current: value }])
  })

  test('mainboard temperatures have limits around the first value', async () => {
    const lm = '1.3.6.1.4.1.2021.13.16.2.1'
    const cells = { [`${lm}.2.1`]: text('CPU'), [`${lm}.3.1`]: int(45000) }
    const { rows } = only(await discover([moduleOf(MODULES, 'lm-sensors')], agentOf(cells)), 'sensors')
    expect(rows).toMatchObject([{ sensor_descr: 'CPU', sensor_current: 45, sensor_limit: 65, sensor_limit_low: null }])
  })
})
