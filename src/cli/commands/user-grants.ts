import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { CliError } from '../errors.ts'
import { printJson, printTable, say } from '../output.ts'

/** `portlight user grant|revoke|grants`: what users with role `user` can see. */
export function registerUserGrants(user: Command, load: LoadComposition): void {
  const act = actWith(load)
  for (const verb of ['grant', 'revoke'] as const) {
    user
      .command(verb)
      .description(verb === 'grant' ? 'allow a user with role user to see objects' : 'revoke grants of a user')
      .argument('<name>', 'name or id of the user')
      .option('--device <devices...>', 'hostnames or ids; includes their ports')
      .option('--device-group <groups...>', 'names or ids of device groups; includes their devices')
      .option('--location <locations...>', 'names or ids of locations; includes the devices there')
      .option('--port <ids...>', 'ids of ports')
      .option('--bill <bills...>', 'names or ids of bills')
      .action(async (name: string, options: GrantOptions, command: Command) => {
        const refs = {
          deviceIds: options.device ?? [],
          deviceGroupIds: options.deviceGroup ?? [],
          locationIds: options.location ?? [],
          portIds: options.port ?? [],
          billIds: options.bill ?? [],
        }
        const named = Object.values(refs).flat().length
        if (named === 0)
          throw new CliError('give at least one --device, --device-group, --location, --port or --bill', 2)
        const { gone, devices } = await act(command, async ({ services: { admin, users } }) => {
          const gone = verb === 'revoke' ? await admin.revokeAll(SYSTEM, name, refs) : null
          if (gone === null) await admin.grantAll(SYSTEM, name, refs)
          return { gone, devices: await users.reach(name) }
        })
        const sees = `sees ${devices} ${devices === 1 ? 'device' : 'devices'} now`
        const count = gone ?? named
        const grants = `${count} ${count === 1 ? 'grant' : 'grants'}`
        say(`${name} ${gone === null ? 'was given' : 'lost'} ${grants} and ${sees}`)
      })
  }
  user
    .command('grants')
    .description('list the grants of a user')
    .argument('<name>', 'name or id of the user')
    .option('--json', 'print JSON')
    .action(async (name: string, options: { json?: boolean }, command: Command) => {
      const grants = await act(command, ({ services }) => services.users.grants(name))
      if (options.json === true) return printJson(grants)
      printTable(
        ['KIND', 'ID', 'NAME', 'DEVICES'],
        grants.map((grant) => [grant.kind.replace('_', ' '), grant.id, grant.name, grant.devices]),
      )
    })
}

interface GrantOptions {
  readonly device?: string[]
  readonly deviceGroup?: string[]
  readonly location?: string[]
  readonly port?: string[]
  readonly bill?: string[]
}
