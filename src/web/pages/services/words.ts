import type { BoardState, BuiltinOption } from '../../../domain/host-services/board.ts'
import type { Tone } from '../../components/icon.tsx'

export const STATE_WORDS: Readonly<Record<BoardState, readonly [Tone, string]>> = {
  critical: ['bad', 'Critical'],
  warning: ['warn', 'Warning'],
  unknown: ['off', 'Unknown'],
  fine: ['ok', 'Fine'],
  held: ['off', 'Device down'],
  disabled: ['off', 'Disabled'],
}

/** What each built-in check measures. */
const CHECKS: Readonly<Record<string, string>> = {
  icmp: 'Round-trip time and loss of pings',
  ping: 'Round-trip time and loss of pings',
  tcp: 'Whether a TCP port answers, and with what',
  http: 'Status, content and time of a web page',
  https: 'Status, content and time of a web page over TLS, and the days its certificate has left',
  dns: 'Whether a name server answers a question, and with what',
  ssh: 'Whether an SSH server greets',
  smtp: 'Whether a mail server greets',
  ssmtp: 'Whether a mail server greets, over TLS',
  imap: 'Whether an IMAP server greets',
  simap: 'Whether an IMAP server greets, over TLS',
  pop: 'Whether a POP3 server greets',
  spop: 'Whether a POP3 server greets, over TLS',
  ntp: 'Offset and stratum of a time server',
  ntp_time: 'Offset and stratum of a time server',
  snmp: 'A value that the device gives by SNMP',
  portlight: 'The state of a Portlight: polls, buffer, disk, database, certificate and more',
}

export const checkWords = (type: string): string => CHECKS[type] ?? 'By the built-in check of this name'

const COMMON: Readonly<Record<string, string>> = {
  warning: 'range outside which the state is warning, in seconds',
  critical: 'range outside which the state is critical, in seconds',
  timeout: 'seconds to wait, 10 if not given',
  ipv4: 'only IPv4',
  ipv6: 'only IPv6',
  port: 'port',
  tls: 'use TLS',
  sni: 'send the name of -H in the TLS handshake (always done)',
  days: 'warning and critical days that the certificate has left: 30,7',
  serverName: 'name to send in the TLS handshake',
  verify: 'critical if no authority of the system vouches for the certificate',
  expect: 'text that must be in the answer',
}

const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  icmp: {
    warning: 'milliseconds and loss for warning: 200,40%',
    critical: 'milliseconds and loss for critical: 500,80%',
    count: 'number of pings, 5 if not given',
  },
  tcp: {
    port: 'port, required',
    send: 'text to send',
    escape: 'read \\r, \\n and \\t in the texts as control characters',
    all: 'all expected texts must come, not only one',
  },
  http: {
    host: 'name of the site',
    path: 'path, / if not given',
    method: 'GET, HEAD or OPTIONS',
    header: 'a header: NAME: VALUE',
    authorization: 'user:password',
    expect: 'status that is right: 200 or 200,204',
    contains: 'text that must be on the page',
    redirect: 'what a redirection is: ok, warning, critical or follow',
  },
  dns: {
    name: 'name to look up, required',
    record: 'A, AAAA, MX, NS, CNAME, SOA, PTR or TXT',
    expect: 'answer that is right',
    authoritative: 'the answer must be authoritative',
  },
  ntp: {
    warning: 'offset in seconds for warning, 60 if not given',
    critical: 'offset in seconds for critical, 120 if not given',
    quiet: 'accepted for the plugin’s sake, without effect',
  },
  snmp: {
    warning: 'range outside which the value is a warning',
    critical: 'range outside which the value is critical',
    oid: 'OID as numbers with its instance, required',
    label: 'name of the value',
    unit: 'unit of the value',
    expect: 'exact text that is right',
    community: 'community; without it the credentials of the device',
    version: '1 or 2c',
  },
  portlight: {
    port: 'port, 8000 if not given',
    tls: 'use HTTPS',
    part: 'one part: poller, buffer, disk, database, rollups, notifications, certificate, clock or backup; all if not given',
  },
  smtp: { tls: 'STARTTLS', expect: 'text that the greeting must have' },
}
const LIKE: Readonly<Record<string, string>> = { ping: 'icmp', https: 'http', ntp_time: 'ntp', ssmtp: 'smtp' }

/** What an option of a built-in check does; undefined: nobody has written it. */
export function optionWords(type: string, { name }: Pick<BuiltinOption, 'name'>): string | undefined {
  return OWN[LIKE[type] ?? type]?.[name] ?? COMMON[name]
}
