import type { BuiltinOption, CheckListState } from '../../../core/checks/check-list.ts'
import type { Tone } from '../../components/icon.tsx'

export const STATE_WORDS: Readonly<Record<CheckListState, readonly [Tone, string]>> = {
  critical: ['bad', 'Critical'],
  warning: ['warn', 'Warning'],
  unknown: ['off', 'Unknown'],
  fine: ['ok', 'OK'],
  held: ['off', 'Device down'],
  disabled: ['off', 'Disabled'],
}

/** What each built-in check measures. */
const CHECKS: Readonly<Record<string, string>> = {
  icmp: 'Round-trip time and loss of pings',
  ping: 'Round-trip time and loss of pings',
  tcp: 'Whether a TCP port answers, and with what',
  http: 'Status, content and response time of a web page',
  https: 'Status, content and response time of a web page over TLS, and the days until its certificate expires',
  dns: 'Whether a name server answers a query, and with what',
  ssh: 'Whether an SSH server sends its banner',
  smtp: 'Whether a mail server sends its greeting',
  ssmtp: 'Whether a mail server sends its greeting, over TLS',
  imap: 'Whether an IMAP server sends its greeting',
  simap: 'Whether an IMAP server sends its greeting, over TLS',
  pop: 'Whether a POP3 server sends its greeting',
  spop: 'Whether a POP3 server sends its greeting, over TLS',
  ntp: 'Offset and stratum of a time server',
  ntp_time: 'Offset and stratum of a time server',
  snmp: 'A value that the device reports over SNMP',
  portlight: 'The state of a Portlight server: polls, buffer, disk, database, certificate and more',
}

export const checkWords = (type: string): string => CHECKS[type] ?? 'The built-in check of this name'

const COMMON: Readonly<Record<string, string>> = {
  warning: 'range outside which the state is warning, in seconds',
  critical: 'range outside which the state is critical, in seconds',
  timeout: 'seconds to wait; default 10',
  ipv4: 'IPv4 only',
  ipv6: 'IPv6 only',
  port: 'port',
  tls: 'use TLS',
  sni: 'send the name of -H in the TLS handshake (always done)',
  days: 'days until the certificate expires, for warning and critical: 30,7',
  serverName: 'name to send in the TLS handshake',
  verify: 'critical if the certificate is not signed by a CA that the system trusts',
  expect: 'text that the answer must contain',
}

const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  icmp: {
    warning: 'milliseconds and loss for warning: 200,40%',
    critical: 'milliseconds and loss for critical: 500,80%',
    count: 'number of pings; default 5',
  },
  tcp: {
    port: 'port, required',
    send: 'text to send',
    escape: 'interpret \\r, \\n and \\t in the texts as control characters',
    all: 'all expected texts must be received, not just one',
  },
  http: {
    host: 'name of the site',
    path: 'path; default /',
    method: 'GET, HEAD or OPTIONS',
    header: 'a header: NAME: VALUE',
    authorization: 'user:password',
    expect: 'expected status: 200 or 200,204',
    contains: 'text that the page must contain',
    redirect: 'how to treat a redirect: ok, warning, critical or follow',
  },
  dns: {
    name: 'name to look up, required',
    record: 'A, AAAA, MX, NS, CNAME, SOA, PTR or TXT',
    expect: 'expected answer',
    authoritative: 'the answer must be authoritative',
  },
  ntp: {
    warning: 'offset in seconds for warning; default 60',
    critical: 'offset in seconds for critical; default 120',
    quiet: 'accepted for compatibility with the plugin, no effect',
  },
  snmp: {
    warning: 'range outside which the state is warning',
    critical: 'range outside which the state is critical',
    oid: 'numeric OID including the instance, required',
    label: 'name of the value',
    unit: 'unit of the value',
    expect: 'expected text, exactly',
    community: "community; default: the device's credentials",
    version: '1 or 2c',
  },
  portlight: {
    port: 'port; default 8000',
    tls: 'use HTTPS',
    part: 'one part: poller, buffer, disk, database, rollups, notifications, certificate, clock or backup; default all',
  },
  smtp: { tls: 'use STARTTLS', expect: 'text that the greeting must contain' },
}
const LIKE: Readonly<Record<string, string>> = { ping: 'icmp', https: 'http', ntp_time: 'ntp', ssmtp: 'smtp' }

/** What an option of a built-in check does; undefined if there is no description. */
export function optionWords(type: string, { name }: Pick<BuiltinOption, 'name'>): string | undefined {
  return OWN[LIKE[type] ?? type]?.[name] ?? COMMON[name]
}
