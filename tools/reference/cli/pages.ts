import { buildProgram } from '../../../src/cli/program.ts'
import { commandReference } from './commands.ts'
import { configReference } from './config.ts'
import { metricsReference } from './metrics.ts'
import { transportReference, webhookSchema } from './transports.ts'

/** Every generated page: its path in the project and its text. */
export function referencePages(): { readonly path: string; readonly text: string }[] {
  const program = buildProgram(() => Promise.reject(new Error('no command is run here')))
  return [
    { path: 'docs/reference/config.md', text: configReference() },
    { path: 'docs/reference/transports.md', text: transportReference() },
    { path: 'docs/reference/webhook.schema.json', text: webhookSchema() },
    { path: 'docs/reference/metrics.md', text: metricsReference() },
    { path: 'docs/reference/cli.md', text: commandReference(program) },
  ]
}
