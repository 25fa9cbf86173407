import type { Pattern } from '@portlight/pattern/pattern.ts'
import type { Conversion } from '../lib/conversions.ts'
import { WIRELESS_UNITS } from '../lib/wireless-classes.ts'
import type { Place, Template } from './template.ts'

/**
 * Which health data (sensors, processors, memory, storage, wireless) a family of devices has and where, as data: one
 * YAML file each, `src/vendors/VENDOR/NAME.health.yaml`. `docs/reference/definitions.md` explains the keys;
 * `parseHealth` rejects all others.
 */
export interface HealthDefinition extends HealthScope {
  readonly tables: Readonly<Record<string, TableSource>>
  /** OIDs with instance, by name. */
  readonly scalars: Readonly<Record<string, string>>
  readonly maps: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly sensors: readonly SensorEntry[]
  readonly wireless: readonly SensorEntry[]
  readonly processors: readonly ProcessorEntry[]
  readonly mempools: readonly MempoolEntry[]
  readonly storage: readonly StorageEntry[]
}

/** The devices that a health definition is for. */
export interface HealthScope {
  /** Name of the file. On devices without an OS it is also the type of entries that name no other. */
  readonly name: string
  /** Devices with one of these OSes, or with a sysObjectID below one of these. Both empty: all devices. */
  readonly os: readonly string[]
  readonly sysObjectID: readonly string[]
  /** Except devices with one of these OSes. */
  readonly notOs: readonly string[]
  /**
   * OID with instance of an object that only agents with this data have; if the agent lacks it, nothing else is read.
   */
  readonly probe: string | null
}

/** Tables of standard MIBs that definitions may use without declaring them. They are read once for all modules. */
export const STANDARD_TABLES = ['entPhysicalTable', 'ifTable', 'ifXTable'] as const
export type StandardTable = (typeof STANDARD_TABLES)[number]

export type TableSource =
  | { readonly standard: StandardTable }
  | {
      readonly standard: null
      /** Display name, `MIB::table`. */
      readonly name: string
      readonly entry: string
      /** The first column shows whether the agent has the table. */
      readonly columns: Readonly<Record<string, ColumnSource>>
    }

/** `syntax` determines how octets become text; absent: they are text. */
export interface ColumnSource {
  readonly id: number
  readonly syntax: ColumnSyntax
}
export const COLUMN_SYNTAXES = ['DisplayString', 'PhysAddress', 'IpAddress'] as const
export type ColumnSyntax = (typeof COLUMN_SYNTAXES)[number]

/** Where an entry gets its rows: each row of a table, or a single row of scalars. */
export interface Rowed {
  readonly table: string | null
  /** Rows of other tables, at an index that a template gives. */
  readonly with: Readonly<Record<string, { readonly table: string; readonly index: Template }>>
  /** A row is used if all of `only` and none of `skip` hold. */
  readonly only: readonly Condition[]
  readonly skip: readonly Condition[]
  readonly index: Template
  /** The first that is not empty is used. */
  readonly descr: readonly Template[]
}

/** Every given test must hold. If `of` has no value, only `empty` can hold. */
export interface Condition {
  readonly of: Place
  readonly is: readonly string[] | null
  readonly not: readonly string[] | null
  readonly below: number | null
  readonly above: number | null
  readonly match: Pattern | null
  readonly empty: boolean | null
}

/** A number, or a template that evaluates to one. */
export type Amount = number | Template

export const WIRELESS_CLASSES: readonly string[] = Object.keys(WIRELESS_UNITS)

/** Code for rules that data cannot express, in `src/modules/defined/hooks.ts`. */
export const SENSOR_HOOKS = ['cisco-entity-sensor', 'rittal-set-points', 'ups-units'] as const
export type SensorHook = (typeof SENSOR_HOOKS)[number]

/**
 * Limits in the shown unit. Limits from columns are in the unit of the value and are scaled like it, unless `scaled` is
 * false.
 */
export interface Limits {
  readonly high: Amount | null
  readonly warn: Amount | null
  readonly low: Amount | null
  readonly lowWarn: Amount | null
  readonly scaled: boolean
}

/** Name of a column or scalar whose OID is polled. */
export type ValueName = string

export interface SensorEntry extends Rowed {
  /** Template of the class; a row without a valid class is skipped. */
  readonly class: Template
  readonly type: string | null
  /** One for sensors; wireless sensors may have several, which are summed or averaged. */
  readonly values: readonly ValueName[]
  /**
   * How several objects of one wireless sensor are combined. `first`: only the first row with its index is used.
   * `count`: how many of the objects the agent has, whatever their values are.
   */
  readonly aggregator: 'sum' | 'avg' | 'first' | 'count'
  readonly group: Template | null
  readonly divisor: Amount
  readonly multiplier: Amount
  /** Templates whose sum is an additional power of ten by which the sent value is scaled; empty: none. */
  readonly exponent: readonly Template[]
  readonly limits: Limits
  readonly states: StateSet | null
  readonly entity: Template | null
  readonly measured: string | null
  /** Conversion applied after divisor and multiplier. */
  readonly convert: Conversion | null
  readonly hook: SensorHook | null
}

/** Meaning of the values of a state sensor. */
export interface StateSet {
  readonly name: string
  readonly values: readonly StateValue[]
}
export interface StateValue {
  readonly value: number
  readonly descr: string
  readonly generic: GenericState
}
export const GENERIC_STATES = ['ok', 'warning', 'critical', 'unknown'] as const
export type GenericState = (typeof GENERIC_STATES)[number]

/** An entry of processors, memory or storage. */
export interface Usage extends Rowed {
  /** Used only if the entries before it found nothing. */
  readonly fallback: boolean
}

export interface ProcessorEntry extends Usage {
  readonly type: string | null
  readonly value: ValueName
  /** Negative: the object reports idle time. */
  readonly precision: number
  readonly entity: Template | null
  readonly hrDevice: Template | null
}

export interface MempoolEntry extends Usage {
  readonly type: string | null
  readonly class: string
  readonly used: ValueName | null
  readonly free: ValueName | null
  readonly total: ValueName | null
  /** Percent used. */
  readonly percent: ValueName | null
  /** Bytes per unit. */
  readonly precision: Amount
  readonly warn: Amount | null
  readonly entity: Template | null
}

export interface StorageEntry extends Usage {
  readonly type: string | null
  readonly kind: Template
  readonly used: ValueName | null
  readonly free: ValueName | null
  readonly size: ValueName | null
  readonly percent: ValueName | null
  /** Bytes per unit. */
  readonly units: Amount
}
