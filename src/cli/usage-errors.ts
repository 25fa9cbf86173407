import type { Command } from 'commander'
import { programName } from './invocation.ts'

/** Words that people use for commands, with the commands that are meant: the first that exists is suggested. */
const SYNONYMS: readonly (readonly [words: readonly string[], meant: readonly string[]])[] = [
  [['alert', 'alerts', 'alarm', 'event', 'problem'], ['fault']],
  [['alert-rule', 'alert-rules', 'check'], ['rule']],
  [['host', 'node', 'switch', 'router'], ['device']],
  [['discover', 'discovery', 'autodiscovery'], ['scan']],
  [['downtime', 'schedule', 'window'], ['maintenance']],
  [['oncall', 'rota', 'roster'], ['on-call']],
  [['setting', 'settings'], ['config']],
  [['validate', 'diagnose', 'status', 'check'], ['doctor']],
  [['start', 'run', 'server', 'web'], ['serve']],
  [
    ['poller', 'pollers'],
    ['cluster', 'poller-group'],
  ],
  [['notification', 'notify', 'contact'], ['transport']],
  [['site', 'place'], ['location']],
  [['invoice', 'billing'], ['bill']],
  [['mib', 'mibs', 'snmpwalk', 'snmpget'], ['snmp']],
  [
    ['remove', 'rm', 'del', 'delete', 'destroy', 'unset'],
    ['delete', 'remove', 'revoke', 'unset'],
  ],
  [
    ['create', 'new', 'insert', 'add'],
    ['add', 'create'],
  ],
  [
    ['ls', 'show', 'get', 'print', 'all', 'view', 'info', 'describe'],
    ['show', 'list', 'get', 'now'],
  ],
  [
    ['edit', 'update', 'change', 'modify', 'configure'],
    ['set', 'edit'],
  ],
  [
    ['stop', 'cancel', 'finish'],
    ['end', 'disable'],
  ],
  [
    ['mute', 'silence', 'ack'],
    ['acknowledge', 'disable'],
  ],
]

/**
 * Gives a command and those below it their messages for a wrong command line: they say what is wrong, what was probably
 * meant, and how to see the usage of just this command.
 */
export function explainErrors(command: Command, path: readonly string[] = []): void {
  command.configureOutput({
    outputError(text, write) {
      write(withMeant(text, command, path).replace(/^error: /, 'portlight: '))
      write(`For usage: ${[programName(), ...path, '--help'].join(' ')}\n`)
    },
  })
  for (const child of command.commands) explainErrors(child, [...path, child.name()])
}

/** The message with what was meant, where that is another word; slips of the fingers are found by commander. */
function withMeant(text: string, command: Command, path: readonly string[]): string {
  const [, kind, given = ''] = /^error: unknown (command|option) '([^']+)'/.exec(text) ?? []
  const meant =
    kind === 'command' ? meantCommand(given, command, path) : kind === 'option' ? meantOption(given, command) : null
  if (meant === null) return text
  const [first = ''] = text.split('\n', 1)
  return `${first}\n(Did you mean ${meant}?)\n`
}

function meantCommand(given: string, command: Command, path: readonly string[]): string | null {
  const names = command.commands.map((child) => child.name())
  const lower = given.toLowerCase()
  for (const [words, meant] of SYNONYMS) {
    if (!words.includes(lower)) continue
    const found = meant.find((name) => names.includes(name))
    if (found !== undefined) return [...path, found].join(' ')
  }
  return null
}

/** The option whose last word is given: `--port` for `--snmp-port`. */
function meantOption(given: string, command: Command): string | null {
  const last = given.replace(/^-*/, '-')
  return command.options.find(({ long }) => long?.endsWith(last))?.long ?? null
}

/** The command that words name; `rest`: those behind the last that names one. */
export function commandNamed(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly path: readonly string[]; readonly rest: readonly string[] } {
  const [first, ...others] = words
  const child = program.commands.find((one) => first !== undefined && [one.name(), ...one.aliases()].includes(first))
  if (child === undefined) return { command: program, path: [], rest: words }
  const found = commandNamed(child, others)
  return { ...found, path: [child.name(), ...found.path] }
}
