import { dirname, relative, resolve } from 'node:path'
import { isatty } from 'node:tty'
import type { Command } from 'commander'
import { oneLine } from '../../lib/one-line.ts'
import type { CompiledTree } from '../../librenms/compile-tree.ts'
import type { StoredIndex, StoredOs } from '../../librenms/store.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError } from '../errors.ts'
import { print, printJson, printTable, say } from '../output.ts'

interface Options {
  readonly json?: boolean
  readonly all?: boolean
}

/** Faults printed without --all. */
const SHOWN_FAULTS = 20

/** `portlight definitions add|check|list|show|remove`. Opens no database: definitions are files in the data folder. */
export function registerDefinitions(program: Command): void {
  const definitions = program.command('definitions').description('definitions from a LibreNMS installation')
  definitions
    .command('add')
    .description('compile the definitions of an installation and use them; replaces those added before')
    .argument('<dir>', 'folder of the installation, or one with resources/definitions and mibs')
    .option('--all', 'print everything that was not used')
    .option('--json', 'print JSON')
    .action(async (dir: string, options: Options, command: Command) => {
      const [folder, { writeDefinitions }, { databaseIn }] = await Promise.all([
        folderOf(command),
        import('../../librenms/store.ts'),
        import('../../postgres/home.ts'),
      ])
      const tree = await compiled(dir)
      if (tree.oses.length === 0)
        throw new CliError(`no definition in ${dir} could be read: ${tree.faults[0]?.why ?? 'there are none'}`)
      const stored = writeDefinitions(folder, tree, resolve(dir), new Date())
      report(tree, dir, options)
      if (databaseIn(dirname(folder)) === 'absent')
        say(`there is no database in ${dirname(folder)} yet; a server finds the definitions if it has this --data-dir`)
      if (options.json !== true)
        say(`${stored.oses.length} systems will be used from the next discovery on, revision ${stored.revision}`)
    })
  definitions
    .command('check')
    .description('compile only: show what would be used, what would not, and why')
    .argument('<dir>', 'folder of the installation')
    .option('--all', 'print everything that would not be used')
    .option('--json', 'print JSON')
    .action(async (dir: string, options: Options) => report(await compiled(dir), dir, options))
  definitions
    .command('list')
    .description('list the operating systems with added definitions')
    .option('--json', 'print JSON')
    .action(async (options: Options, command: Command) => list(await stored(command), options))
  definitions
    .command('show')
    .description('show what the added definition of an operating system provides, and what of it was not used')
    .argument('<os>', 'short name of the operating system, such as junos')
    .option('--json', 'print the compiled definition as JSON')
    .action(async (os: string, options: Options, command: Command) =>
      show(await folderOf(command), await stored(command), os, options),
    )
  addYes(definitions.command('remove').description('remove the added definitions')).action(
    async (options: ConfirmOptions, command: Command) => {
      const [folder, { removeDefinitions }] = await Promise.all([folderOf(command), import('../../librenms/store.ts')])
      await confirm('remove the added definitions', options)
      say(
        removeDefinitions(folder)
          ? 'removed; what they found is deleted at the next discovery of each device'
          : 'there are none',
      )
    },
  )
}

async function folderOf(command: Command): Promise<string> {
  const [{ settingsOf }, { definitionsFolder }] = await Promise.all([
    import('../globals.ts'),
    import('../../librenms/store.ts'),
  ])
  return definitionsFolder(settingsOf(command).dataDir)
}

async function stored(command: Command): Promise<StoredIndex> {
  const { readIndex } = await import('../../librenms/store.ts')
  const folder = await folderOf(command)
  const index = readIndex(folder)
  if (index === null)
    throw new CliError(`there are no added definitions in ${folder}; add them with \`portlight definitions add DIR\``)
  return index
}

async function compiled(dir: string): Promise<CompiledTree> {
  const { compileTree, treeOf } = await import('../../librenms/compile-tree.ts')
  const tree = treeOf(resolve(dir))
  if (tree === null) {
    throw new CliError(
      `${dir} has no folders resources/definitions/os_detection and mibs: give the folder of a LibreNMS installation`,
    )
  }
  const steps = compileTree(tree)
  let step = steps.next()
  while (step.done !== true) {
    progress(...step.value)
    step = steps.next()
  }
  return step.value
}

const STDERR = 2
const WIDTH = 30

/** A progress bar on stderr, if that is a terminal. */
function progress(done: number, all: number): void {
  if (!isatty(STDERR)) return
  const filled = all === 0 ? WIDTH : Math.round((done / all) * WIDTH)
  const end = done === all ? '\n' : ''
  process.stderr.write(`\r[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${done} of ${all} systems${end}`)
}

function report({ oses, faults, revision, mibFiles }: CompiledTree, dir: string, { json, all }: Options): void {
  const root = resolve(dir)
  const sum = (count: (os: CompiledTree['oses'][number]) => number) => oses.reduce((total, os) => total + count(os), 0)
  const totals = {
    systems: oses.length,
    sensors: sum(({ form }) => form.sensors.length),
    processors: sum(({ form }) => form.processors.length),
    mempools: sum(({ form }) => form.mempools.length),
    storage: sum(({ form }) => form.storage.length),
    names: sum(({ names }) => names),
    unknown: sum(({ unknown }) => unknown.length),
    mibFiles,
    revision,
  }
  const notTaken = faults.map(({ file, why }) => ({ file: relative(root, file), why }))
  if (json === true) {
    printJson({ ...totals, notTaken })
    return
  }
  const share = totals.names === 0 ? 100 : (100 * (totals.names - totals.unknown)) / totals.names
  print(
    `${totals.systems} systems: ${totals.sensors} rules for sensors, ${totals.processors} for processors, ${totals.mempools} for memory, ${totals.storage} for storage`,
  )
  print(`${totals.names} object names, ${share.toFixed(1)} % of them known, from ${mibFiles} MIB files`)
  if (notTaken.length === 0) return
  print(`not used (${notTaken.length}):`)
  for (const { file, why } of all === true ? notTaken : notTaken.slice(0, SHOWN_FAULTS))
    print(`  ${oneLine(file)}: ${oneLine(why)}`)
  if (all !== true && notTaken.length > SHOWN_FAULTS)
    print(`  and ${notTaken.length - SHOWN_FAULTS} more; list them with --all`)
}

function list(index: StoredIndex, { json }: Options): void {
  if (json === true) {
    printJson(index)
    return
  }
  say(`revision ${index.revision} from ${index.source}, added ${index.added}`)
  printTable(
    ['os', 'name', 'type', 'sensors', 'processors', 'memory', 'storage', 'not used'],
    index.oses.map((os: StoredOs) => [
      os.os,
      os.text,
      os.type,
      os.sensors,
      os.processors,
      os.mempools,
      os.storage,
      os.faults.length,
    ]),
  )
}

async function show(folder: string, index: StoredIndex, name: string, { json }: Options): Promise<void> {
  const known = index.oses.find(({ os }) => os === name)
  const { loadedDefinitions } = await import('../../librenms/store.ts')
  const form = loadedDefinitions(folder).form(name)
  if (known === undefined || form === null) throw new CliError(`there is no added definition for ${name}`)
  if (json === true) {
    printJson(form)
    return
  }
  print(`${form.os}: ${oneLine(form.text)}, ${form.type}`)
  const classes = Map.groupBy(form.sensors, (sensor) => sensor.class)
  for (const [sensorClass, sensors] of classes) print(`  sensors of class ${sensorClass}: ${sensors.length}`)
  if (form.processors.length > 0) print(`  processors: ${form.processors.length}`)
  if (form.mempools.length > 0) print(`  memory: ${form.mempools.length}`)
  if (form.storage.length > 0) print(`  storage: ${form.storage.length}`)
  print(`  device fields: ${Object.keys(form.identity?.fields ?? {}).join(', ') || 'none'}`)
  print(`  walked: ${form.walks.map(({ text }) => text).join(', ') || 'nothing'}`)
  if (known.faults.length > 0) print('  not used:')
  for (const fault of known.faults) print(`    ${oneLine(fault)}`)
}
