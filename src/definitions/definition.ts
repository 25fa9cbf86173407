import type { Pattern } from '@portlight/pattern/pattern.ts'

/**
 * What is known about an operating system, as data: one YAML file each, `src/vendors/VENDOR/NAME.os.yaml`. These types
 * describe what a file may contain; `parse.ts` rejects anything else, so that a typo fails the build instead of
 * affecting a device.
 */
export interface OsDefinition extends DetectableOs {
  /** Display name. */
  readonly text: string
  /** Family: OSes of one vendor that share traits. */
  readonly group: string | null
  /** Sources of hardware, version, serial and features. For each field the first source that has a value wins. */
  readonly identity: readonly IdentitySource[]
  /** Interface rules in addition to the settings. */
  readonly ports: PortRules
  /** Requests that its agents cannot handle. */
  readonly quirks: Quirks
}

/** The part of a definition that detects an OS. */
export interface DetectableOs {
  /** Short name as in the API, for example `ios`; also the name of the file. */
  readonly os: string
  /**
   * Type of device: network, server, wireless, firewall, loadbalancer, power, printer, storage, environment,
   * management, appliance.
   */
  readonly type: string
  /** File name of the icon. */
  readonly icon: string
  /** A device has this OS if it meets all conditions of any of these. */
  readonly detect: readonly Detection[]
}

export interface Detection {
  /** Any of these prefixes of sysObjectID, ending at a sub-identifier. Absent: not checked. */
  readonly sysObjectID?: readonly string[]
  /** Any of these in sysDescr. Absent: not checked. */
  readonly sysDescr?: readonly Pattern[]
  /** None of these in sysDescr. */
  readonly sysDescrNot?: readonly Pattern[]
  /**
   * Objects by OID with instance, and what their text must match. An agent without the object does not match. They are
   * read only if all other conditions hold and no better definition is certain.
   */
  readonly objects?: ReadonlyMap<string, Pattern>
}

export const IDENTITY_FIELDS = ['hardware', 'version', 'serial', 'features'] as const
export type IdentityField = (typeof IDENTITY_FIELDS)[number]

/** Columns of ENTITY-MIB::entPhysicalTable from which identity can be taken. */
export const ENTITY_SOURCES = [
  'entPhysicalDescr',
  'entPhysicalName',
  'entPhysicalHardwareRev',
  'entPhysicalFirmwareRev',
  'entPhysicalSoftwareRev',
  'entPhysicalSerialNum',
  'entPhysicalModelName',
] as const
export type EntitySource = (typeof ENTITY_SOURCES)[number]

/**
 * Templates for fields, in which `{name}` is a named group or a named object. A field that uses an unknown name is left
 * out.
 */
export type Templates = Readonly<Partial<Record<IdentityField, string>>>

export type IdentitySource =
  /**
   * Named groups (`hardware`, `version`, `serial`, `features`) of an expression on sysDescr, or groups with any name if
   * `set` is given.
   */
  | {
      readonly from: 'sysDescr'
      readonly match: Pattern
      readonly set: Templates | null
      /** If this matches sysDescr, the source is skipped. */
      readonly unless: Pattern | null
    }
  /** An object with its instance: its whole text as one field, or named groups of an expression on it. */
  | {
      readonly from: 'scalar'
      readonly oid: string
      readonly as: IdentityField | null
      readonly match: Pattern | null
      readonly set: Templates | null
    }
  /** A table column: like a scalar, but from the first row whose text is not empty and matches, or from a given row. */
  | {
      readonly from: 'column'
      readonly oid: string
      /** The object whose value is the row's index; null: the first row. */
      readonly row: string | null
      readonly as: IdentityField | null
      readonly match: Pattern | null
      readonly set: Templates | null
    }
  /** Several objects combined. */
  | { readonly from: 'objects'; readonly oids: ReadonlyMap<string, string>; readonly set: Templates }
  /** Product names by sysObjectID, from the vendor's products MIB: the hardware. */
  | { readonly from: 'products'; readonly names: ReadonlyMap<string, string> }
  /** The chassis: the outermost entity, preferably one of class chassis. */
  | { readonly from: 'chassis'; readonly fields: Readonly<Partial<Record<IdentityField, EntitySource>>> }

/** Interface rules of an OS, in addition to the settings `bad_if`, `bad_if_regexp` and `bad_iftype`. */
export interface PortRules {
  readonly badIf?: readonly string[]
  readonly badIfRegexp?: readonly string[]
  readonly badIfType?: readonly string[]
  readonly goodIf?: readonly string[]
  /** Interfaces without ifDescr and ifName become ports. */
  readonly nameless?: boolean
}

/** What an agent cannot handle. */
export interface Quirks {
  /** False: the agent cannot handle GETBULK. */
  readonly bulk: boolean
  /** Limit of max-repetitions in a GETBULK; 0: found by trying. */
  readonly maxRepetitions: number
  /** Limit of varbinds in a GET; 0: found by trying. */
  readonly maxVarbinds: number
  /** OIDs that are never walked: tables that never end, take minutes, or crash the agent. */
  readonly badTables: readonly string[]
}
