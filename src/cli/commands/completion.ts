import { Argument, type Command } from 'commander'
import { print } from '../output.ts'

/** `portlight completion bash|zsh|fish`. */
export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a completion script: source <(portlight completion bash)')
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: string) => {
      const { completionScript } = await import('../completion.ts')
      print(completionScript(program, shell === 'bash' || shell === 'zsh' ? shell : 'fish').trimEnd())
    })
}
