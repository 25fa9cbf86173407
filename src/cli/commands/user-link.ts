import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { say } from '../output.ts'

/** `portlight user link|unlink`: accounts at the OpenID Connect provider. */
export function registerUserLinks(user: Command, load: LoadComposition): void {
  const act = actWith(load)
  user
    .command('link')
    .description('allow an account at the OpenID Connect provider to sign in as a user')
    .argument('<name>', 'name or id of the user')
    .argument('<subject>', 'claim sub of the account, shown when its sign-in is refused')
    .option('--issuer <url>', 'claim iss of the account (default: setting auth.oidc.issuer)')
    .action(async (name: string, subject: string, options: { issuer?: string }, command: Command) => {
      await act(command, ({ services }) => services.admin.link(SYSTEM, name, subject, options.issuer ?? null))
      say(`${name} linked to ${subject}`)
    })
  user
    .command('unlink')
    .description('remove the links of a user to accounts at OpenID Connect providers, and end its sessions')
    .argument('<name>', 'name or id of the user')
    .action(async (name: string, _options: unknown, command: Command) => {
      const gone = await act(command, ({ services }) => services.admin.unlink(SYSTEM, name))
      say(`removed from ${name}: ${gone}`)
    })
}
