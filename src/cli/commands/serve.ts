import type { Command } from 'commander'
import type { LoadComposition } from '../app.ts'

/** `portlight serve`. */
export function registerServe(program: Command, load: LoadComposition): void {
  program
    .command('serve')
    .description('run the monitor: database, pollers and API; works without any settings')
    .option(
      '--role <roles>',
      'what this process does: all, remote-poller, or one or more of api, poller and ingest (setting role)',
    )
    .option('--listen <address>', 'address of the API (setting listen)')
    .option('--port <number>', 'port of the API (setting port)')
    .option(
      '--database-listen <host:port>',
      'let the embedded database also listen at this address, for example for Grafana',
    )
    .option('--demo', 'also monitor a simulated fleet')
    .action(async (_options: unknown, command: Command) => {
      const { serve } = await import('../serve.ts')
      process.exitCode = await serve(command, load)
    })
}
