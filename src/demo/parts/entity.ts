import type { Gauge } from '../gauge.ts'
import { entAliasMappingTable, entPhySensorTable, entPhysicalTable } from '../mib/entity.ts'
import { type AgentRow, type Instance, tableRows } from '../table.ts'

/** PhysicalClass (RFC 6933). */
const CLASS = {
  other: 1,
  unknown: 2,
  chassis: 3,
  backplane: 4,
  container: 5,
  powerSupply: 6,
  fan: 7,
  sensor: 8,
  module: 9,
  port: 10,
  stack: 11,
  cpu: 12,
} as const

/** Values of EntitySensorDataScale. */
const MILLI = 8
const UNITS = 9

/**
 * EntitySensorDataType (RFC 3433) with scale, precision and display unit. 14 is dBm, which is not in the RFC but which
 * vendors send.
 */
const SENSOR = {
  voltsDC: { type: 4, scale: UNITS, precision: 2, unit: 'Volts' },
  amperes: { type: 5, scale: UNITS, precision: 2, unit: 'Amperes' },
  milliamperes: { type: 5, scale: MILLI, precision: 2, unit: 'Amperes' },
  watts: { type: 6, scale: UNITS, precision: 1, unit: 'Watts' },
  celsius: { type: 8, scale: UNITS, precision: 1, unit: 'Celsius' },
  percentRH: { type: 9, scale: UNITS, precision: 1, unit: 'Percent relative humidity' },
  rpm: { type: 10, scale: UNITS, precision: 0, unit: 'RPM' },
  dBm: { type: 14, scale: UNITS, precision: 2, unit: 'dBm' },
} as const

/** A physical entity of a device, with the `parts` it contains. */
export interface Part {
  readonly index: number
  readonly name: string
  readonly class: keyof typeof CLASS
  readonly descr?: string
  readonly vendorType?: string
  readonly model?: string
  readonly serial?: string
  readonly manufacturer?: string
  readonly hardwareRev?: string
  readonly firmwareRev?: string
  readonly softwareRev?: string
  /** Field-replaceable unit. */
  readonly fru?: boolean
  readonly ifIndex?: number
  readonly sensor?: { readonly kind: keyof typeof SENSOR; readonly value: Gauge }
  readonly parts?: readonly Part[]
}

interface Placed {
  readonly part: Part
  readonly containedIn: number
  readonly position: number
}

/** entPhysicalTable, entAliasMappingTable and entPhySensorTable of a chassis and its contents. */
export function entityTables(roots: readonly Part[], { sensors = true } = {}): Instance[] {
  const placed = roots.flatMap((part, i) => place(part, 0, i + 1))
  return [
    ...tableRows(
      entPhysicalTable,
      placed.map((p) => [p.part.index, physicalRow(p)] as const),
    ),
    ...tableRows(
      entAliasMappingTable,
      placed.flatMap(({ part }) =>
        part.ifIndex === undefined
          ? []
          : [[`${part.index}.0`, { entAliasMappingIdentifier: `1.3.6.1.2.1.2.2.1.1.${part.ifIndex}` }] as const],
      ),
    ),
    ...(sensors
      ? tableRows(
          entPhySensorTable,
          placed.flatMap(({ part }) => sensorRow(part)),
        )
      : []),
  ]
}

function place(part: Part, containedIn: number, position: number): Placed[] {
  return [{ part, containedIn, position }, ...(part.parts ?? []).flatMap((inner, i) => place(inner, part.index, i + 1))]
}

function physicalRow({ part, containedIn, position }: Placed): AgentRow<typeof entPhysicalTable> {
  return {
    entPhysicalDescr: part.descr ?? part.name,
    entPhysicalVendorType: part.vendorType ?? '0.0',
    entPhysicalContainedIn: containedIn,
    entPhysicalClass: CLASS[part.class],
    entPhysicalParentRelPos: position,
    entPhysicalName: part.name,
    entPhysicalHardwareRev: part.hardwareRev ?? '',
    entPhysicalFirmwareRev: part.firmwareRev ?? '',
    entPhysicalSoftwareRev: part.softwareRev ?? '',
    entPhysicalSerialNum: part.serial ?? '',
    entPhysicalMfgName: part.manufacturer ?? '',
    entPhysicalModelName: part.model ?? '',
    entPhysicalAlias: '',
    entPhysicalAssetID: '',
    entPhysicalIsFRU: part.fru === true ? 1 : 2,
  }
}

function sensorRow(part: Part): (readonly [number, AgentRow<typeof entPhySensorTable>])[] {
  if (part.sensor === undefined) return []
  const { kind, value } = part.sensor
  const { type, scale, precision, unit } = SENSOR[kind]
  return [
    [
      part.index,
      {
        entPhySensorType: type,
        entPhySensorScale: scale,
        entPhySensorPrecision: precision,
        entPhySensorValue: (t) => value(t) * 10 ** precision,
        entPhySensorOperStatus: 1,
        entPhySensorUnitsDisplay: unit,
        entPhySensorValueTimeStamp: (t) => t.ticks,
        entPhySensorValueUpdateRate: 10_000,
      },
    ],
  ]
}
