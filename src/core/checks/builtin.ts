import { type OptionSpec, type Options, parseOptions } from './options.ts'
import { type CertificateDays, DNS_RECORDS, type DnsRecord, type IcmpLimits, type Probe } from './probe.ts'
import { parseThresholdRange, type Range } from './range.ts'
import { isSelfPart, SELF_PARTS, type SelfPart } from './self-parts.ts'

/** Default timeout of a built-in check, as in the Monitoring Plugins, ms. */
const TIMEOUT_MS = 10_000

/** A parameter text that a built-in check does not accept, with the reason; `isWrongAnyway`: a plugin would not either. */
class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    reason: string,
    readonly isWrongAnyway = false,
  ) {
    super(reason)
  }
}

const flag = (...names: string[]): OptionSpec => ({ names, value: false })
const value = (...names: string[]): OptionSpec => ({ names, value: true })

const COMMON = {
  warning: value('-w', '--warning'),
  critical: value('-c', '--critical'),
  timeout: value('-t', '--timeout'),
  ipv4: flag('-4', '--use-ipv4'),
  ipv6: flag('-6', '--use-ipv6'),
} as const
const TLS = {
  days: value('-D', '--certificate'),
  serverName: value('--sni'),
  verify: flag('--verify-cert'),
} as const

type Read = Options<string>

interface Declared {
  readonly options: Readonly<Record<string, OptionSpec>>
  make(type: string, read: Read): Probe
}

const ICMP: Declared = {
  options: { ...COMMON, count: value('-n', '-p', '--packets') },
  make: (type, read) => ({
    ...common(type, { ...read, warning: [], critical: [] }),
    kind: 'icmp',
    count: whole(read, 'count', 1, 20) ?? 5,
    limits: [icmpLimits(read, 'warning', '200,40%'), icmpLimits(read, 'critical', '500,80%')],
  }),
}

function stream(
  protocol: 'tcp' | 'ssh' | 'smtp' | 'imap' | 'pop',
  port: number | null,
  tlsPort: number | null,
  own: Readonly<Record<string, OptionSpec>>,
): Declared {
  return {
    options: {
      ...COMMON,
      port: value('-p', '--port'),
      ...(protocol === 'ssh' ? {} : { ...TLS, tls: flag('-S', '--ssl', '--starttls') }),
      ...own,
    },
    make(type, read) {
      const always = tlsPort !== null && tlsPort === port
      const wantsTls = read['tls'] !== undefined || always
      const chosen = whole(read, 'port', 1, 65_535) ?? (wantsTls ? (tlsPort ?? port) : port)
      if (chosen === null) throw new Refusal(`${type} needs -p PORT`)
      const upgrade = protocol === 'smtp' && !always
      const expect = read['expect'] ?? []
      return {
        ...common(type, read),
        ...tlsOf(read, wantsTls ? (upgrade ? 'upgrade' : 'start') : 'none'),
        kind: 'stream',
        protocol,
        port: chosen,
        send: read['send'] === undefined ? null : unescaped(last(read, 'send') ?? '', read['escape'] !== undefined),
        expect: read['escape'] === undefined ? expect : expect.map((text) => unescaped(text, true)),
        all: read['all'] !== undefined,
      }
    },
  }
}

const HTTP: Declared = {
  options: {
    ...COMMON,
    port: value('-p', '--port'),
    host: value('-H', '--hostname', '--vhost'),
    path: value('-u', '--uri', '--url'),
    tls: flag('-S', '--ssl'),
    sni: flag('--sni'),
    days: value('-C', '--certificate'),
    verify: flag('--verify-cert'),
    method: value('-j', '--method'),
    header: value('-k', '--header'),
    authorization: value('-a', '--authorization'),
    expect: value('-e', '--expect'),
    contains: value('-s', '--string'),
    redirect: value('-f', '--onredirect'),
  },
  make(type, read) {
    const tls = type === 'https' || read['tls'] !== undefined || read['days'] !== undefined
    const host = last(read, 'host')
    if (host !== null && !/^[\w.:[\]-]{1,255}$/.test(host)) throw new Refusal(`-H ${host} is not a host name`)
    const path = last(read, 'path') ?? '/'
    if (!/^\/[\x21-\x7e]*$/.test(path)) throw new Refusal('-u must be a path that begins with / and has no blanks')
    const method = last(read, 'method') ?? 'GET'
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) throw new Refusal('-j must be GET, HEAD or OPTIONS')
    const headers = read['header'] ?? []
    for (const header of headers) {
      if (!/^[\w-]{1,100}: ?[\t\x20-\x7e]*$/.test(header)) throw new Refusal('-k must be NAME: VALUE')
    }
    const given = tlsOf({ ...read, serverName: [] }, tls ? 'start' : 'none')
    return {
      ...common(type, read),
      ...given,
      certificate: given.certificate ?? (type === 'https' ? { warning: 30, critical: 7 } : null),
      serverName: host?.replace(/:\d+$/, '') ?? null,
      kind: 'http',
      port: whole(read, 'port', 1, 65_535) ?? (tls ? 443 : 80),
      host,
      method,
      path,
      headers,
      authorization: last(read, 'authorization'),
      expect: (last(read, 'expect') ?? '').split(',').filter((text) => text !== ''),
      contains: last(read, 'contains'),
      redirect: redirectOf(last(read, 'redirect') ?? 'ok'),
    }
  },
}

const DNS: Declared = {
  options: {
    ...COMMON,
    port: value('-p', '--port'),
    name: value('-H', '--hostname', '-l', '--query_address'),
    record: value('-q', '--querytype', '-T', '--record_type'),
    expect: value('-a', '--expected-address'),
    authoritative: flag('-A', '--expect-authority'),
  },
  make(type, read) {
    const name = last(read, 'name')
    if (name === null) throw new Refusal('dns needs -H NAME, the name to look up')
    if (!isDnsName(name)) throw new Refusal(`-H ${name} is not a domain name`)
    const record = (last(read, 'record') ?? 'A').toUpperCase()
    if (!isRecord(record)) throw new Refusal(`-q must be one of ${Object.keys(DNS_RECORDS).join(', ')}`)
    return {
      ...common(type, read),
      kind: 'dns',
      port: whole(read, 'port', 1, 65_535) ?? 53,
      name,
      record,
      expect: (read['expect'] ?? []).flatMap((text) => text.split(',')).filter((text) => text !== ''),
      authoritative: read['authoritative'] !== undefined,
    }
  },
}

const NTP: Declared = {
  options: { ...COMMON, port: value('-p', '--port'), quiet: flag('-q', '--quiet') },
  make(type, read) {
    const base = common(type, read)
    return {
      ...base,
      warning: base.warning ?? parseThresholdRange('60'),
      critical: base.critical ?? parseThresholdRange('120'),
      kind: 'ntp',
      port: whole(read, 'port', 1, 65_535) ?? 123,
    }
  },
}

const SNMP: Declared = {
  options: {
    ...COMMON,
    oid: value('-o', '--oid'),
    label: value('-l', '--label'),
    unit: value('-u', '--units'),
    expect: value('-s', '--string'),
    community: value('-C', '--community'),
    version: value('-P', '--protocol'),
    port: value('-p', '--port'),
  },
  make(type, read) {
    const oid = (last(read, 'oid') ?? '').replace(/^\./, '')
    if (!/^[0-2](\.\d{1,10}){1,127}$/.test(oid)) throw new Refusal('snmp needs -o OID, a numeric OID with its instance')
    const version = last(read, 'version')
    if (version !== null && !['1', '2c'].includes(version))
      throw new Refusal('-P must be 1 or 2c; v3 is used as configured for the device')
    return {
      ...common(type, read),
      kind: 'snmp',
      oid,
      label: last(read, 'label') ?? 'value',
      unit: last(read, 'unit') ?? '',
      expect: last(read, 'expect'),
      community: last(read, 'community'),
      version: version === null ? null : version === '1' ? 'v1' : 'v2c',
      port: whole(read, 'port', 1, 65_535),
    }
  },
}

const { timeout, ipv4, ipv6 } = COMMON

const SELF: Declared = {
  options: {
    ...{ timeout, ipv4, ipv6 },
    port: value('-p', '--port'),
    tls: flag('-S', '--ssl'),
    part: value('-k', '--part'),
  },
  make: (type, read) => ({
    ...common(type, read),
    kind: 'self',
    port: whole(read, 'port', 1, 65_535) ?? 8000,
    tls: read['tls'] !== undefined,
    parts: partsOf(read['part'] ?? []),
  }),
}

function partsOf(texts: readonly string[]): SelfPart[] {
  const known = Object.keys(SELF_PARTS)
  const wrong = texts.find((text) => !isSelfPart(text))
  if (wrong !== undefined) throw new Refusal(`-k must be one of ${known.join(', ')}`)
  return (texts.length === 0 ? known : texts).filter(isSelfPart)
}

const DIALOGUE = { expect: value('-e', '--expect') }

/** Built-in checks by type of service. */
const BUILTIN: ReadonlyMap<string, Declared> = new Map([
  ['icmp', ICMP],
  ['ping', ICMP],
  [
    'tcp',
    stream('tcp', null, null, {
      ...DIALOGUE,
      send: value('-s', '--send'),
      escape: flag('-E', '--escape'),
      all: flag('-A', '--all'),
    }),
  ],
  ['http', HTTP],
  ['https', HTTP],
  ['dns', DNS],
  ['telnet', stream('tcp', 23, null, DIALOGUE)],
  ['ssh', stream('ssh', 22, null, {})],
  ['smtp', stream('smtp', 25, null, DIALOGUE)],
  ['ssmtp', stream('smtp', 465, 465, DIALOGUE)],
  ['imap', stream('imap', 143, 993, DIALOGUE)],
  ['simap', stream('imap', 993, 993, DIALOGUE)],
  ['pop', stream('pop', 110, 995, DIALOGUE)],
  ['spop', stream('pop', 995, 995, DIALOGUE)],
  ['ntp', NTP],
  ['ntp_time', NTP],
  ['snmp', SNMP],
  ['portlight', SELF],
])

/** Service types that need no plugin. */
export const BUILTIN_TYPES: readonly string[] = [...BUILTIN.keys()]

/** An option of a built-in check, for display. `name` is the check's own name for it. */
export interface BuiltinOption {
  readonly name: string
  /** Its forms on a command line: `-p`, `--port`. */
  readonly written: readonly string[]
  readonly hasValue: boolean
}

/** The options of a built-in check; none for a type without one. */
export function builtinOptions(type: string): BuiltinOption[] {
  return Object.entries(BUILTIN.get(type)?.options ?? {}).map(([name, { names, value }]) => ({
    name,
    written: names,
    hasValue: value,
  }))
}

export type BuiltinProbe =
  | { readonly kind: 'probe'; readonly probe: Probe }
  /** No built-in check has this type. */
  | { readonly kind: 'none' }
  /** `isWrongAnyway`: the plugin of that name does not accept it either, such as a port beyond 65535. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isWrongAnyway: boolean }

/** The built-in check of a type with these arguments. */
export function builtinProbe(type: string, list: readonly string[]): BuiltinProbe {
  const declared = BUILTIN.get(type)
  if (declared === undefined) return { kind: 'none' }
  const parsed = parseOptions(declared.options, list)
  if (parsed.kind === 'unknown')
    return {
      kind: 'refused',
      reason: `the built-in check ${type} has no option ${parsed.argument}`,
      isWrongAnyway: false,
    }
  if (parsed.kind === 'incomplete')
    return { kind: 'refused', reason: `${parsed.argument} needs a value`, isWrongAnyway: true }
  try {
    return { kind: 'probe', probe: declared.make(type, parsed.options) }
  } catch (error) {
    if (error instanceof Refusal) {
      return { kind: 'refused', reason: error.message, isWrongAnyway: error.isWrongAnyway }
    }
    throw error
  }
}

function last(read: Read, name: string): string | null {
  return read[name]?.at(-1) ?? null
}

function whole(read: Read, name: string, min: number, max: number): number | null {
  const text = last(read, name)
  if (text === null) return null
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= max)) {
    throw new Refusal(`${text} is not a number from ${min} to ${max}`, name === 'port')
  }
  return number
}

function rangeOf(read: Read, name: string): Range | null {
  const text = last(read, name)
  if (text === null) return null
  const range = parseThresholdRange(text)
  if (range === null) throw new Refusal(`${text} is not a range, such as 5 or 1:5`)
  return range
}

function common(type: string, read: Read) {
  const seconds = whole(read, 'timeout', 1, 600)
  const [four, six] = [read['ipv4'] !== undefined, read['ipv6'] !== undefined]
  return {
    type,
    timeoutMs: seconds === null ? TIMEOUT_MS : seconds * 1000,
    family: four === six ? null : four ? (4 as const) : (6 as const),
    warning: rangeOf(read, 'warning'),
    critical: rangeOf(read, 'critical'),
  }
}

function tlsOf(read: Read, tls: 'none' | 'start' | 'upgrade') {
  const days = last(read, 'days')
  if (days !== null && tls === 'none') throw new Refusal('-D needs -S')
  return {
    tls,
    serverName: last(read, 'serverName'),
    certificate: days === null ? null : daysOf(days),
    verify: read['verify'] !== undefined,
  }
}

function daysOf(text: string): CertificateDays {
  const match = /^(\d{1,5})(?:,(\d{1,5}))?$/.exec(text)
  if (match === null) throw new Refusal(`${text} is not DAYS or WARNING,CRITICAL`)
  return { warning: Number(match[1]), critical: Number(match[2] ?? -1) }
}

function icmpLimits(read: Read, name: string, byDefault: string): IcmpLimits {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(?:ms)?,(\d{1,3})%$/.exec(last(read, name) ?? byDefault)
  if (match === null) throw new Refusal(`-${name.charAt(0)} must be MILLISECONDS,LOSS%, such as ${byDefault}`)
  return { rtaMs: Number(match[1]), lossPercent: Number(match[2]) }
}

function redirectOf(text: string): 0 | 1 | 2 | 'follow' {
  const status = { ok: 0, warning: 1, critical: 2, follow: 'follow', sticky: 'follow' } as const
  if (!Object.hasOwn(status, text)) throw new Refusal('-f must be ok, warning, critical or follow')
  return status[text as keyof typeof status]
}

/** Replaces `\r`, `\n`, `\t` and `\\` by the characters they represent. */
function unescaped(text: string, escapes: boolean): string {
  if (!escapes) return text
  const known: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '\\': '\\' }
  return text.replace(/\\(.)/g, (all, c: string) => known[c] ?? all)
}

function isDnsName(name: string): boolean {
  return (
    name.length <= 253 &&
    name
      .replace(/\.$/, '')
      .split('.')
      .every((label) => /^[\w-]{1,63}$/.test(label))
  )
}

function isRecord(text: string): text is DnsRecord {
  return Object.hasOwn(DNS_RECORDS, text)
}
