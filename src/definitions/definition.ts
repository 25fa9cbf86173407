/**
 * What is known of an operating system, as data: one YAML file each in `os/`. This file says what such a file may hold;
 * `parseDefinition` refuses everything else, so that a typing error fails the build and not a device.
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
}

export interface Detection {
  /** Any of these prefixes of sysObjectID, at a sub-identifier's end. Absent: not looked at. */
  readonly sysObjectID?: readonly string[]
  /** Any of these in sysDescr. Absent: not looked at. */
  readonly sysDescr?: readonly RegExp[]
  /** None of these in sysDescr. */
  readonly sysDescrNot?: readonly RegExp[]
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

export type IdentitySource =
  /** Named groups (`hardware`, `version`, `serial`, `features`) of an expression on sysDescr. */
  | { readonly from: 'sysDescr'; readonly match: RegExp }
  /** A scalar: the whole text as one field, or named groups of an expression on it. */
  | { readonly from: 'scalar'; readonly oid: string; readonly as: IdentityField | null; readonly match: RegExp | null }
  /** The chassis: the entity that is contained in nothing, by preference one of class chassis. */
  | { readonly from: 'chassis'; readonly fields: Readonly<Partial<Record<IdentityField, EntitySource>>> }

export interface PortRules {
  readonly badIf?: readonly string[]
  readonly badIfRegexp?: readonly string[]
  readonly badIfType?: readonly string[]
  readonly goodIf?: readonly string[]
  readonly nameless?: boolean
}

/** A definition file is wrong: `path` is where, for example `ios.detect[0].sysDescr`. Broken contract: the build fails on it. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  constructor(
    readonly path: string,
    problem: string,
  ) {
    super(`${path}: ${problem}`)
  }
}

/** Reads what YAML made of a definition file. Throws DefinitionError on an unknown key, a wrong type, an expression that does not compile. */
export function parseDefinition(name: string, value: unknown): OsDefinition {
  const root = object(name, value, ['os', 'text', 'type', 'icon', 'group', 'detect', 'identity', 'ports'])
  const os = text(`${name}.os`, root['os'])
  if (os !== name || !/^[a-z0-9-_]{1,32}$/.test(os))
    throw new DefinitionError(`${name}.os`, 'must be the name of the file')
  const type = text(`${name}.type`, root['type'])
  if (type.length > 20) throw new DefinitionError(`${name}.type`, 'is longer than 20 characters')
  return {
    os,
    text: text(`${name}.text`, root['text']),
    type,
    icon: text(`${name}.icon`, root['icon']),
    group: root['group'] === undefined ? null : text(`${name}.group`, root['group']),
    detect: list(`${name}.detect`, root['detect']).map((item, i) => detection(`${name}.detect[${i}]`, item)),
    identity: list(`${name}.identity`, root['identity'] ?? []).map((item, i) => source(`${name}.identity[${i}]`, item)),
    ports: portRules(`${name}.ports`, root['ports'] ?? {}),
  }
}

function detection(path: string, value: unknown): Detection {
  const item = object(path, value, ['sysObjectID', 'sysDescr', 'sysDescrNot'])
  if (item['sysObjectID'] === undefined && item['sysDescr'] === undefined) {
    throw new DefinitionError(path, 'needs sysObjectID or sysDescr')
  }
  return {
    ...(item['sysObjectID'] !== undefined && {
      sysObjectID: texts(`${path}.sysObjectID`, item['sysObjectID']).map((oid) => oidText(`${path}.sysObjectID`, oid)),
    }),
    ...(item['sysDescr'] !== undefined && { sysDescr: expressions(`${path}.sysDescr`, item['sysDescr']) }),
    ...(item['sysDescrNot'] !== undefined && { sysDescrNot: expressions(`${path}.sysDescrNot`, item['sysDescrNot']) }),
  }
}

function source(path: string, value: unknown): IdentitySource {
  const item = object(path, value, ['sysDescr', 'scalar', 'as', 'match', 'chassis'])
  if (item['sysDescr'] !== undefined) {
    object(path, value, ['sysDescr'])
    return { from: 'sysDescr', match: fieldExpression(`${path}.sysDescr`, item['sysDescr']) }
  }
  if (item['chassis'] !== undefined) {
    object(path, value, ['chassis'])
    const fields: Partial<Record<IdentityField, EntitySource>> = {}
    for (const [field, column] of Object.entries(object(`${path}.chassis`, item['chassis'], IDENTITY_FIELDS))) {
      fields[oneOf(path, field, IDENTITY_FIELDS)] = oneOf(`${path}.chassis.${field}`, column, ENTITY_SOURCES)
    }
    return { from: 'chassis', fields }
  }
  const oid = oidText(`${path}.scalar`, text(`${path}.scalar`, item['scalar']))
  const as = item['as'] === undefined ? null : oneOf(`${path}.as`, item['as'], IDENTITY_FIELDS)
  const match = item['match'] === undefined ? null : fieldExpression(`${path}.match`, item['match'])
  if ((as === null) === (match === null)) throw new DefinitionError(path, 'needs one of as and match')
  return { from: 'scalar', oid, as, match }
}

function portRules(path: string, value: unknown): PortRules {
  const item = object(path, value, ['badIf', 'badIfRegexp', 'badIfType', 'goodIf', 'nameless'])
  const nameless = item['nameless']
  if (nameless !== undefined && typeof nameless !== 'boolean') {
    throw new DefinitionError(`${path}.nameless`, 'must be true or false')
  }
  if (item['badIfRegexp'] !== undefined) expressions(`${path}.badIfRegexp`, item['badIfRegexp'])
  return {
    ...(item['badIf'] !== undefined && { badIf: texts(`${path}.badIf`, item['badIf']) }),
    ...(item['badIfRegexp'] !== undefined && { badIfRegexp: texts(`${path}.badIfRegexp`, item['badIfRegexp']) }),
    ...(item['badIfType'] !== undefined && { badIfType: texts(`${path}.badIfType`, item['badIfType']) }),
    ...(item['goodIf'] !== undefined && { goodIf: texts(`${path}.goodIf`, item['goodIf']) }),
    ...(nameless !== undefined && { nameless }),
  }
}

function object(path: string, value: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DefinitionError(path, 'must be a map')
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) throw new DefinitionError(path, `unknown key ${key}; known are ${keys.join(', ')}`)
  }
  // A map from YAML has text keys, and each value is looked at before it is used.
  return value as Readonly<Record<string, unknown>>
}

function list(path: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new DefinitionError(path, 'must be a list')
  return value
}

function text(path: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new DefinitionError(path, 'must be a text')
  return value
}

function texts(path: string, value: unknown): readonly string[] {
  return list(path, value).map((item, i) => text(`${path}[${i}]`, item))
}

function oneOf<const T extends string>(path: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value)
  if (found === undefined) throw new DefinitionError(path, `must be one of ${allowed.join(', ')}`)
  return found
}

function oidText(path: string, value: string): string {
  if (!/^\d+(\.\d+)+$/.test(value)) throw new DefinitionError(path, `${value} is no dotted decimal OID`)
  return value
}

function expressions(path: string, value: unknown): readonly RegExp[] {
  return texts(path, value).map((item) => expression(path, item))
}

function expression(path: string, value: string): RegExp {
  try {
    return new RegExp(value, 'i')
  } catch (cause) {
    throw new DefinitionError(path, `${value} is no regular expression: ${String(cause)}`)
  }
}

/** An expression whose named groups are identity fields. */
function fieldExpression(path: string, value: unknown): RegExp {
  const pattern = text(path, value)
  const names = [...pattern.matchAll(/\(\?<([A-Za-z]\w*)>/g)].map((match) => match[1])
  if (names.length === 0) throw new DefinitionError(path, 'has no named group')
  for (const name of names) oneOf(path, name, IDENTITY_FIELDS)
  return expression(path, pattern)
}
