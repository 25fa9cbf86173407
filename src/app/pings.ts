import { createPinger, type PingMethod } from '@portlight/icmp/echo.ts'

const WORDS: Readonly<Record<PingMethod, string | null>> = {
  raw: 'sent from a raw socket',
  datagram: 'sent without privileges',
  fping: 'sent by fping, a process for many addresses',
  ping: 'sent by ping, a process for each address',
  unavailable: null,
}

/** How processes of this user send echo requests of IPv4, in words; null: they cannot. */
export async function checkPings(): Promise<string | null> {
  const pinger = await createPinger()
  const { method } = pinger
  pinger.close()
  return WORDS[method[4]]
}
