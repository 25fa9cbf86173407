import type { Command } from 'commander'
import type { Session } from '../snmp/session.ts'
import type { Varbind } from '../snmp/value.ts'
import { print, say } from './output.ts'
import { addSessionOptions, type SnmpOptions, withSession } from './snmp.ts'

/** Everything below these: the internet's objects and those of IEEE 802.1 (LLDP). */
const ROOTS = ['1.0.8802', '1.3.6.1']
/** Objects after which a recording is cut. */
const MOST = 500_000

/** `portlight device record HOST`: all that an agent says, as a recording to be replayed. */
export function registerRecord(device: Command): void {
  addSessionOptions(device.command('record'))
    .description(
      'capture what an agent says as a .snmprec recording on stdout, scrubbed of addresses, names and serials',
    )
    .argument('<host>', 'name, IPv4 or IPv6 address; need not be a device that is watched')
    .option('--raw', 'leave addresses, names and serials as they are; credentials go in any case')
    .action((host: string, options: SnmpOptions & { readonly raw?: boolean }) =>
      withSession(host, options, (session) => record(session, options.raw === true)),
    )
}

async function record(session: Session, raw: boolean): Promise<void> {
  const found: Varbind[] = []
  for (const root of ROOTS) {
    const outcome = await session.walkColumn(root, { maxRows: MOST })
    if (outcome.kind === 'unsupported') continue
    for (const [index, value] of outcome.cells) found.push({ oid: `${root}.${index}`, value })
    if (outcome.kind === 'truncated') say(`portlight: cut short below ${root}: ${outcome.reason}`)
  }
  const [{ scrub, withoutSecrets }, { snmprecLine }] = await Promise.all([
    import('../snmp/scrub.ts'),
    import('../snmp/snmprec.ts'),
  ])
  const lines = (raw ? withoutSecrets(found) : scrub(found)).map(snmprecLine).filter((line) => line !== null)
  for (const line of lines) print(line)
  say(`portlight: ${lines.length} objects recorded${raw ? '' : ', scrubbed: read it once before you hand it on'}`)
}
