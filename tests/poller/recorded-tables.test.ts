import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newProfile } from '@portlight/snmp/profile.ts'
import type { MibTable } from '@portlight/snmp/table.ts'
import { createTransport } from '@portlight/snmp/transport.ts'
import { targetAt } from '../../packages/snmp/tests/support/agent.ts'
import { readRecording } from '../../src/demo/recording.ts'
import type { TableNeed } from '../../src/modules/module.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { type Reader, runModules } from '../../src/modules/run.ts'
import { createAgents } from '../../src/poller/worker/agent.ts'
import { openReader } from '../../src/poller/worker/reader.ts'
import { type Replay, startAgents } from '../support/replay.ts'

/** Recordings of real devices; not in this repository. */
const FOLDERS = ['devices', 'devices-more'].map((name) => join(import.meta.dir, '../../../shared', name))
const present = FOLDERS.every((folder) => existsSync(folder))
if (!present)
  console.warn(`no device recordings in ${FOLDERS.join(', ')}: tables are not compared with what agents have`)

/** Of this many recordings one is read. */
const SHARE = 4
/** Values by type; others are left out. */
const VALUES: Readonly<Record<string, RegExp>> = {
  '2': /^-?\d{1,10}$/,
  '4': /^/,
  '4x': /^(?:[\da-f]{2})*$/i,
  '6': /^[0-2](?:\.\d{1,9})+$/,
  '64': /^(?:\d{1,3}\.){3}\d{1,3}$/,
  '65': /^\d{1,9}$/,
  '66': /^\d{1,9}$/,
  '67': /^\d{1,9}$/,
  '70': /^\d{1,18}$/,
}

interface Recording {
  readonly name: string
  /** OIDs with instance of what the agent has. */
  readonly oids: ReadonlySet<string>
  readonly text: string
}

/** A recording with the lines that have a value of their type, the first of each OID. */
function recordings(): readonly Recording[] {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
  const names = files.filter((file) => file.endsWith('.snmprec') && !file.includes('@')).sort()
  return names
    .filter((_, i) => i % SHARE === 0)
    .map((file) => {
      const oids = new Set<string>()
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => {
          const [, oid = '', tag = '', value = ''] =
            /^((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))+)\|(\d+x?)\|(.*)$/.exec(line) ?? []
          if (VALUES[tag]?.test(value) !== true || oids.has(oid)) return false
          oids.add(oid)
          return true
        })
      return { name: file.slice(file.lastIndexOf('/') + 1, -'.snmprec'.length), oids, text: lines.join('\n') }
    })
}

/** Columns that the agent has, of tables that were taken for missing. */
async function lost(recording: Recording, { reader, agent }: { reader: Reader; agent: Replay }): Promise<string[]> {
  const found: string[] = []
  const watched: Reader = {
    ...reader,
    async table<T extends MibTable>(need: TableNeed<T>, context: string | null) {
      const result = await reader.table(need, context)
      for (const name of context === null ? need.columns : []) {
        const column = `${need.table.entry}.${need.table.columns[name]?.id}.`
        const has = recording.oids.values().some((oid) => oid.startsWith(column))
        const read = result.rows.values().some((row) => (row as Record<string, unknown>)[name] !== undefined)
        if (has && !read && !result.supported) found.push(`${recording.name} ${need.table.name} ${name}`)
      }
      return result
    },
  }
  const facts = { deviceId: 1, hostname: recording.name, os: null, sysObjectID: null, sysDescr: null, settings: {} }
  for await (const _ of runModules(MODULES, 'discover', facts, watched));
  expect(agent.names).toContain(recording.name)
  return found
}

describe.skipIf(!present)('tables of real devices', () => {
  test('a table of which the agent has any of the columns that are read is there', async () => {
    const all = recordings()
    const made = all.map(
      ({ name, text }) =>
        [name, readRecording(name, text, { own: () => 0, links: () => 0, of: () => () => 0 }).get('') ?? []] as const,
    )
    const agent = await startAgents(new Map(made), ['127.0.0.1'])
    const transport = await createTransport()
    const limits = { timeoutMs: 2000, retries: 2, maxRepetitions: 0, maxPorts: 1e9, maxRows: 1e5, maxOctets: 1e9 }
    try {
      const missing: string[] = []
      for (const recording of all) {
        const target = { ...targetAt(agent.port, {}), community: recording.name }
        const { reader } = openReader(createAgents(transport, limits), target, newProfile(4), () => 60_000, 1)
        missing.push(...(await lost(recording, { reader, agent })))
      }
      expect(missing).toEqual([])
      expect(all.length).toBeGreaterThan(20)
    } finally {
      agent.stop()
      transport.close()
    }
  }, 240_000)
})
