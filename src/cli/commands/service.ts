import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { CliError } from '../errors.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'

const STATUS = ['ok', 'warning', 'critical', 'unknown']

/** `portlight service list|add|watch-self|check`. */
export function registerService(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const service = program.command('service').description('service checks of devices')
  service
    .command('list')
    .description('list services and their state')
    .option('--device <device>', 'only of this device: hostname, id or address')
    .option('--json', 'print JSON')
    .action(async (options: { device?: string; json?: boolean }, command: Command) => {
      const { rows, keys } = await act(command, async ({ services: { devices, hostServices } }) => {
        if (options.device === undefined)
          return { rows: await hostServices.list(SYSTEM, {}), keys: await devices.list(SYSTEM) }
        const device = await devices.require(SYSTEM, options.device)
        return { rows: await hostServices.list(SYSTEM, { deviceId: device.device_id }), keys: [device] }
      })
      if (options.json === true) return printJson(rows)
      const names = new Map(keys.map(({ device_id, hostname }) => [device_id, hostname]))
      printTable(
        ['ID', 'DEVICE', 'TYPE', 'ADDRESS', 'NAME', 'STATE', 'MESSAGE'],
        rows.map((row) => [
          ...[row.service_id, names.get(row.device_id) ?? row.device_id, row.service_type, row.service_ip ?? ''],
          ...[row.service_name || row.service_desc || '', stateOf(row), (row.service_message ?? '').slice(0, 80)],
        ]),
      )
    })
  service
    .command('add')
    .description('add a service check to a device')
    .argument('<device>', 'hostname, id or address')
    .argument('<type>', 'type of the check, such as http or icmp')
    .option('--parameters <text>', 'parameters of the check, such as -p 8080', '')
    .option('--address <ip>', "name or address to check (default: the device's)")
    .option('--name <text>', 'name', '')
    .option('--description <text>', 'description', '')
    .option('--json', 'print JSON')
    .action(async (ref: string, type: string, options: AddServiceOptions, command: Command) => {
      const { id, hostname } = await act(command, async ({ services: { devices, hostServices } }) => {
        const device = await devices.require(SYSTEM, ref)
        const { parameters: param, address: ip, name, description: desc } = options
        const filters = { type, param, ip, name, desc, ignore: 0, disabled: 0 } as const
        return { id: await hostServices.add(SYSTEM, device.device_id, filters), hostname: device.hostname }
      })
      if (options.json === true) return printJson({ service_id: id, hostname })
      say(`service ${id} added to ${hostname}`)
    })
  service
    .command('watch-self')
    .description(
      'let Portlight check itself: add a service for each of its parts, whose alerts are like those of other services',
    )
    .option(
      '--device <device>',
      'device to add them to: hostname, id or address (default: localhost, added if it is missing)',
    )
    .action(async (options: { device?: string }, command: Command) => {
      const [{ withServices }, { watchSelf }, { runningApi }] = await Promise.all([
        import('../open.ts'),
        import('../../core/checks/watch-self.ts'),
        import('../running-server.ts'),
      ])
      const { hostname, added, services, rule } = await withServices(command, load, async ({ services, settings }) => {
        const api = await runningApi(services)
        if (api === null)
          say('no server runs with this database: its address is taken from the settings of this command')
        return await watchSelf({ ...services, settings }, options.device, api)
      })
      if (added) print(`device ${hostname} added, monitored by ICMP only`)
      for (const name of services) print(`added  ${name}`)
      if (rule !== null) print(`added  alert rule ${rule}`)
      if (services.length === 0) print(`device ${hostname} already has all of these services`)
    })
  service
    .command('check')
    .description(
      'check a service now and show what was run and the result; stores nothing; exit code 1 if the state is not ok',
    )
    .argument('<id>', 'id of the service, from service list', positive)
    .option('--json', 'print JSON')
    .action(async (id: number, options: { json?: boolean }, command: Command) => {
      const report = await act(command, async ({ database: { store }, settings }) =>
        (await load()).checkService({ store, settings }, id),
      )
      if (report === null) throw new CliError(`there is no service ${id}`)
      if (report.status !== 0) process.exitCode = 1
      if (options.json === true) return printJson(report)
      print(`ran      ${report.ran}`)
      print(`state    ${STATUS[report.status]}, after ${(report.tookMs / 1000).toFixed(3)} s`)
      print(`message  ${report.message}`)
      for (const { label, value, unit } of report.values)
        print(`value    ${label} = ${value ?? 'unknown'} ${unit}`.trim())
    })
}

interface AddServiceOptions {
  readonly parameters: string
  readonly address?: string
  readonly name: string
  readonly description: string
  readonly json?: boolean
}

function stateOf(row: { readonly service_status: number; readonly service_disabled: number }): string {
  return row.service_disabled === 1 ? 'disabled' : (STATUS[row.service_status] ?? String(row.service_status))
}
