import type { Command } from 'commander'
import type { LoadComposition } from './app.ts'
import type { CommandContext } from './open.ts'

/** Runs the work of a command with the services, which are opened for it and closed afterwards. */
export type Act = <T>(command: Command, action: (context: CommandContext) => Promise<T>) => Promise<T>

/** Loads what opens the services only when a command runs, so that `--help` and completions stay quick. */
export const actWith =
  (load: LoadComposition): Act =>
  async (command, action) => {
    const { withServices } = await import('./open.ts')
    return await withServices(command, load, action)
  }
