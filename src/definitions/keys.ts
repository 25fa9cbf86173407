/**
 * The keys that definition files may have, each with what it means. The parsers refuse others; the JSON schemas for editors and
 * docs/reference/definitions.md say the same. Plain texts, because every worker loads the parsers.
 */

/** Keys of any definition that extends a base. */
export const EXTENDING = {
  extends:
    'a base, `NAME.base.yaml` in the same folder: all that it has is in this definition too; own members of maps and items of lists come first, and of two texts the own one counts',
  set: 'values of the base’s parameters',
} as const

/** Keys of `NAME.base.yaml` beside those of the definitions that extend it. */
export const BASE = {
  parameters:
    'names; `<NAME>` in a text or key of the base is replaced by what `set` says, `<NAME|lower>` by the same in small letters',
} as const

export const HEALTH = {
  about: 'the devices in a few words, for people; shown in [modules](modules.md)',
  os: 'a device with one of these OSes,',
  not_os: 'but never one with these',
  sysObjectID: 'or with a sysObjectID below one of these. Neither `os` nor `sysObjectID`: every device;',
  probe: 'an object with instance that is read first; if the agent lacks it, nothing else is requested',
  tables:
    'tables by a name for this file: what is read of them, or the name of a standard table (`entPhysicalTable`, `ifTable`, `ifXTable`), which is read once for all modules',
  scalars: 'OIDs with instance by a name for this file',
  maps: 'texts by texts, for the filter of the same name in placeholders; `_` is everything else',
  states:
    'state sets by name, which is the sensor’s type too: `VALUE: [TEXT, MEANING]`, MEANING is `ok`, `warning`, `critical` or `unknown`',
  sensors: 'entries, below',
  wireless: 'entries, below',
  processors: 'entries, below',
  mempools: 'entries, below',
  storage: 'entries, below',
} as const

export const TABLE = {
  name: '`MIB::table`, for people',
  entry: 'OID of the …Entry',
  columns:
    'number of each column by name, or `{ id, syntax }`. The first one shows whether the agent has the table; all are read, so declare only what is used',
} as const

export const COLUMN = {
  id: 'number of the column',
  syntax: '`DisplayString`, `PhysAddress` or `IpAddress`: how octets become text',
} as const

export const ROWED = {
  table: 'the table whose rows are used; absent: `value` and the others are scalars',
  with: 'rows of other tables by a name: `{ table, index }`; a join’s index may use the joins before it',
  only: 'conditions that must all hold for a row to be used',
  skip: 'conditions of which none may hold',
  index: 'template of the index in the inventory; default `{index}`, for scalars `0`',
  descr: 'template of the description, or several: the first that is not empty',
  type: 'type in the inventory; default: the OS',
} as const

export const CONDITION = {
  of: 'a placeholder without braces; default: the value',
  is: 'one of these. A plain item of the list of conditions is such a value',
  not: 'none of these',
  below: 'less than this number',
  above: 'more than this number',
  match: 'an expression matches',
  empty: 'true: it is empty; false: it is not',
} as const

export const SENSOR = {
  class: 'class of the sensor, or a template; rows with an unknown class are skipped; with `states` it is `state`',
  value: 'column or scalar whose OID is polled. Of `wireless` several are possible',
  group: 'template of the group',
  divisor: 'number or template; shown is value × `multiplier` / `divisor`',
  multiplier: 'number or template',
  exponent: 'templates whose sum is a power of ten, for columns of scale and precision',
  limits: 'limits, below',
  states: 'name of a state set',
  entity: 'template of entPhysicalIndex',
  measured: '`ports`: `entity` is an interface',
  convert: 'conversion after divisor and multiplier, also at every poll',
  hook: 'code for what data cannot say, below',
} as const

export const WIRELESS = {
  aggregator: '`sum`, `avg` or `first` (only the first row) of rows with the same class and index',
} as const

export const LIMITS = {
  high: 'number in the shown unit, or template, which is scaled as the value',
  warn: 'the same',
  low: 'the same',
  low_warn: 'the same',
  scaled: 'false: templates are in the shown unit',
} as const

export const USAGE = { fallback: 'true: used only if the entries before it found nothing' } as const

export const PROCESSOR = {
  value: 'column or scalar with percent used',
  precision: 'divides the value; negative: the object counts idle time',
  entity: 'template of entPhysicalIndex',
  hr_device: 'template of hrDeviceIndex',
} as const

/** `percent`, or two of the amounts, are needed. */
const AMOUNTS = {
  used: 'column or scalar',
  free: 'column or scalar',
  percent: 'column or scalar with percent used; absent: two of the amounts are needed',
} as const

export const MEMPOOL = {
  class: 'class; default `system`',
  ...AMOUNTS,
  total: 'column or scalar',
  precision: 'octets of a unit, number or template',
  warn: 'percent at which to warn, number or template',
  entity: 'template of entPhysicalIndex',
} as const

export const STORAGE = {
  kind: 'template of the kind; default `Storage`',
  ...AMOUNTS,
  size: 'column or scalar',
  units: 'octets of a unit, number or template',
} as const

export const JOIN = {
  table: 'name of a table of this file',
  index: 'template of its row’s index; default `{index}`',
} as const

export const OS = {
  os: 'name in the API; the name of the file',
  text: 'name for people',
  type: 'kind of device: network, wireless, firewall, loadbalancer, server, storage, power, environment, printer, management, appliance',
  icon: 'name of the picture',
  group: 'family of OSes that share traits: `cisco`, `unix`',
  detect: 'how the OS is detected: the device has it when all members of one entry hold',
  identity: 'sources of hardware, version, serial number and features; for each the first source with a value wins',
  ports: 'which interfaces become ports, in addition to the settings',
  quirks: 'requests the agent cannot handle',
} as const

export const DETECT = {
  sysObjectID: 'sysObjectID is one of these or below it',
  sysDescr: 'one of these expressions matches in sysDescr, case ignored',
  sysDescrNot: 'none of these matches',
  objects: 'the agent has each of these objects and its text matches the expression',
} as const

export const IDENTITY = {
  sysDescr: 'named groups of an expression on sysDescr: `(?<version>\\S+)`',
  scalar: 'one object, by OID with instance: the whole value (`as`) or named groups (`match`)',
  column: 'the same for a column: its first cell that is not empty and matches, or that of `row`',
  objects: 'several objects by name, combined by `set`',
  products: 'hardware by the whole sysObjectID, from `NAME.products.yaml` of any vendor',
  chassis: 'columns of the chassis in entPhysicalTable by field',
  as: 'the field that the whole value is',
  match: 'expression with named groups',
  set: 'texts of fields from named groups or objects: `{ version: "AOS {aos}" }`; left out when one of its names is unknown',
  unless: 'expression on sysDescr; where it matches, the source is skipped',
  row: 'OID of the object whose value is the row’s index',
} as const

export const PORTS = {
  badIf: 'parts of ifDescr that make no port',
  badIfRegexp: 'expressions on ifDescr that make no port',
  badIfType: 'parts of the IANAifType name that make no port',
  goodIf: 'parts of ifDescr that always make a port',
  nameless: 'true: interfaces without a name become ports',
} as const

export const QUIRKS = {
  bulk: 'false: GETNEXT instead of GETBULK',
  max_repetitions: 'limit of a GETBULK',
  max_varbinds: 'limit of a GET',
  bad_tables: 'OIDs below which nothing is walked',
} as const

/** The keys of a table above, for the parsers. */
export function keysOf(...tables: readonly Readonly<Record<string, string>>[]): readonly string[] {
  return tables.flatMap((table) => Object.keys(table))
}
