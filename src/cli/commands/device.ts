import { type Command, Option } from 'commander'
import type { LoadComposition } from '../composition.ts'
import { positive } from '../numbers.ts'
import type { CommandContext } from '../open.ts'
import { print, printJson, printTable, say } from '../output.ts'
import { registerRecord } from '../record.ts'

/** `portlight device add|list|show|discover|poll|delete|explain|record`. Devices are named by hostname, id or address. */
export function registerDevice(program: Command, load: LoadComposition): void {
  const device = program.command('device').description('devices that are watched')
  registerRecord(device)
  const act = async <T>(command: Command, action: (context: CommandContext) => Promise<T>) => {
    const { withServices } = await import('../open.ts')
    return await withServices(command, load, action)
  }

  addOptions(device.command('add'))
    .description('ask a device who it is, and watch it')
    .argument('<host>', 'name, IPv4 or IPv6 address')
    .action(async (host: string, options: AddOptions, command: Command) => {
      const { newDevice } = await import('../device-request.ts')
      const request = newDevice(host, options)
      const { SYSTEM } = await import('../../domain/actor.ts')
      const record = await act(command, ({ services }) => services.devices.add(SYSTEM, request))
      if (options.json === true) return printJson(record)
      say(`device ${record.hostname} added with id ${record.device_id}; discovery follows when a server runs`)
    })
  device
    .command('list')
    .description('list devices')
    .option('--json', 'print JSON: the whole records')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { SYSTEM } = await import('../../domain/actor.ts')
      const { json } = await act(command, ({ services }) =>
        services.devices.listJson(SYSTEM, { kind: 'all' }, { column: 'hostname', descending: false }),
      )
      if (options.json === true) return print(json)
      const { deviceTable } = await import('../device-report.ts')
      const { heading, rows } = deviceTable(json)
      printTable(heading, rows)
    })
  device
    .command('show')
    .description('print the record of a device, secrets masked')
    .argument('<device>', 'hostname, id or address')
    .option('--json', 'print JSON')
    .action(async (ref: string, options: { json?: boolean }, command: Command) => {
      const { SYSTEM } = await import('../../domain/actor.ts')
      const record = await act(command, ({ services }) => services.devices.get(SYSTEM, ref))
      const { withoutDeviceSecrets } = await import('../device-report.ts')
      const shown = withoutDeviceSecrets(record)
      if (options.json === true) return printJson(shown)
      printTable(['FIELD', 'VALUE'], Object.entries(shown))
    })
  for (const verb of ['discover', 'poll'] as const) {
    device
      .command(verb)
      .description(verb === 'discover' ? 'read now what a device has' : 'read the counters of a device now')
      .argument('<device>', 'hostname, id or address')
      .option('--json', 'print JSON')
      .action(async (ref: string, options: { json?: boolean }, command: Command) => {
        const { SYSTEM } = await import('../../domain/actor.ts')
        const summary = await act(command, ({ services: { devices } }) =>
          verb === 'discover' ? devices.discoverNow(SYSTEM, ref) : devices.pollNow(SYSTEM, ref),
        )
        if (summary.outcome !== 'ok' && summary.outcome !== 'partial') process.exitCode = 1
        if (options.json === true) return printJson(summary)
        printTable(
          ['MODULE', 'ROWS', 'REQUESTS', 'MS', 'NOTE'],
          summary.modules.map((m) => [m.name, m.rows, m.requests, Math.round(m.tookMs), m.note]),
        )
        say(`${ref}: ${summary.outcome} in ${Math.round(summary.tookMs)} ms`)
      })
  }
  device
    .command('delete')
    .description('stop watching a device and remove all that is stored of it')
    .argument('<device>', 'hostname, id or address')
    .action(async (ref: string, _options: unknown, command: Command) => {
      const { SYSTEM } = await import('../../domain/actor.ts')
      const record = await act(command, ({ services }) => services.devices.delete(SYSTEM, ref))
      say(`device ${record.hostname} (id ${record.device_id}) deleted`)
    })
  device
    .command('explain')
    .description('say why a device is, or is not, watched: asks it now by ICMP and SNMP')
    .argument('<device>', 'hostname, id or address')
    .option('--json', 'print JSON')
    .action(async (ref: string, options: { json?: boolean }, command: Command) => {
      const { SYSTEM } = await import('../../domain/actor.ts')
      const explanation = await act(command, ({ services }) => services.devices.explain(SYSTEM, ref))
      if (options.json === true) return printJson(explanation)
      const { explanationText } = await import('../device-report.ts')
      print(explanationText(explanation))
    })
}

function addOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--snmp-version <version>', 'SNMP version (default: those of snmp.version in turn)').choices([
        'v1',
        'v2c',
        'v3',
      ]),
    )
    .option('--community <text>', 'community of v1 and v2c (default: those of snmp.community in turn)')
    .option('--snmp-port <number>', 'UDP port of the agent (default: setting snmp.port)', positive)
    .option('--transport <name>', 'udp or udp6')
    .option('--auth-level <level>', 'v3: noAuthNoPriv, authNoPriv or authPriv (default: what the passwords imply)')
    .option('--auth-name <name>', 'v3: user')
    .option('--auth-pass <password>', 'v3: authentication password')
    .option('--auth-algo <name>', 'v3: MD5, SHA, SHA-224, SHA-256, SHA-384 or SHA-512')
    .option('--crypto-pass <password>', 'v3: privacy password')
    .option('--crypto-algo <name>', 'v3: DES, AES, AES-192, AES-256, AES-192-C or AES-256-C')
    .option('--force', 'add it without asking it anything')
    .option('--ping-only', 'watch it by ICMP alone')
    .option('--ping-fallback', 'watch it by ICMP alone if SNMP does not answer')
    .option('--os <name>', 'operating system of a device watched by ICMP alone')
    .option('--sysname <name>', 'system name of a device watched by ICMP alone')
    .option('--hardware <text>', 'hardware of a device watched by ICMP alone')
    .option('--display <template>', 'display name, for example {{ $sysName }}')
    .option('--address <ip>', 'address to use in place of the name')
    .option('--location <name>', 'location')
    .option('--poller-group <id>', 'poller group', Number)
    .addOption(
      new Option('--port-association <mode>', 'how ports are recognised').choices([
        'ifIndex',
        'ifName',
        'ifDescr',
        'ifAlias',
      ]),
    )
    .option('--json', 'print JSON')
}

/** Options of `device add`, as commander names them. */
export interface AddOptions {
  readonly snmpVersion?: string
  readonly community?: string
  readonly snmpPort?: number
  readonly transport?: string
  readonly authLevel?: string
  readonly authName?: string
  readonly authPass?: string
  readonly authAlgo?: string
  readonly cryptoPass?: string
  readonly cryptoAlgo?: string
  readonly force?: boolean
  readonly pingOnly?: boolean
  readonly pingFallback?: boolean
  readonly os?: string
  readonly sysname?: string
  readonly hardware?: string
  readonly display?: string
  readonly address?: string
  readonly location?: string
  readonly pollerGroup?: number
  readonly portAssociation?: string
  readonly json?: boolean
}
