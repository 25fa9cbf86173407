import { readdir } from 'node:fs/promises'

/** The checks of the Monitoring Plugins project (monitoring-plugins.org), without `check_`. */
const STANDARD =
  'apt breeze by_ssh clamd cluster dbi dhcp dig disk disk_smb dns dummy file_age flexlm fping ftp game hpjd http icmp ' +
  'ide_smart ifoperstatus ifstatus imap ircd jabber ldap ldaps load log mailq mrtg mrtgtraf mysql mysql_query nagios ' +
  'nntp nntps nt ntp ntp_peer ntp_time nwstat oracle overcr pgsql ping pop procs radius real rpc rta_multi sensors ' +
  'simap smtp snmp spop ssh ssmtp swap tcp time udp ups uptime users wave'

/** A type names the program `check_TYPE`: letters, digits, `_`, `.` and `-`, not beginning with `.` or `-`. */
const TYPE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/

/** Whether the text is a valid service type, installed or not. */
export function isServiceType(text: string): boolean {
  return TYPE.test(text)
}

/**
 * Service types, sorted: the standard checks, installed or not, and files `check_NAME` in the folder of setting
 * `nagios_plugins`. An unreadable folder adds none.
 */
export async function serviceTypes(folder: string): Promise<string[]> {
  const installed = await readdir(folder).catch(() => [])
  const own = installed
    .filter((name) => name.startsWith('check_'))
    .map((name) => name.slice('check_'.length))
    .filter(isServiceType)
  return [...new Set([...STANDARD.split(' '), ...own])].sort()
}
