import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from '../src/core/database/client.ts'
import { openDump } from '../src/core/import/dump.ts'
import { openMysql } from '../src/core/import/mysql.ts'
import { SourceError } from '../src/core/import/source.ts'
import { compileTree, treeOf } from '../src/librenms/compile-tree.ts'
import { loadedDefinitions, readIndex, writeDefinitions } from '../src/librenms/store.ts'
import { contents } from '../tests/core/import/contents.ts'
import { portFile } from '../tests/core/import/files.ts'
import { importInto } from '../tests/core/import/imported.ts'
import { fillInstallation } from '../tests/core/import/installation.ts'
import { startMaria, type TestMaria } from '../tests/core/import/maria.ts'
import { treeFolder } from '../tests/librenms/tree.ts'
import { type Rng, rng } from '../tests/random/rng.ts'
import { testDatabase } from '../tests/support/database.ts'
import { type Garbling, garbled } from '../tests/support/garbled.ts'
import { option, textOption } from './option.ts'
import { type BenchResult, formatResult, result } from './result.ts'

/**
 * Truncated and garbled files of an installation: RRD files and dumps are imported into databases, YAML and MIB files
 * are compiled and stored. Each must be accepted or cause a clear error, never another exception, and be stored
 * completely or not at all: history with its mark or none, an untouched database, the previous definitions or new ones
 * that can be read.
 *
 * `bun bench/run.ts fuzz [--cases 100] [--seed N] [--only rrd,dump,yaml,mib] [--tree DIR]`; RRD files and dumps need
 * mariadbd and rrdtool. With `--tree`, the YAML and MIB files of that installation are used instead of those of an
 * invented vendor.
 */

interface Tally {
  cases: number
  errors: number
  accepted: number
  crashes: number
  halfWritten: number
  slowestMs: number
  /** First examples of errors, for review. */
  readonly said: Set<string>
}

/** Maximum duration of an import or compilation, ms; RRD files are imported together. */
const MAX_MS = 30_000
const SHOWN = 5
const ZONE = 'Europe/Berlin'
const FIRST_PORT = 4711

const RRD: Garbling = { head: 4096, text: [] }
const DUMP: Garbling = {
  head: 4096,
  text: [
    "'",
    '"',
    '\\',
    ');',
    '(',
    ',',
    ';\n',
    'NULL',
    '/*!',
    '*/',
    '0x',
    '`',
    '-- ',
    '\u0000',
    'INSERT INTO `ports` VALUES (',
  ],
}
const YAML: Garbling = {
  head: 400,
  text: [
    '{',
    '}',
    '[',
    ']',
    ': ',
    '- ',
    '\t',
    '&a ',
    '*a',
    '"',
    "'",
    '|',
    '{{ ',
    '/(a+)+$/',
    '[[:alpha:]',
    '\u0000',
    '9'.repeat(40),
    '::',
  ],
}
const MIB: Garbling = {
  head: 2000,
  text: ['{', '}', '::=', '"', '--', '(', ')', 'SYNTAX', 'END', 'BEGIN', 'MACRO', 'INDEX', '\u0000', '9'.repeat(400)],
}

export async function run(): Promise<BenchResult[]> {
  const cases = option('cases', 100)
  const seed = option('seed', Math.floor(Math.random() * 2 ** 31))
  console.log(`seed ${seed}`)
  const only = (textOption('only') ?? 'rrd,dump,yaml,mib').split(',')
  const work = mkdtempSync(join(tmpdir(), 'portlight-fuzz-'))
  const results: BenchResult[] = []
  const take = (what: string, tally: Tally): void => {
    results.push(...figures(what, tally))
    for (const line of [...tally.said].slice(0, SHOWN)) console.log(`${what}: ${line}`)
  }
  try {
    if (only.includes('rrd') || only.includes('dump')) {
      const maria = await startMaria()
      try {
        if (only.includes('rrd')) take('RRD files', await rrdFiles(maria, join(work, 'rrd'), cases, rng(seed)))
        if (only.includes('dump')) take('dumps', await dumps(maria, join(work, 'dump'), cases, rng(seed + 1)))
      } finally {
        await maria.stop()
      }
    }
    const tree = definitionFiles(work)
    if (only.includes('yaml')) take('YAML files', definitions(work, tree, tree.yaml, YAML, cases, rng(seed + 2)))
    if (only.includes('mib')) take('MIB files', definitions(work, tree, tree.mibs, MIB, cases, rng(seed + 3)))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return results
}

function newTally(): Tally {
  return { cases: 0, errors: 0, accepted: 0, crashes: 0, halfWritten: 0, slowestMs: 0, said: new Set() }
}

function figures(what: string, tally: Tally): BenchResult[] {
  const none = (count: number) => ({ text: '0', met: count === 0 })
  const { cases, errors, accepted, crashes, halfWritten, slowestMs } = tally
  return [
    result(`${what}, truncated or garbled`, cases, 'cases'),
    result('  clear errors', errors, ''),
    result('  accepted', accepted, ''),
    result('  crashes', crashes, '', null, none(crashes)),
    result('  half written', halfWritten, '', null, none(halfWritten)),
    result('  the longest import or compilation', slowestMs, 'ms', null, {
      text: `<= ${MAX_MS}`,
      met: slowestMs <= MAX_MS,
    }),
  ]
}

function crashed(tally: Tally, what: string, error: unknown): void {
  tally.crashes++
  console.error(`${what}: ${error instanceof Error ? error.stack : String(error)}`)
}

/** Imports installations of several RRD files, each damaged in a different way. */
async function rrdFiles(maria: TestMaria, folder: string, cases: number, random: Rng): Promise<Tally> {
  const tally = newTally()
  const endS = Math.floor(Date.now() / 1000) - 60
  const template = join(folder, 'template.rrd')
  mkdirSync(folder, { recursive: true })
  portFile(template, endS, 3, 1e6)
  const whole = readFileSync(template)
  const database = await testDatabase()
  try {
    await fillInstallation(maria, { devices: 3, portsPerDevice: Math.ceil(cases / 3), endS })
    for (let n = 0; n < cases; n++) {
      const device = Math.floor(n / Math.ceil(cases / 3))
      const own = join(folder, 'rrd', device === 1 ? '2001_db8__20' : `router-${42 + device}.example.net`)
      mkdirSync(own, { recursive: true })
      // header bytes with times and sizes, whose damage is not always visible in the size of the file
      const damaged = garbled(whole, random, RRD)
      const bytes = random.chance(0.4) ? withOdd(whole, random) : damaged
      writeFileSync(join(own, `port-id${FIRST_PORT + n}.rrd`), bytes)
    }
    const began = performance.now()
    const { sql } = database.store
    const source = async () => await openMysql(maria.url)
    const report = await importInto(database, await source(), { rrd: join(folder, 'rrd'), zone: ZONE })
    const took = performance.now() - began
    tally.cases = cases
    tally.errors = report.files?.refusedCount ?? 0
    tally.accepted = report.files?.read ?? 0
    tally.slowestMs = took
    for (const { reason } of report.files?.refused ?? []) tally.said.add(reason)
    tally.crashes = cases - tally.errors - tally.accepted
    tally.halfWritten = await halfWritten(sql)
    const before = await contents(sql)
    await importInto(database, await source(), { rrd: join(folder, 'rrd'), zone: ZONE })
    if (!Bun.deepEquals(before, await contents(sql))) tally.halfWritten++
  } catch (error) {
    crashed(tally, 'RRD files', error)
  } finally {
    await database.drop()
  }
  return tally
}

/** The file with different times, sizes and values in its header, but of the same length. */
function withOdd(whole: Uint8Array, random: Rng): Uint8Array {
  const out = Buffer.from(whole)
  for (let i = 0; i <= random.below(3); i++) {
    const at = 8 * random.below(random.chance(0.7) ? 600 : Math.floor(whole.length / 8))
    const odd = random.pick([
      0n,
      1n,
      255n,
      86_400n,
      2n ** 31n,
      2n ** 32n,
      2n ** 40n,
      2n ** 52n,
      2n ** 63n,
      2n ** 64n - 1n,
    ])
    if (random.chance(0.8)) out.writeBigUInt64LE(odd, at)
    else out.writeDoubleLE(random.pick([1e300, -1e300, 1e18, -1, Number.POSITIVE_INFINITY]), at)
  }
  return out
}

/** Number of ports that have rows but no mark, and of impossible rows. */
async function halfWritten(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    with marked as (select substr(object, 6)::int as id, rows from import_marks where object like 'port %'),
      stored as (select port_id as id from ts.port_samples union select port_id from ts.port_1h union select port_id from ts.port_1d)
    select ((select count(*) from stored s where not exists (select from marked m where m.id = s.id))
      + (select count(*) from ts.port_samples where "time" > now() + interval '1 hour' or period_ms <= 0 or in_octets < 0))::int as n`
  return row?.n ?? 0
}

/** Imports damaged dumps, each into a separate database. */
async function dumps(maria: TestMaria, folder: string, cases: number, random: Rng): Promise<Tally> {
  const tally = newTally()
  mkdirSync(folder, { recursive: true })
  await maria.run('drop database librenms')
  await maria.run('create database librenms character set utf8mb4 collate utf8mb4_unicode_ci')
  await maria.run('use librenms')
  await fillInstallation(maria, { devices: 3, portsPerDevice: 4, endS: Math.floor(Date.now() / 1000) - 60 })
  const args = ['mariadb-dump', '--no-defaults', '-u', 'root', `--socket=${maria.socket}`, 'librenms']
  const dumped = Bun.spawnSync(args)
  if (!dumped.success) throw new Error(dumped.stderr.toString())
  const file = join(folder, 'dump.sql')
  const empty = await testDatabase()
  const nothing = await contents(empty.store.sql)
  await empty.drop()
  for (let n = 0; n < cases; n++) {
    writeFileSync(file, garbled(dumped.stdout, random, DUMP))
    const database = await testDatabase()
    const began = performance.now()
    tally.cases++
    try {
      const report = await importInto(database, await openDump(file, ZONE), { zone: ZONE })
      tally.accepted++
      const failed = report.checks.filter(({ holds }) => !holds)
      if (failed.length > 0) {
        tally.halfWritten++
        console.error(`dump ${n}: ${failed.map((one) => `${one.name}: ${one.expected}, ${one.found}`).join('; ')}`)
      }
    } catch (error) {
      if (error instanceof SourceError) {
        tally.errors++
        tally.said.add(error.message)
        const left = Object.keys(await contents(database.store.sql)).filter((table) => nothing[table] === undefined)
        if (left.length > 0) {
          tally.halfWritten++
          console.error(
            `dump ${n}: ${error.message}: ${left.length} tables were written: ${left.slice(0, 8).join(' ')}`,
          )
        }
      } else {
        writeFileSync(join(tmpdir(), `portlight-fuzz-dump-${n}.sql`), readFileSync(file))
        crashed(tally, `dump ${n}`, error)
      }
    } finally {
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began)
      await database.drop()
    }
  }
  return tally
}

interface DefinitionFiles {
  /** Folder of a whole installation. */
  readonly root: string
  /** Files to damage, below `root`, and the OS that is then compiled. */
  readonly yaml: readonly Damaged[]
  readonly mibs: readonly Damaged[]
}
interface Damaged {
  readonly os: string
  readonly file: string
}

/** The files of `--tree`, else those of an invented vendor. */
function definitionFiles(work: string): DefinitionFiles {
  const given = textOption('tree')
  if (given === undefined) {
    const yaml = ['os_detection', 'os_discovery'].map((kind) => ({
      os: 'buoy',
      file: `resources/definitions/${kind}/buoy.yaml`,
    }))
    const mibs = ['SNMPv2-SMI', 'tide/BUOY-MIB'].map((name) => ({ os: 'buoy', file: `mibs/${name}` }))
    // into the folder that is removed at the end
    const root = join(work, 'invented')
    renameSync(treeFolder(), root)
    return { root, yaml, mibs }
  }
  let root = given
  if (!existsSync(join(given, 'mibs'))) {
    root = join(work, 'tree')
    cpSync(join(given, 'resources'), join(root, 'resources'), { recursive: true })
    const tar = Bun.spawnSync(['tar', '--zstd', '-xf', join(given, 'mibs.tar.zst'), '-C', root])
    if (!tar.success) throw new Error(tar.stderr.toString())
  }
  const folder = 'resources/definitions'
  const yaml: Damaged[] = []
  const mibs: Damaged[] = []
  for (const kind of ['os_detection', 'os_discovery'])
    for (const name of readdirSync(join(root, folder, kind)))
      if (name.endsWith('.yaml')) yaml.push({ os: name.slice(0, -'.yaml'.length), file: `${folder}/${kind}/${name}` })
  for (const { os } of yaml) {
    const own = join(root, 'mibs', os)
    if (!existsSync(own)) continue
    for (const entry of readdirSync(own, { withFileTypes: true }))
      if (entry.isFile()) mibs.push({ os, file: `mibs/${os}/${entry.name}` })
  }
  return { root, yaml, mibs }
}

/** Damages one file at a time, compiles its OS like `definitions add`, and stores the result over the previous one. */
function definitions(
  work: string,
  { root }: DefinitionFiles,
  files: readonly Damaged[],
  how: Garbling,
  cases: number,
  random: Rng,
): Tally {
  const tally = newTally()
  const stored = join(work, 'stored')
  const whole = new Map<string, ReadonlySet<string>>()
  for (let n = 0; n < cases; n++) {
    const { os, file } = random.pick(files)
    const tree = join(work, `damaged-${n}`)
    const usual = whole.get(os) ?? new Set(faultsOf(root, work, os))
    whole.set(os, usual)
    copyWith(root, tree, os, { file, octets: garbled(readFileSync(join(root, file)), random, how) })
    const began = performance.now()
    tally.cases++
    try {
      const faults = add(tree, stored, `case ${n}`).filter((why) => !usual.has(why))
      if (faults.length > 0) tally.errors++
      else tally.accepted++
      for (const why of faults) tally.said.add(why)
    } catch (error) {
      cpSync(tree, join(tmpdir(), `portlight-fuzz-${n}`), { recursive: true })
      crashed(tally, `${file}`, error)
    }
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began)
    tally.halfWritten += unreadable(stored, n)
    rmSync(tree, { recursive: true, force: true })
  }
  return tally
}

/** What is not accepted of an OS whose files are intact. */
function faultsOf(root: string, work: string, os: string): readonly string[] {
  const tree = join(work, 'whole')
  copyWith(root, tree, os, null)
  const faults = add(tree, join(work, 'stored-whole'), os)
  rmSync(tree, { recursive: true, force: true })
  return faults
}

/** A tree with one OS, in which one file has different contents; MIB folders are links where possible. */
function copyWith(root: string, tree: string, os: string, damaged: { file: string; octets: Uint8Array } | null): void {
  for (const kind of ['os_detection', 'os_discovery']) {
    const from = join(root, 'resources/definitions', kind, `${os}.yaml`)
    const to = join(tree, 'resources/definitions', kind)
    mkdirSync(to, { recursive: true })
    if (existsSync(from)) cpSync(from, join(to, `${os}.yaml`))
  }
  const mibs = join(tree, 'mibs')
  mkdirSync(mibs)
  for (const name of readdirSync(join(root, 'mibs'))) {
    const inside = damaged?.file.startsWith(`mibs/${name}/`) === true
    if (inside) cpSync(join(root, 'mibs', name), join(mibs, name), { recursive: true })
    else symlinkSync(join(root, 'mibs', name), join(mibs, name))
  }
  if (damaged === null) return
  rmSync(join(tree, damaged.file), { force: true })
  writeFileSync(join(tree, damaged.file), damaged.octets)
}

/** Like `definitions add`, stores nothing if there is no system. Returns what was not accepted. */
function add(dir: string, stored: string, source: string): readonly string[] {
  const tree = treeOf(dir)
  if (tree === null) throw new Error(`${dir} is not a tree`)
  const steps = compileTree(tree)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const { oses, faults } = step.value
  if (oses.length > 0) writeDefinitions(stored, step.value, source, new Date(0))
  return faults.map(({ why }) => why)
}

/** 1 if some of the stored definitions cannot be read, or if there are stray files; else 0. */
function unreadable(stored: string, n: number): number {
  if (!existsSync(stored)) return 0
  const index = readIndex(stored)
  if (index === null) return 1
  const loaded = loadedDefinitions(stored)
  const missing = index.oses.filter(({ os }) => loaded.form(os)?.os !== os).length
  const folders = readdirSync(stored, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length
  if (missing > 0 || folders !== 1 || loaded.detectable.length !== index.oses.length) {
    console.error(`case ${n}: ${missing} of ${index.oses.length} systems cannot be read, ${folders} folders`)
    return 1
  }
  return 0
}

if (import.meta.main) {
  const results = await run()
  for (const one of results) console.log(formatResult(one))
  process.exit(results.every((one) => one.goal?.met !== false) ? 0 : 1)
}
