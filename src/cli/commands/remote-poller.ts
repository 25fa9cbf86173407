import type { Command } from 'commander'
import { pollerKey } from '../../core/pollers/remote/link/site-folder.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { settingsOf } from '../globals.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight remote-poller key|add|list|refused|remove`. */
export function registerRemotePoller(program: Command, load: LoadComposition): void {
  const group = program.command('remote-poller').description('pollers at sites that cannot reach the database')
  const act = actWith(load)

  group
    .command('key')
    .description("at the site: print the public key of this data folder's poller; creates a key pair if there is none")
    .action((_options: unknown, command: Command) => {
      print(pollerKey(settingsOf(command).dataDir).publicText)
    })
  group
    .command('add')
    .description(
      'at the centre: let a remote poller poll the devices of a poller group; prints the settings that it needs',
    )
    .argument('<name>', 'setting poller.name of the remote poller')
    .requiredOption('--key <key>', 'public key that `portlight remote-poller key` printed at the site')
    .requiredOption('--group <group>', 'name or id of a poller group; from then on only this poller polls its devices')
    .option('--domain <domain>', "JetStream domain of the site's NATS server", '')
    .action(async (name: string, options: { key: string; group: string; domain: string }, command: Command) => {
      const { key, nats } = await act(command, async ({ services, settings }) => {
        await services.remotePollers.add({ name, ...options })
        return { key: await services.remotePollers.centreKey(), nats: settings.get('nats.url') }
      })
      print(`remote poller ${name} added; at the site set poller.name = "${name}" and poller.centre_key = "${key}"`)
      if (nats.length === 0)
        say('setting nats.url is not set here: nothing reaches the centre until it names the NATS server')
    })
  group
    .command('list')
    .description('list remote pollers, how far they lag, and how much is waiting at their sites')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const pollers = await act(command, ({ services }) => services.remotePollers.list())
      if (options.json === true) return printJson(pollers)
      printTable(
        ['NAME', 'GROUP', 'DEVICES', 'ANSWERS', 'LAG S', 'WAITING', 'WAITING MB', 'STORED', 'MISSING', 'REFUSED'],
        pollers.map(({ name, group_name, devices, report, stored, missing, refused }) => [
          name,
          group_name,
          devices,
          report === null ? '' : report.answers ? 'yes' : 'no',
          report === null ? '' : Math.round(report.lagS),
          report?.waiting ?? '',
          report === null ? '' : (report.waitingOctets / 1e6).toFixed(1),
          stored,
          missing,
          refused,
        ]),
      )
    })
  group
    .command('refused')
    .description('list the most recent messages of a remote poller that were refused')
    .argument('<name>', 'remote poller')
    .action(async (name: string, _options: unknown, command: Command) => {
      const refusals = await act(command, ({ services }) => services.remotePollers.refusals(name))
      printTable(
        ['AT', 'REASON', 'POSITION', 'OCTETS'],
        refusals.map((r) => [r.refused_at.toISOString(), r.reason, r.position, r.octets]),
      )
    })
  addYes(group.command('remove'))
    .description('remove a remote poller; the centre polls its devices from then on')
    .argument('<name>', 'remote poller')
    .action(async (name: string, options: ConfirmOptions, command: Command) => {
      await confirm(`remove remote poller ${name}`, options)
      await act(command, ({ services }) => services.remotePollers.remove(name))
      say(`remote poller ${name} removed`)
    })
}
