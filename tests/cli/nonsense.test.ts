import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import fc from 'fast-check'
import { buildProgram } from '../../src/cli/program.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { makeDevice } from '../support/samples.ts'
import { portlight, temporaryFolder } from './support.ts'

// Whatever is given to whatever option, a command says what is wrong: it has no internal error and prints no stack.

setDefaultTimeout(300_000)

const folder = temporaryFolder()
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await makeDevice(database.store, 1)
  mkdirSync(join(folder.path, 'here'))
  writeFileSync(join(folder.path, 'here', 'list.json'), '[{"name": 1, "rules": [[]]}]')
  writeFileSync(join(folder.path, 'here', 'empty'), '')
  writeFileSync(join(folder.path, 'here', 'text'), 'hostname,port\nsw1,"\n')
})
afterAll(async () => {
  await database.drop()
  folder.remove()
})

/** Values that people type by mistake, or that no option takes. */
const NONSENSE = [
  ...['', ' ', '0', '-1', '1', '2', '99', '1.5', '2147483648', '99999999999999999999', '1e999', 'NaN', 'null'],
  ...['Europe/Berln', 'UTC+25', '2026-02-30 25:61', '2026-13-45', '9999-99-99', '300000-01-01', '0000-00-00 00:00'],
  ...['99999:99', '1:1:1', '25:00', '8,9', '1,1,1,1', '7-1 22:00-07:00', '99999999w', '1w', '2h', '-5m', 'never'],
  ...['admin', 'sw1', 'no-such-name', '10.0.0.0/99', '::/0', '999.1.1.1', '[::1', 'host:99999999', 'a=b', '=', 'a='],
  ...[
    'postgres://',
    'mysql://x',
    'http://[',
    '\u{1f4a9}',
    'ß\u0301',
    "'; drop table devices; --",
    '%s%n',
    '$(id)',
    '`x`',
  ],
  ...['{', '[]', '{"a":', '*', '(', '..', '/', '/nonexistent/x', './list.json', './empty', './text', 'x'.repeat(5000)],
]

/** Left out: it runs until it is stopped, installs something on the machine, or reads every address of a network. */
const LEFT_OUT = /^(serve|systemd (install|uninstall)|scan|upgrade-database|demo remove|help)$/

interface Leaf {
  readonly path: readonly string[]
  readonly command: Command
}

function leaves(command: Command, path: readonly string[] = []): Leaf[] {
  const below = command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
  return command.registeredArguments.length > 0 || below.length === 0 ? [{ path, command }, ...below] : below
}

const LEAVES = leaves(buildProgram(() => Promise.reject(new Error('not run here')))).filter(
  ({ path }) => !LEFT_OUT.test(path.join(' ')),
)

const nonsense = fc.constantFrom(...NONSENSE)

/** What is given for an option: one of its choices now and then, so that what is behind it is reached. */
function givenFor(option: Pick<Option, 'argChoices'>): fc.Arbitrary<string> {
  const { argChoices } = option
  return argChoices === undefined ? nonsense : fc.oneof(nonsense, fc.constantFrom(...argChoices))
}

/** A command line of the command with nonsense for every argument and for some of its options. */
function lineOf({ path, command }: Leaf): fc.Arbitrary<string[]> {
  const args = command.registeredArguments.map((one) =>
    fc.oneof(
      { weight: 9, arbitrary: givenFor(one).map((text) => [text]) },
      { weight: one.required ? 0 : 3, arbitrary: fc.constant([]) },
    ),
  )
  const options = command.options.map((one) => {
    const flag = one.long ?? one.short ?? ''
    const given = one.required || one.optional ? givenFor(one).map((text) => [`${flag}=${text}`]) : fc.constant([flag])
    const absent = one.mandatory || flag === '--yes' ? 0 : 2
    return fc.oneof({ weight: 1, arbitrary: given }, { weight: absent, arbitrary: fc.constant<string[]>([]) })
  })
  return fc
    .tuple(fc.tuple(...args), fc.tuple(...options))
    .map(([words, flags]) => [...path, ...flags.flat(), '--', ...words.flat()])
}

test('no command has an internal error, whatever is given to its options', async () => {
  const runs = Number(process.env['NONSENSE_RUNS'] ?? 1)
  const seed = Number(process.env['NONSENSE_SEED'] ?? Date.now() % 1_000_000)
  const lines = LEAVES.flatMap((leaf, i) => fc.sample(lineOf(leaf), { numRuns: runs, seed: seed + i }))
  const { code, err } = await portlight([], {
    script: join(import.meta.dir, 'nonsense-commands.ts'),
    cwd: join(folder.path, 'here'),
    env: { DATABASE_URL: database.url, PORTLIGHT_DATA_DIR: join(folder.path, 'data'), PORTLIGHT_SNMP_TIMEOUT: '0.1' },
    input: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  const said = err.split('\n#run ').slice(1)
  const bad = said.filter((text) => {
    const [, body = '', ended = ''] = /\n((?:.|\n)*)\n#code (\d+)/.exec(text) ?? []
    const silent = ended === '2' && body.trim() === ''
    return ended === '' || silent || /internal error|\n\s+at .*[(:]\d+|RangeError|TypeError/.test(body)
  })
  expect(bad.map((text) => text.slice(0, 1500)).slice(0, 20), `seed ${seed}`).toEqual([])
  expect({ code, ran: said.length }, `seed ${seed}: ${err.slice(-500)}`).toEqual({ code: 0, ran: lines.length })
})
