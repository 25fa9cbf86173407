import { expect, test } from 'bun:test'
import type { Command } from 'commander'
import { CommanderError } from 'commander'
import { inCommandStyle, LISTED_BY, nextStep } from '../../src/cli/message-style.ts'
import { buildProgram } from '../../src/cli/program.ts'

// One style for all commands: a bad command line is code 2, what does not exist is code 1, and messages begin alike.

interface Leaf {
  readonly words: string[]
  readonly command: Command
}

function leaves(command: Command, words: string[]): Leaf[] {
  return command.commands.length === 0
    ? [{ words, command }]
    : command.commands.flatMap((child) => leaves(child, [...words, child.name()]))
}

/** The tree, which never runs an action; `said` collects what it prints. */
function tree(said: string[]): Command {
  const program = buildProgram(() => Promise.reject(new Error('no command may run')))
  const prepare = (command: Command): void => {
    const { outputError } = command.configureOutput()
    command.exitOverride().configureOutput({
      writeErr: (text) => said.push(text),
      writeOut: () => undefined,
      ...(outputError !== undefined && { outputError }),
    })
    for (const child of command.commands) prepare(child)
  }
  prepare(program)
  return program
}

const COMMANDS = leaves(tree([]), []).map(({ words }) => words.join(' '))

test.each(COMMANDS)('%s refuses an unknown option and a surplus argument', async (name) => {
  for (const surplus of [['--no-such-option'], ['a', 'b', 'c', 'd', 'e', 'f']]) {
    const said: string[] = []
    const program = tree(said)
    const leaf = leaves(program, []).find(({ words }) => words.join(' ') === name)
    // commands that take any number of arguments
    if (surplus.length > 1 && leaf?.command.registeredArguments.some(({ variadic }) => variadic)) continue
    const refused = await program.parseAsync([...name.split(' '), ...surplus], { from: 'user' }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(CommanderError)
    expect((refused as CommanderError).exitCode).not.toBe(0)
    expect(said[0]).toMatch(/^portlight: [a-z]/)
  }
})

test.each([
  ['Device x not found', 'there is no device x'],
  ['Bill 7 does not exist', 'there is no bill 7'],
  ['Port Group ID 3 not found', 'there is no port group 3'],
  ['There is no preset x', 'there is no preset x'],
  ['SNMP over tcp is not supported', 'SNMP over tcp is not supported'],
  ["We couldn't parse your rule", "we couldn't parse your rule"],
])('%s is said as: %s', (message, said) => expect(inCommandStyle(message)).toBe(said))

test.each([
  ['there is no device nosuch', 'portlight device list shows hostnames and ids'],
  ['there is no transport night mail', 'portlight transport list shows those that there are'],
  ['there is no alert rule 99', 'portlight rule list shows those that there are'],
  // these say what to do
  ['there is no alert rule Thre; did you mean Three?', null],
  ['there is no user nosuch in /etc/passwd', null],
  ['there is no preset x', null],
])('after %s: %s', (message, next) => expect(nextStep(message)).toBe(next))

test('the commands that list what there is exist', () => {
  expect(Object.values(LISTED_BY).filter((command) => !COMMANDS.includes(command))).toEqual([])
})
