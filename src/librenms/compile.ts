import type { SmiLibrary } from '@portlight/mib-reader/library.ts'
import { poolsOf, processorsOf, sensorsOf, walksOf } from './compile-health.ts'
import { type Fault, patternsOf, testOf } from './conditions.ts'
import { replacement } from './expression.ts'
import {
  FORM,
  type FormAsked,
  type FormDetectable,
  type FormDetection,
  type FormIdentity,
  type FormIgnored,
  type FormObject,
  type FormOs,
  type FormPattern,
  type FormPorts,
  OS_FIELDS,
} from './form.ts'
import { Names, numericOid, splitInstance } from './names.ts'
import { isMap, listOf, textOf, type YamlMap } from './yaml.ts'

const MAX_FAULTS = 200

/**
 * Compiles how an OS is detected. `library(dir)` has the names from the OS's own MIB folders, or also from the folder
 * given for a request.
 */
export function compileDetection(
  detection: YamlMap,
  library: (dir: string | null) => SmiLibrary,
  fault: Fault,
): FormDetectable {
  const os = textOf(detection['os']) ?? ''
  const entries = listOf(detection['discovery']).flatMap((entry, i): FormDetection[] =>
    isMap(entry) ? (entryOf(entry, library, (text) => fault(`discovery[${i}]: ${text}`)) ?? []) : [],
  )
  const asks = listOf(detection['discovery']).some(
    (entry) => isMap(entry) && ('snmpget' in entry || 'snmpwalk' in entry),
  )
  const type = textOf(detection['type']) ?? ''
  return { os, type, icon: textOf(detection['icon']) ?? os, late: asks, entries }
}

/** Compiles an entry; empty if any of its keys cannot be checked, since all must hold. */
function entryOf(entry: YamlMap, library: (dir: string | null) => SmiLibrary, fault: Fault): FormDetection[] {
  const texts = (key: string): string[] => listOf(entry[key]).flatMap((value) => textOf(value) || [])
  const list = <K extends string>(name: K, values: readonly unknown[], key: string): object =>
    entry[key] === undefined ? {} : { [name]: values }
  let failed = false
  const noted: Fault = (text) => {
    failed = true
    fault(`${text}, so the entry is left out`)
  }
  const asked = (key: string, walks: boolean) =>
    listOf(entry[key]).flatMap((value) => (isMap(value) ? askedOf(value, walks, library, noted) : []))
  const sysDescrRegex = patternsOf(entry['sysDescr_regex'], fault)
  const sysObjectIDRegex = patternsOf(entry['sysObjectID_regex'], fault)
  if (sysDescrRegex.length === 0 && entry['sysDescr_regex'] !== undefined) noted('no usable expression is left')
  if (sysObjectIDRegex.length === 0 && entry['sysObjectID_regex'] !== undefined) noted('no usable expression is left')
  const made: FormDetection = {
    ...list('sysObjectID', texts('sysObjectID'), 'sysObjectID'),
    ...list('sysObjectIDNot', texts('sysObjectID_except'), 'sysObjectID_except'),
    ...list('sysDescr', texts('sysDescr'), 'sysDescr'),
    ...list('sysDescrNot', texts('sysDescr_except'), 'sysDescr_except'),
    ...list('sysDescrRegex', sysDescrRegex, 'sysDescr_regex'),
    ...list('sysDescrRegexNot', patternsOf(entry['sysDescr_regex_except'], noted), 'sysDescr_regex_except'),
    ...list('sysObjectIDRegex', sysObjectIDRegex, 'sysObjectID_regex'),
    ...list('get', asked('snmpget', false), 'snmpget'),
    ...list('getNot', asked('snmpget_except', false), 'snmpget_except'),
    ...list('walk', asked('snmpwalk', true), 'snmpwalk'),
    ...list('walkNot', asked('snmpwalk_except', true), 'snmpwalk_except'),
  }
  return failed ? [] : [made]
}

/** An object to request; `walks`: all its instances, or all objects below it. */
function askedOf(
  value: YamlMap,
  walks: boolean,
  library: (dir: string | null) => SmiLibrary,
  fault: Fault,
): FormAsked[] {
  const text = textOf(value['oid']) ?? ''
  const test = testOf(value, 'contains', fault)
  const names = new Names(library(textOf(value['mib_dir'])))
  const oid = names.instance(text)
  if (oid === null) fault(`${text} is unknown`)
  if (oid === null || test === null) return []
  const object: FormObject | null = names.objects[splitInstance(text).name] ?? null
  return [{ oid, object, ...(walks && { name: text }), ...test }]
}

/** Compiles everything else of an OS; `discovery` is the content of its other file, null if it has none. */
export function compileOs(
  detection: YamlMap,
  discovery: YamlMap | null,
  library: SmiLibrary,
): {
  readonly form: FormOs
  readonly names: number
  readonly unknown: readonly string[]
} {
  const faults: string[] = []
  const fault: Fault = (text) => {
    if (faults.length < MAX_FAULTS && !faults.includes(text)) faults.push(text)
  }
  const modules = isMap(discovery?.['modules']) ? discovery['modules'] : {}
  const names = new Names(library)
  const part = (name: string): YamlMap => {
    const value = modules[name]
    if (value === undefined || value === null) return {}
    if (isMap(value)) return value
    fault(`${name}: must be a map`)
    return {}
  }
  for (const name of Object.keys(modules)) if (!KNOWN.has(name)) fault(`${name}: unknown module`)
  const mempools = part('mempools')
  const more = isMap(mempools['additional_oids']) ? mempools['additional_oids']['oids'] : undefined
  const os = textOf(detection['os']) ?? ''
  const varbinds = detection['snmp_max_oid']
  const walks = walksOf(modules, names, fault)
  const form: FormOs = {
    form: FORM,
    os,
    text: textOf(detection['text']) ?? os,
    type: textOf(detection['type']) ?? '',
    icon: textOf(detection['icon']) ?? os,
    group: textOf(detection['group']),
    objects: names.objects,
    instances: names.instances,
    identity: 'os' in modules ? identityOf(part('os'), names, library, fault) : null,
    walks,
    sensors: sensorsOf(part('sensors'), names, fault),
    processors: processorsOf(part('processors'), fault),
    mempools: poolsOf('mempools', mempools, names, fault),
    storage: poolsOf('storage', part('storage'), names, fault),
    poolWalks: listOf(more).flatMap((value) => textOf(value) ?? []),
    bulk: detection['snmp_bulk'] !== false,
    maxVarbinds: typeof varbinds === 'number' && varbinds > 0 ? Math.min(1000, Math.trunc(varbinds)) : 0,
    ...portsOf(detection, fault),
    ...ignoredOf(detection, fault),
    ...(detection['bad_uptime'] === true
      ? { badClock: 'all' as const }
      : detection['bad_snmpEngineTime'] === true && { badClock: 'engine' as const }),
    ...(detection['bad_hrSystemUptime'] === true && { badHostClock: true as const }),
    faults,
  }
  for (const text of textsIn(modules)) for (const [name] of text.matchAll(NAMES)) names.object(name)
  for (const name of names.unknown) fault(`${name} is unknown`)
  return { form, names: names.count, unknown: [...names.unknown] }
}

const MAX_RULES = 1000

function rulesIn(detection: YamlMap, key: string): string[] {
  return listOf(detection[key])
    .slice(0, MAX_RULES)
    .flatMap((value) => textOf(value) || [])
}

/** The expressions of a filter, which ignore case. */
function filterPatterns(detection: YamlMap, key: string, fault: Fault): FormPattern[] {
  const texts = rulesIn(detection, key).map((text) => `${text}i`)
  return patternsOf(texts, (why) => fault(`${key}: ${why}`))
}

function portsOf(detection: YamlMap, fault: Fault): { readonly ports?: FormPorts } {
  const lower = (key: string) => rulesIn(detection, key).map((text) => text.toLowerCase())
  const ports: FormPorts = {
    goodIf: lower('good_if'),
    badIf: lower('bad_if'),
    badIfType: rulesIn(detection, 'bad_iftype'),
    badIfRegexp: filterPatterns(detection, 'bad_if_regexp', fault),
    badIfNameRegexp: filterPatterns(detection, 'bad_ifname_regexp', fault),
    badIfOperStatus: lower('bad_ifoperstatus'),
    nameless: detection['empty_ifdescr'] === true,
  }
  const { nameless, ...lists } = ports
  return nameless || Object.values(lists).some((list) => list.length > 0) ? { ports } : {}
}

function ignoredOf(detection: YamlMap, fault: Fault): { readonly ignored?: FormIgnored } {
  const ignored: FormIgnored = {
    mount: rulesIn(detection, 'ignore_mount'),
    mountString: rulesIn(detection, 'ignore_mount_string'),
    mountRegexp: patternsOf(rulesIn(detection, 'ignore_mount_regexp'), (why) => fault(`ignore_mount_regexp: ${why}`)),
    mountType: rulesIn(detection, 'ignore_mount_type'),
  }
  return Object.values(ignored).some((list) => list.length > 0) ? { ignored } : {}
}

const KNOWN: ReadonlySet<string> = new Set([
  'os',
  'sensors',
  'processors',
  'mempools',
  'storage',
  'additional_oids',
  'pre-cache',
])

/**
 * Names in templates and references. Function names begin with a backslash; `InetAddress_` is a prefix for reading a
 * name as an address.
 */
const NAMES = /(?<![\w\\-])(?!InetAddress_)[A-Za-z][\w-]*::[A-Za-z0-9][\w-]*/g

const MAX_TEXTS = 200_000

/** Every text in a value. */
function* textsIn(value: unknown): Generator<string> {
  const left: unknown[] = [value]
  for (let i = 0; left.length > 0 && i < MAX_TEXTS; i++) {
    const next = left.pop()
    if (typeof next === 'string') {
      if (!next.startsWith('\\')) yield next
    } else if (Array.isArray(next)) for (const item of next) left.push(item)
    else if (isMap(next)) for (const [key, item] of Object.entries(next)) if (key !== 'user_func') left.push(item)
  }
}

function identityOf(module: YamlMap, names: Names, library: SmiLibrary, fault: Fault): FormIdentity {
  const fields: Record<string, unknown> = {}
  // in file order
  for (const key of Object.keys(module)) {
    const field = OS_FIELDS.find((name) => key === name || key.startsWith(`${name}_`))
    if (field === undefined || field in fields) continue
    const oids = listOf(module[field]).flatMap((value) => textOf(value) ?? [])
    for (const oid of oids) if (names.instance(oid) === null) fault(`os.${field}: ${oid} is unknown`)
    fields[field] = {
      oids: oids.filter((oid) => names.instance(oid) !== null),
      patterns: patternsOf(module[`${field}_regex`], (text) => fault(`os.${field}_regex: ${text}`)),
      template: textOf(module[`${field}_template`]),
      replace: replacements(module[`${field}_replace`], (text) => fault(`os.${field}_replace: ${text}`)),
    }
  }
  const location = textOf(module['location'])
  return {
    sysDescr: patternsOf(module['sysDescr_regex'], (text) => fault(`os.sysDescr_regex: ${text}`)),
    hardwareMib: hardwareOf(textOf(module['hardware_mib']), library),
    fields: fields as FormIdentity['fields'],
    location: location === null ? null : (names.instance(location) ?? numericOid(location)),
  }
}

const MAX_HARDWARE = 20_000

function hardwareOf(module: string | null, library: SmiLibrary): FormIdentity['hardwareMib'] {
  if (module === null) return null
  const labels: Record<string, string> = {}
  let count = 0
  for (const [name, oid] of library.names(module)) if (++count <= MAX_HARDWARE) labels[oid] = name
  return labels
}

function replacements(value: unknown, fault: Fault): { readonly pattern: FormPattern; readonly by: string }[] {
  return listOf(value).flatMap((entry) => {
    const pair = Array.isArray(entry) ? entry : [entry]
    const pattern = replacement(textOf(pair[0]) ?? '')
    if ('why' in pattern) {
      fault(pattern.why)
      return []
    }
    return [{ pattern, by: textOf(pair[1]) ?? '' }]
  })
}
