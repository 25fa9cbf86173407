import type { BaseType } from '@portlight/mib-reader/library.ts'

/**
 * The resolved form of a LibreNMS definition, as it is stored: names are resolved to OIDs, enumerations and display
 * hints, class options are merged into items, and expressions are translated. Plain JSON, one file per OS.
 */
export const FORM = 1

/** An object that a definition names. */
export interface FormObject {
  /** Without instance, dotted decimal without a leading dot. */
  readonly oid: string
  readonly kind: 'table' | 'entry' | 'column' | 'scalar' | 'node'
  readonly base: BaseType
  /** Labels by value. */
  readonly labels?: Readonly<Record<string, string>>
  /** DISPLAY-HINT. */
  readonly hint?: string
}

/** A regular expression in our syntax. */
export interface FormPattern {
  readonly source: string
  readonly flags: string
  /** From a look-ahead: a text must match this expression as well. */
  readonly also?: string
  /** From a negative look-ahead: a text that this expression matches is not a match. */
  readonly unless?: string
}

/** A field as written: a literal, a name, or a template. */
export type Field = string | number

export const OPERATORS = [
  '=',
  '!=',
  '==',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  'contains',
  'not_contains',
  'starts',
  'not_starts',
  'ends',
  'not_ends',
  'regex',
  'not_regex',
  'in_array',
  'not_in_array',
  'exists',
] as const
export type Operator = (typeof OPERATORS)[number]

export type Scalar = string | number | boolean | null

/** A condition on a value. */
export interface FormTest {
  readonly op: Operator
  readonly value: Scalar | readonly Scalar[]
  /** Translated expressions of `regex` and `not_regex`. */
  readonly patterns?: readonly FormPattern[]
}

/** When a row is skipped: its value equals a number, or a value that is looked up passes a test. */
export type FormSkip =
  | { readonly number: number }
  | ({ readonly oid: string } & FormTest)
  | ({ readonly device: string } & FormTest)

export interface FormRow {
  /** Text of the walk that supplies the rows. */
  readonly oid: string
  readonly skip: readonly FormSkip[]
}

export interface FormSensor extends FormRow {
  readonly class: string
  /** Column of the row that contains the value. */
  readonly value: string
  readonly numOid: string | null
  readonly descr: Field
  readonly index: Field | null
  readonly group: Field | null
  readonly divisor: Field
  readonly multiplier: Field
  readonly high: Field | null
  readonly warn: Field | null
  readonly low: Field | null
  readonly lowWarn: Field | null
  /** False: limits read from objects are already in the shown unit. */
  readonly scaled: boolean
  readonly below: number | null
  readonly above: number | null
  readonly func: string | null
  /** `COUNTER` or the like; absent: a gauge. */
  readonly rrd?: string
  readonly entity: Field | null
  readonly measured: string | null
  readonly stateName: string | null
  readonly states: readonly { readonly value: number; readonly generic: number; readonly descr: string }[] | null
}

export interface FormProcessor extends FormRow {
  readonly value: string
  readonly numOid: string
  readonly index: Field | null
  readonly descr: Field | null
  readonly type: Field | null
  readonly precision: Field | null
  readonly warn: Field | null
  readonly entity: Field | null
  readonly hrDevice: Field | null
}

/** A memory pool or a disk. */
export interface FormPool {
  readonly oid: string | null
  readonly total: Field | null
  readonly used: Field | null
  readonly free: Field | null
  readonly percent: Field | null
  /** OIDs to poll, with `{{ $index }}`, if they differ from those of the fields. */
  readonly polled: Readonly<Partial<Record<'used' | 'free' | 'percent', string>>>
  /** Bytes per unit: `precision` of pools, `units` of disks. */
  readonly unit: Field | null
  readonly descr: Field | null
  readonly index: Field | null
  readonly type: string | null
  /** Class of a pool; type of a disk. */
  readonly kind: Field | null
  readonly warn: Field | null
  readonly skip: readonly FormSkip[]
}

export const OS_FIELDS = ['version', 'hardware', 'serial', 'features', 'sysName'] as const
export type OsField = (typeof OS_FIELDS)[number]

export interface FormIdentity {
  readonly sysDescr: readonly FormPattern[]
  /** Labels of sysObjectID by OID, if hardware is derived from them. */
  readonly hardwareMib: Readonly<Record<string, string>> | null
  readonly fields: Readonly<
    Partial<
      Record<
        OsField,
        {
          /** Objects with instance, as in `instances`. */
          readonly oids: readonly string[]
          readonly patterns: readonly FormPattern[]
          readonly template: string | null
          readonly replace: readonly { readonly pattern: FormPattern; readonly by: string }[]
        }
      >
    >
  >
  /** OID of the object used instead of sysLocation. */
  readonly location: string | null
}

/** What a walk reads. */
export interface FormWalk {
  readonly text: string
  /** OID to walk; for a single instance, that of the object. */
  readonly oid: string
  /** Index of a single instance; null: all rows. */
  readonly instance: string | null
  /** True: enumerations are read as their labels. */
  readonly labels?: true
  /** True: display hints apply. */
  readonly hints?: true
  /** True: TimeTicks are read as days and a time of day. */
  readonly clock?: true
  /** Octets as hex pairs, always or unless all are printable; absent: as ASCII. */
  readonly octets?: 'hex' | 'guess'
}

export interface FormOs {
  readonly form: typeof FORM
  readonly os: string
  readonly text: string
  readonly type: string
  readonly icon: string
  readonly group: string | null
  /** Objects by the name that the definition uses, `MIB::object`. */
  readonly objects: Readonly<Record<string, FormObject>>
  /** OIDs with instance by the text that the definition uses, `MIB::object.0` or numeric. */
  readonly instances: Readonly<Record<string, string>>
  readonly identity: FormIdentity | null
  /** Walks of the shared cache, in order. */
  readonly walks: readonly FormWalk[]
  readonly sensors: readonly FormSensor[]
  readonly processors: readonly FormProcessor[]
  readonly mempools: readonly FormPool[]
  readonly storage: readonly FormPool[]
  /** Walks for memory pools in addition to those of the items. */
  readonly poolWalks: readonly string[]
  /** Requests that its agents cannot handle. */
  readonly bulk: boolean
  readonly maxVarbinds: number
  /** Rules for interfaces in addition to the settings; absent: none. */
  readonly ports?: FormPorts
  /** Filesystems to ignore in addition to the settings; absent: none. */
  readonly ignored?: FormIgnored
  /**
   * Unreliable clocks of its agents: `all` means that no uptime can be derived, `engine` only that snmpEngineTime is
   * wrong; absent: none.
   */
  readonly badClock?: 'all' | 'engine'
  /** hrSystemUptime is not the uptime. */
  readonly badHostClock?: true
  /** Parts that were not used, and why. */
  readonly faults: readonly string[]
}

/** Which interfaces become ports. Texts are substrings of ifDescr (in lower case) or of ifType. */
export interface FormPorts {
  readonly goodIf: readonly string[]
  readonly badIf: readonly string[]
  readonly badIfType: readonly string[]
  readonly badIfRegexp: readonly FormPattern[]
  readonly badIfNameRegexp: readonly FormPattern[]
  /** Values of ifOperStatus. */
  readonly badIfOperStatus: readonly string[]
  /** Interfaces without ifDescr become ports if they have ifName or ifAlias. */
  readonly nameless: boolean
}

/** Which filesystems are ignored: by the whole description, part of it, an expression, or their type. */
export interface FormIgnored {
  readonly mount: readonly string[]
  readonly mountString: readonly string[]
  readonly mountRegexp: readonly FormPattern[]
  readonly mountType: readonly string[]
}

/** One entry of the conditions that detect an OS; every key must hold. */
export interface FormDetection {
  readonly sysObjectID?: readonly string[]
  readonly sysObjectIDNot?: readonly string[]
  readonly sysDescr?: readonly string[]
  readonly sysDescrNot?: readonly string[]
  readonly sysDescrRegex?: readonly FormPattern[]
  readonly sysDescrRegexNot?: readonly FormPattern[]
  readonly sysObjectIDRegex?: readonly FormPattern[]
  readonly get?: readonly FormAsked[]
  readonly getNot?: readonly FormAsked[]
  /** Compared with the whole result of a walk, one line per object. */
  readonly walk?: readonly FormAsked[]
  readonly walkNot?: readonly FormAsked[]
}

/** An object to request: with its instance for a GET, without for a walk. */
export interface FormAsked extends FormTest {
  readonly oid: string
  readonly object: FormObject | null
  /** The name as printed in the result of a walk; absent for a GET. */
  readonly name?: string
}

export interface FormDetectable {
  readonly os: string
  readonly type: string
  readonly icon: string
  /** True: compared after those that need no request. */
  readonly late: boolean
  readonly entries: readonly FormDetection[]
}
