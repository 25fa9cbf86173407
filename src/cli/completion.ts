import type { Command } from 'commander'
import { SETTING_NAMES } from '../config/names.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** Words that can follow a command. `path` is for example `device add`, and empty for the program itself. */
interface Words {
  readonly path: string
  readonly words: readonly string[]
}

/**
 * A shell script that completes commands, options, choices and setting names. Derived from the command tree, so it is
 * always up to date.
 */
export function completionScript(program: Command, shell: Shell): string {
  const tree = wordsOf(program, '', globalOptions(program))
  switch (shell) {
    case 'bash':
      return bash(tree)
    case 'zsh':
      return `#compdef portlight\nautoload -U +X bashcompinit && bashcompinit\n${bash(tree)}`
    case 'fish':
      return fish(tree)
  }
}

function globalOptions(program: Command): readonly string[] {
  return program.options.flatMap((option) => option.long ?? [])
}

function wordsOf(command: Command, path: string, globals: readonly string[]): Words[] {
  const own = path === '' ? [] : command.options.flatMap((option) => option.long ?? [])
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
  const settings = command.registeredArguments.some((argument) => argument.name() === 'setting') ? SETTING_NAMES : []
  const children = command.commands.map((child) => child.name())
  return [
    { path, words: [...children, ...choices, ...settings, ...own, ...globals, '--help'] },
    ...command.commands.flatMap((child) => wordsOf(child, `${path} ${child.name()}`.trim(), globals)),
  ]
}

/** Follows the words before the cursor down the tree as long as they are commands. */
function bash(tree: readonly Words[]): string {
  const cases = tree.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`)
  const paths = tree.map(({ path }) => `'${path}'`).join('|')
  return `_portlight() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' words='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${path:+$path }$word" in
      ${paths}) path="\${path:+$path }$word" ;;
    esac
  done
  case $path in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _portlight portlight ./portlight
`
}

function fish(tree: readonly Words[]): string {
  const lines = tree.flatMap(({ path, words }) => {
    const depth = path === '' ? 0 : path.split(' ').length
    const seen = path.split(' ').filter((word) => word !== '')
    const conditions = [
      `test (count (__portlight_commands)) -eq ${depth}`,
      ...seen.map((word) => `__fish_seen_subcommand_from ${word}`),
    ]
    return words.map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      return `complete -c portlight -n '${conditions.join('; and ')}' ${what}`
    })
  })
  const commands = [...new Set(tree.flatMap(({ path }) => path.split(' ')))].filter((word) => word !== '')
  return `function __portlight_commands
  for word in (commandline -opc)[2..-1]
    contains -- $word ${commands.join(' ')}; and echo $word
  end
end
${lines.join('\n')}
`
}
