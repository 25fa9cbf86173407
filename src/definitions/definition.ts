/**
 * What is known of an operating system, as data: one YAML file each in `os/`. This file says what such a file may hold;
 * `parse.ts` refuses everything else, so that a typing error fails the build and not a device.
 */
export interface OsDefinition {
  /** Short name as the API shows it, for example `ios`. The file has the same name. */
  readonly os: string
  /** Name for people. */
  readonly text: string
  /** Kind of device: network, server, wireless, firewall, loadbalancer, power, printer, storage, environment, management, appliance. */
  readonly type: string
  /** File name of the icon. */
  readonly icon: string
  /** Family: OSes of one maker that share traits. */
  readonly group: string | null
  /** A device has this OS when all conditions of one of these hold. */
  readonly detect: readonly Detection[]
  /** Where hardware, version, serial and features are told; for each of them the first source that knows it wins. */
  readonly identity: readonly IdentitySource[]
  /** What this OS's interfaces need beyond the settings. */
  readonly ports: PortRules
  /** What its agents must not be asked. */
  readonly quirks: Quirks
}

export interface Detection {
  /** Any of these prefixes of sysObjectID, at a sub-identifier's end. Absent: not looked at. */
  readonly sysObjectID?: readonly string[]
  /** Any of these in sysDescr. Absent: not looked at. */
  readonly sysDescr?: readonly RegExp[]
  /** None of these in sysDescr. */
  readonly sysDescrNot?: readonly RegExp[]
  /**
   * Objects of the agent by OID with instance, and what their text must match; an agent without the object does not
   * match. They are only asked for when everything else of the condition holds and no better definition is certain.
   */
  readonly objects?: ReadonlyMap<string, RegExp>
}

export const IDENTITY_FIELDS = ['hardware', 'version', 'serial', 'features'] as const
export type IdentityField = (typeof IDENTITY_FIELDS)[number]

/** Columns of ENTITY-MIB::entPhysicalTable that an identity can come from. */
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

/** Fields as texts in which `{name}` stands for a named group or a named object; a field whose names are not all known is not told. */
export type Templates = Readonly<Partial<Record<IdentityField, string>>>

export type IdentitySource =
  /** Named groups (`hardware`, `version`, `serial`, `features`) of an expression on sysDescr; with `set`, groups of any name. */
  | { readonly from: 'sysDescr'; readonly match: RegExp; readonly set: Templates | null }
  /** An object with its instance: the whole text as one field, or named groups of an expression on it. */
  | {
      readonly from: 'scalar'
      readonly oid: string
      readonly as: IdentityField | null
      readonly match: RegExp | null
      readonly set: Templates | null
    }
  /** A column of a table: like a scalar, from the first row whose text is not empty and matches, or from one row. */
  | {
      readonly from: 'column'
      readonly oid: string
      /** The object whose value is the row's index; null: the first row. */
      readonly row: string | null
      readonly as: IdentityField | null
      readonly match: RegExp | null
      readonly set: Templates | null
    }
  /** Several objects put together. */
  | { readonly from: 'objects'; readonly oids: ReadonlyMap<string, string>; readonly set: Templates }
  /** Names of products by sysObjectID, from the vendor's products MIB: the hardware. */
  | { readonly from: 'products'; readonly names: ReadonlyMap<string, string> }
  /** The chassis: the entity that is contained in nothing, by preference one of class chassis. */
  | { readonly from: 'chassis'; readonly fields: Readonly<Partial<Record<IdentityField, EntitySource>>> }

/** What an OS's interfaces need beyond the settings `bad_if`, `bad_if_regexp` and `bad_iftype`. */
export interface PortRules {
  readonly badIf?: readonly string[]
  readonly badIfRegexp?: readonly string[]
  readonly badIfType?: readonly string[]
  readonly goodIf?: readonly string[]
  /** Interfaces without ifDescr and ifName become ports. */
  readonly nameless?: boolean
}

/** What an agent does not bear. Absent members are found out while it is asked. */
export interface Quirks {
  /** False: the agent does not bear GETBULK. */
  readonly bulk: boolean
  /** Most repetitions of a GETBULK; 0: found out. */
  readonly maxRepetitions: number
  /** Most varbinds of a GET; 0: found out. */
  readonly maxVarbinds: number
  /** OIDs below which nothing is walked: tables that never end, take minutes, or bring the agent down. */
  readonly badTables: readonly string[]
}
