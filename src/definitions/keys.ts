/**
 * The keys of definition files with their meaning. The parsers reject other keys; the JSON schemas for editors and
 * docs/reference/definitions.md are generated from these. Plain text, because every worker loads the parsers.
 */

/** Keys of any definition that extends a base. */
export const EXTENDING = {
  extends:
    'a base, `NAME.base.yaml` in the same folder, all of which this definition takes over; its own map members and list items come first, and its own texts replace those of the base',
  set: 'values of the base’s parameters',
} as const

/** Keys of `NAME.base.yaml` in addition to those of the definitions that extend it. */
export const BASE = {
  parameters:
    'names; `<NAME>` in a text or key of the base is replaced by its value from `set`, `<NAME|lower>` by the same in lower case',
} as const

export const HEALTH = {
  about: 'the devices in a few words; shown in [modules](modules.md)',
  os: 'a device with one of these OSes,',
  not_os: 'but never one with these',
  sysObjectID: 'or with a sysObjectID below one of these. Neither `os` nor `sysObjectID`: every device;',
  probe: 'OID with instance of an object that is read first; if the agent lacks it, nothing else is requested',
  tables:
    'tables by a name used in this file: what to read from each, or the name of a standard table (`entPhysicalTable`, `ifTable`, `ifXTable`), which is read once for all modules',
  scalars: 'OIDs with instance, by a name used in this file',
  maps: 'lookup tables from text to text, used as a filter of the same name in placeholders; `_` matches everything else',
  states:
    'state sets by name, which is also the sensor’s type: `VALUE: [TEXT, MEANING]`, where MEANING is `ok`, `warning`, `critical` or `unknown`; agents may send TEXT, in any case, in place of VALUE',
  sensors: 'entries, below',
  wireless: 'entries, below',
  processors: 'entries, below',
  mempools: 'entries, below',
  storage: 'entries, below',
} as const

export const TABLE = {
  name: '`MIB::table`, shown in messages',
  entry: 'OID of the …Entry',
  columns:
    'number of each column by name, or `{ id, syntax }`. The first column shows whether the agent has the table; all are read, so declare only those that are used',
} as const

export const COLUMN = {
  id: 'number of the column',
  syntax: '`DisplayString`, `PhysAddress` or `IpAddress`: how octets become text',
} as const

export const ROWED = {
  table: 'the table whose rows are used; absent: `value` and the other names are scalars',
  with: 'joins: rows of other tables by a name, `{ table, index }`; a join’s index may use the joins before it',
  only: 'conditions that must all hold for a row to be used',
  skip: 'conditions none of which may hold',
  index: 'template for the index in the inventory; default `{index}`, for scalars `0`',
  descr: 'template for the description, or several, of which the first that is not empty is used',
  type: 'type in the inventory; default: the OS',
} as const

export const CONDITION = {
  of: 'a placeholder without braces; default: the value',
  is: 'one of these; a plain item in a list of conditions is such a value',
  not: 'none of these',
  below: 'less than this number',
  above: 'more than this number',
  match: 'this regular expression matches',
  empty: 'true: it is empty; false: it is not',
} as const

export const SENSOR = {
  class: 'class of the sensor, or a template; rows with an unknown class are skipped; default with `states`: `state`',
  value: 'column or scalar whose OID is polled; `wireless` may have several',
  group: 'template of the group',
  divisor: 'number or template; shown value = value × `multiplier` / `divisor`',
  multiplier: 'number or template',
  exponent: 'templates whose sum is a power of ten, for scale and precision columns',
  limits: 'limits, below',
  states: 'name of a state set',
  entity: 'template of entPhysicalIndex',
  measured: '`ports`: `entity` is an interface',
  convert: 'conversion after divisor and multiplier, also applied at every poll',
  hook: 'code for what data cannot express, below',
} as const

export const WIRELESS = {
  aggregator:
    '`sum`, `avg`, `first` (only the first row) or `count` (how many rows there are, whatever their value is, at most 500; unknown if the table could not be read to its end), for rows with the same class and index',
} as const

export const LIMITS = {
  high: 'number in the shown unit, or template, which is scaled like the value',
  warn: 'the same',
  low: 'the same',
  low_warn: 'the same',
  scaled: 'false: templates are in the shown unit',
} as const

export const USAGE = { fallback: 'true: used only if the entries before it found nothing' } as const

export const PROCESSOR = {
  value: 'column or scalar with percent used',
  precision: 'divides the value; negative: the object reports idle time',
  entity: 'template of entPhysicalIndex',
  hr_device: 'template of hrDeviceIndex',
} as const

/** Either `percent` or two of the amounts are required. */
const AMOUNTS = {
  used: 'column or scalar',
  free: 'column or scalar',
  percent: 'column or scalar with percent used; without it, two of the amounts are required',
} as const

export const MEMPOOL = {
  class: 'class; default `system`',
  ...AMOUNTS,
  total: 'column or scalar',
  precision: 'bytes per unit, number or template',
  warn: 'percent at which to warn, number or template',
  entity: 'template of entPhysicalIndex',
} as const

export const STORAGE = {
  kind: 'template of the kind; default `Storage`',
  ...AMOUNTS,
  size: 'column or scalar',
  units: 'bytes per unit, number or template',
} as const

export const JOIN = {
  table: 'name of a table in this file',
  index: 'template for the index of its row; default `{index}`',
} as const

export const OS = {
  os: 'name in the API; must be the name of the file',
  text: 'display name',
  type: 'type of device: network, wireless, firewall, loadbalancer, server, storage, power, environment, printer, management, appliance',
  icon: 'file name of the icon',
  group: 'family of OSes that share traits: `cisco`, `unix`',
  detect: 'how the OS is detected: a device has it if all members of any entry hold',
  identity:
    'sources of hardware, version, serial number and features; for each field the first source with a value wins; serial number and model that none has are those of the chassis in ENTITY-MIB',
  ports: 'which interfaces become ports, in addition to the settings',
  quirks: 'requests that the agent cannot handle',
} as const

export const DETECT = {
  sysObjectID: 'sysObjectID is one of these or below it',
  sysDescr: 'one of these regular expressions matches sysDescr, regardless of case',
  sysDescrNot: 'none of these matches sysDescr',
  objects: 'the agent has each of these objects and its text matches the regular expression',
} as const

export const IDENTITY = {
  sysDescr: 'named groups of a regular expression on sysDescr: `(?<version>\\S+)`',
  scalar: 'one object, by OID with instance: the whole value (`as`) or named groups (`match`)',
  column: 'the same for a column: its first cell that is not empty and matches, or the one at `row`',
  objects: 'several objects by name, combined by `set`',
  products: 'hardware, looked up by the whole sysObjectID in `NAME.products.yaml` of any vendor',
  chassis: 'by field, the column in the entPhysicalTable row of the chassis',
  as: 'the field that gets the whole value',
  match: 'regular expression with named groups',
  set: 'templates of fields from named groups or objects: `{ version: "AOS {aos}" }`; a field is left out if one of its names is unknown',
  unless: 'regular expression on sysDescr; if it matches, the source is skipped',
  row: 'OID of the object whose value is the row’s index',
} as const

export const PORTS = {
  badIf: 'substrings of ifDescr; a matching interface does not become a port',
  badIfRegexp: 'regular expressions on ifDescr; a matching interface does not become a port',
  badIfType: 'substrings of the IANAifType name; a matching interface does not become a port',
  goodIf: 'substrings of ifDescr; a matching interface always becomes a port',
  nameless: 'true: interfaces without a name become ports',
} as const

export const QUIRKS = {
  bulk: 'false: GETNEXT instead of GETBULK',
  max_repetitions: 'limit of max-repetitions in a GETBULK',
  max_varbinds: 'limit of varbinds in a GET',
  bad_tables: 'OIDs that are never walked',
} as const

/** The keys of the tables above, for the parsers. */
export function keysOf(...tables: readonly Readonly<Record<string, string>>[]): readonly string[] {
  return tables.flatMap((table) => Object.keys(table))
}
