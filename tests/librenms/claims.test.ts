import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseHealth } from '../../src/definitions/health-parse.ts'
import { loadedDefinitions, writeDefinitions } from '../../src/librenms/store.ts'
import { discoverDefined } from '../../src/modules/defined/discover.ts'
import { agentOf, discover, int } from '../modules/agent.ts'
import { healthCatalogueOf } from '../modules/catalogues.ts'
import { BUOY_DETECTION, BUOY_DISCOVERY, compiled, treeFolder } from './tree.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A built-in definition for `os` and a branch of the invented vendor: a temperature, and the clients of a radio. */
const definition = (os: readonly string[]) => ({
  about: 'An example.',
  ...(os.length > 0 && { os }),
  sysObjectID: ['1.3.6.1.4.1.64998'],
  scalars: { air: '1.3.6.1.4.1.64998.70.0', load: '1.3.6.1.4.1.64998.71.0', near: '1.3.6.1.4.1.64998.72.0' },
  sensors: [{ class: 'temperature', value: 'air', descr: 'Air' }],
  processors: [{ value: 'load', descr: 'Load' }],
  wireless: [{ class: 'clients', value: 'near', descr: 'Near' }],
})

const cells = {
  '1.3.6.1.4.1.64998.70.0': int(21),
  '1.3.6.1.4.1.64998.71.0': int(5),
  '1.3.6.1.4.1.64998.72.0': int(3),
}

/** The kinds that a definition naming `names` observes on a device of the OS. */
async function kinds(names: readonly string[], os: string, discovery = BUOY_DISCOVERY): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-definitions-'))
  const root = treeFolder({
    'resources/definitions/os_detection/linux.yaml': BUOY_DETECTION.replace('os: buoy', 'os: linux'),
    'resources/definitions/os_discovery/linux.yaml': discovery,
    'resources/definitions/os_discovery/buoy.yaml': discovery,
  })
  made.push(folder, root)
  writeDefinitions(folder, compiled(root), 'test', new Date(0))
  const catalogue = healthCatalogueOf([parseHealth('example', definition(names))])
  const module = { name: 'defined-health', about: '', discover: discoverDefined(catalogue, loadedDefinitions) }
  const facts = { os, sysObjectID: '1.3.6.1.4.1.64998.1', settings: { 'definitions.folder': folder } }
  return (await discover([module], agentOf(cells), facts)).map(({ kind }) => kind).sort()
}

const ALL = ['processors', 'sensors', 'wireless']

test('a built-in definition fills in what the loaded file of a system that it names leaves out', async () => {
  expect(await kinds(['buoy'], 'buoy')).toEqual(ALL)
})

test('of other systems on the same branch it observes only what their own file has no rules for', async () => {
  expect(await kinds(['raft'], 'buoy')).toEqual(['wireless'])
  const withoutProcessors = BUOY_DISCOVERY.replace(/ {4}processors:.*?(?= {4}mempools:)/s, '')
  expect(await kinds(['raft'], 'buoy', withoutProcessors)).toEqual(['processors', 'wireless'])
})

test('a system without a loaded file, one of last resort, and a definition that names no system', async () => {
  expect(await kinds(['raft'], 'barge')).toEqual(ALL)
  expect(await kinds(['raft'], 'linux')).toEqual(ALL)
  expect(await kinds([], 'buoy')).toEqual(ALL)
})
