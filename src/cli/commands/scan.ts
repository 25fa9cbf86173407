import type { Command } from 'commander'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import type { ScanOptions } from '../scan.ts'

/** `portlight scan`. */
export function registerScan(program: Command, load: LoadComposition): void {
  program
    .command('scan')
    .description('look for devices in networks: asks every address by ping and SNMP')
    .argument(
      '[network...]',
      'networks such as 10.20.0.0/16, or addresses, inside of setting nets; default: all of nets',
    )
    .option('--json', 'print one JSON object for each address that answered, on a line of its own')
    .option('--all', 'also print addresses that did not answer')
    .option('--rate <n>', 'datagrams per second at most (default: as the settings say)', positive)
    .option('--group <group>', 'poller group of the devices: its name or id (default: as the settings say)')
    .option('--ping-only', 'ask by ping only, not by SNMP')
    .option('--no-ping', 'ask by SNMP only, not by ping')
    .option('--large', 'allow IPv4 networks larger than a /16')
    .action(async (networks: string[], options: ScanOptions, command: Command) => {
      if (options.pingOnly === true && !options.ping) throw usage('give either --ping-only or --no-ping')
      const [{ withServices }, { scanHere }] = await Promise.all([import('../open.ts'), import('../scan.ts')])
      await withServices(command, load, (context) => scanHere(context, load, networks, options))
    })
}
