import type { Session } from '@portlight/snmp/session.ts'
import type { Varbind } from '@portlight/snmp/value.ts'
import type { Command } from 'commander'
import { print, say } from './output.ts'
import { addSessionOptions, type SnmpOptions, withSession } from './snmp.ts'

/** Recorded subtrees: internet objects and those of IEEE 802 (LLDP). */
const ROOTS = ['1.0.8802', '1.3.6.1']
/** Objects after which a recording is truncated. */
const MAX_OBJECTS = 500_000

/** `portlight device record HOST`: records everything an agent reports, for replay. */
export function registerRecord(device: Command): void {
  addSessionOptions(device.command('record'))
    .description(
      'record everything an agent reports as .snmprec on stdout, with addresses, names and serial numbers scrubbed',
    )
    .argument('<host>', 'name, IPv4 or IPv6 address; need not be a monitored device')
    .option('--raw', 'keep addresses, names and serial numbers; credentials are always removed')
    .action((host: string, options: SnmpOptions & { readonly raw?: boolean }) =>
      withSession(host, options, (session) => record(session, options.raw === true)),
    )
}

async function record(session: Session, raw: boolean): Promise<void> {
  const found: Varbind[] = []
  for (const root of ROOTS) {
    const outcome = await session.walkColumn(root, { maxRows: MAX_OBJECTS })
    if (outcome.kind === 'unsupported') continue
    for (const [index, value] of outcome.cells) found.push({ oid: `${root}.${index}`, value })
    if (outcome.kind === 'truncated') say(`portlight: truncated below ${root}: ${outcome.reason}`)
  }
  const [{ scrub, withoutSecrets }, { snmprecLine }] = await Promise.all([
    import('@portlight/snmp/scrub.ts'),
    import('@portlight/snmp/snmprec.ts'),
  ])
  const lines = (raw ? withoutSecrets(found) : scrub(found)).map(snmprecLine).filter((line) => line !== null)
  for (const line of lines) print(line)
  say(`portlight: ${lines.length} objects recorded${raw ? '' : ', scrubbed: review the file before you share it'}`)
}
