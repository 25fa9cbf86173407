import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Act, actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import type { AddOptions } from '../device-request.ts'
import { usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { jsonText, print, printJson, printTable, say } from '../output.ts'
import { registerRecord } from '../record.ts'

/**
 * `portlight device add|list|show|discover|poll|set|delete|explain|record`. Devices are given by hostname, id or address.
 */
export function registerDevice(program: Command, load: LoadComposition): void {
  const device = program.command('device').description('monitored devices')
  registerRecord(device)
  const act = actWith(load)

  registerAdd(device, act)
  device
    .command('list')
    .description('list devices')
    .option('--json', 'print the complete records as JSON; secrets are masked')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { SYSTEM } = await import('../../core/base/actor.ts')
      const { json } = await act(command, ({ services }) =>
        services.devices.listJson(SYSTEM, { kind: 'all' }, { column: 'hostname', descending: false }),
      )
      const { deviceTable, withoutListedSecrets } = await import('../device-report.ts')
      if (options.json === true) return print(jsonText(withoutListedSecrets(json)))
      const { heading, rows } = deviceTable(json)
      printTable(heading, rows)
    })
  device
    .command('show')
    .description('print the record of a device; secrets are masked')
    .argument('<device>', 'hostname, id or address')
    .option('--json', 'print JSON')
    .action(async (ref: string, options: { json?: boolean }, command: Command) => {
      const { SYSTEM } = await import('../../core/base/actor.ts')
      const record = await act(command, ({ services }) => services.devices.get(SYSTEM, ref))
      const { withoutDeviceSecrets } = await import('../device-report.ts')
      const shown = withoutDeviceSecrets(record)
      if (options.json === true) return printJson(shown)
      printTable(['FIELD', 'VALUE'], Object.entries(shown))
    })
  registerRuns(device, act)
  device
    .command('set')
    .description('change a field of a device, as update_device_field of the API does')
    .argument('<device>', 'hostname, id or address')
    .argument('<field>', 'for example snmp_any_source, port_association_mode or notes; a wrong one lists all')
    .argument('<value>', "new value; '' for none; of switches yes or no")
    .action(async (ref: string, field: string, value: string, _options: unknown, command: Command) => {
      const { SYSTEM } = await import('../../core/base/actor.ts')
      const { deviceField } = await import('../device-field.ts')
      const change = deviceField(field, value)
      await act(command, ({ services }) => services.devices.update(SYSTEM, ref, [change]))
      say(`${field} of ${ref} has been changed`)
    })
  device
    .command('rename')
    .description('change the name or address by which a device is known; its data stays')
    .argument('<device>', 'hostname, id or address')
    .argument('<hostname>', 'new name, IPv4 or IPv6 address')
    .action(async (ref: string, hostname: string, _options: unknown, command: Command) => {
      const { SYSTEM } = await import('../../core/base/actor.ts')
      await act(command, ({ services }) => services.devices.rename(SYSTEM, ref, hostname))
      say(`${ref} is now ${hostname}`)
    })
  addYes(device.command('delete'))
    .description('stop monitoring a device and delete all its data')
    .argument('<device>', 'hostname, id or address')
    .action(async (ref: string, options: ConfirmOptions, command: Command) => {
      const { SYSTEM } = await import('../../core/base/actor.ts')
      const record = await act(command, async ({ services }) => {
        const { hostname, device_id } = await services.devices.require(SYSTEM, ref)
        await confirm(`delete device ${hostname} (id ${device_id}) with all its data`, options)
        return await services.devices.delete(SYSTEM, String(device_id))
      })
      say(`device ${record.hostname} (id ${record.device_id}) deleted`)
    })
  registerExplain(device, act)
}

function registerAdd(device: Command, act: Act): void {
  addOptions(device.command('add'))
    .description('identify a device by SNMP and start monitoring it')
    .argument('[host]', 'name, IPv4 or IPv6 address')
    .option(
      '--file <list>',
      'add the devices of a list, one name or address a line, with the same options; - for stdin; exit code 1 if one could not be added',
    )
    .action(async (host: string | undefined, options: AddOptions & { file?: string }, command: Command) => {
      if ((host === undefined) === (options.file === undefined)) throw usage('give either a host or --file')
      const { addList, addSaying } = await import('../add-devices.ts')
      if (host === undefined) {
        const { readTextFile } = await import('../json-file.ts')
        const text = await readTextFile(options.file ?? '-')
        const report = await act(command, (context) => addList(context, text, options))
        const { added, present, failed } = report
        if (failed > 0) process.exitCode = 1
        if (options.json === true) return printJson(report)
        return say(`${added} added, ${present} already present, ${failed} failed`)
      }
      const { newDevice, withGroup } = await import('../device-request.ts')
      const record = await act(command, async (context) =>
        addSaying(context, newDevice(host, await withGroup(context.services, options))),
      )
      if (options.json === true) return printJson(record)
      say(`device ${record.hostname} added with id ${record.device_id}; a running server will discover it`)
    })
}

/** `discover` and `poll`, which print what each module did. */
function registerRuns(device: Command, act: Act): void {
  for (const verb of ['discover', 'poll'] as const) {
    device
      .command(verb)
      .description(verb === 'discover' ? 'run discovery of a device now' : 'poll a device now')
      .argument('<device>', 'hostname, id or address')
      .option('--json', 'print JSON')
      .action(async (ref: string, options: { json?: boolean }, command: Command) => {
        const [{ SYSTEM }, { failureText }] = await Promise.all([
          import('../../core/base/actor.ts'),
          import('@portlight/snmp/failure.ts'),
        ])
        const summary = await act(command, ({ services: { devices } }) =>
          verb === 'discover' ? devices.discoverNow(SYSTEM, ref) : devices.pollNow(SYSTEM, ref),
        )
        if (summary.outcome !== 'ok' && summary.outcome !== 'partial') process.exitCode = 1
        if (options.json === true) return printJson(summary)
        printTable(
          ['MODULE', 'ROWS', 'REQUESTS', 'MS', 'NOTE'],
          summary.modules.map((m) => [m.name, m.rows, m.requests, Math.round(m.tookMs), m.note]),
        )
        const { outcome, tookMs, failure } = summary
        const why = failure === null ? '' : `: ${failureText(failure)}`
        say(`${ref}: ${outcome} in ${Math.round(tookMs)} ms${why}`)
      })
  }
}

function registerExplain(device: Command, act: Act): void {
  device
    .command('explain')
    .description(
      'explain the state of a device; contacts it by ICMP and SNMP. Of an address that is not monitored: what answers there, and what to check; exit code 1',
    )
    .argument('<device>', 'hostname, id, address, sysName or display name')
    .option('--json', 'print JSON')
    .action(async (ref: string, options: { json?: boolean }, command: Command) => {
      const [{ SYSTEM }, { COMMAND_WORDS, addressText, stepText }] = await Promise.all([
        import('../../core/base/actor.ts'),
        import('../address-report.ts'),
      ])
      const { askedLine } = await import('../asked-line.ts')
      await act(command, async ({ services: { devices } }) => {
        const found = (await devices.find(SYSTEM, ref)) ?? (await devices.alsoNamed(SYSTEM, ref))
        if (found === null && !/^\d+$/.test(ref)) {
          process.exitCode = 1
          const report = askedLine((one) => say(stepText(one)))
          const explained = await devices.explainAddress(SYSTEM, ref, report, COMMAND_WORDS)
          return options.json === true ? printJson(explained) : print(addressText(explained))
        }
        const explanation = await devices.explain(SYSTEM, found === null ? ref : String(found.device_id), {
          userName: true,
        })
        if (options.json === true) return printJson(explanation)
        const { explanationText } = await import('../device-report.ts')
        print(explanationText(explanation))
      })
    })
}

/** Parses an SNMP version, also as net-snmp names it: `2c`. */
function snmpVersion(text: string): string {
  const version = /^v?(1|2c|3)$/i.exec(text)?.[1]
  if (version === undefined) throw new InvalidArgumentError('Allowed choices are v1, v2c, v3.')
  return `v${version.toLowerCase()}`
}

function addOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--snmp-version <version>', 'SNMP version (default: try those of snmp.version)')
        .choices(['v1', 'v2c', 'v3'])
        .argParser(snmpVersion),
    )
    .option('--community <text>', 'community of v1 and v2c (default: try those of snmp.community)')
    .option('--snmp-port <number>', 'UDP port of the agent (default: setting snmp.port)', positive)
    .option('--transport <name>', 'transport: udp or udp6')
    .option(
      '--auth-level <level>',
      'SNMPv3 security level: noAuthNoPriv, authNoPriv or authPriv (default: derived from the passwords)',
    )
    .option('--auth-name <name>', 'SNMPv3 user')
    .option('--auth-pass <password>', 'SNMPv3 authentication password')
    .option('--auth-algo <name>', 'SNMPv3 authentication protocol: MD5, SHA, SHA-224, SHA-256, SHA-384 or SHA-512')
    .option('--crypto-pass <password>', 'SNMPv3 privacy password')
    .option('--crypto-algo <name>', 'SNMPv3 privacy protocol: DES, AES, AES-192, AES-256, AES-192-C or AES-256-C')
    .option('--any-source', 'accept answers from another address or port than the agent is asked at')
    .option('--only', 'try only the given credentials, not those of snmp.community and snmp.v3')
    .option('--force', 'add the device without contacting it')
    .option('--ping-only', 'monitor the device by ICMP only')
    .option('--ping-fallback', 'monitor the device by ICMP only if it does not answer SNMP')
    .option('--os <name>', 'operating system of a device monitored by ICMP only')
    .option('--sysname <name>', 'system name of a device monitored by ICMP only')
    .option('--hardware <text>', 'hardware of a device monitored by ICMP only')
    .option('--display <template>', 'display name, for example {{ $sysName }}')
    .option('--address <ip>', 'address to use instead of the name')
    .option('--location <name>', 'location')
    .option('--poller-group <group>', 'poller group: its name or id')
    .addOption(
      new Option('--port-association <mode>', 'how ports are matched between discoveries').choices([
        'ifIndex',
        'ifName',
        'ifDescr',
        'ifAlias',
      ]),
    )
    .option('--json', 'print JSON')
}
