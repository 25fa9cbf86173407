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

/** EntitySensorDataType (RFC 3433) with the precision that fits and the unit it is shown in. */
const SENSOR = {
  voltsDC: { type: 4, precision: 2, unit: 'Volts' },
  amperes: { type: 5, precision: 2, unit: 'Amperes' },
  watts: { type: 6, precision: 1, unit: 'Watts' },
  celsius: { type: 8, precision: 1, unit: 'Celsius' },
  percentRH: { type: 9, precision: 1, unit: 'Percent relative humidity' },
  rpm: { type: 10, precision: 0, unit: 'RPM' },
} as const

/** EntitySensorDataScale: units. */
const SCALE_UNITS = 9

/** One physical thing of a device; `parts` stand inside of it. */
export interface Part {
  readonly index: number
  readonly name: string
  readonly class: keyof typeof CLASS
  readonly descr?: string
  readonly vendorType?: string
  readonly model?: string
  readonly serial?: string
  readonly maker?: string
  readonly hardwareRev?: string
  readonly firmwareRev?: string
  readonly softwareRev?: string
  /** Can be replaced in the field. */
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

/** entPhysicalTable, entAliasMappingTable and entPhySensorTable of a chassis and all that is inside. */
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
    entPhysicalMfgName: part.maker ?? '',
    entPhysicalModelName: part.model ?? '',
    entPhysicalAlias: '',
    entPhysicalAssetID: '',
    entPhysicalIsFRU: part.fru === true ? 1 : 2,
  }
}

function sensorRow(part: Part): (readonly [number, AgentRow<typeof entPhySensorTable>])[] {
  if (part.sensor === undefined) return []
  const { kind, value } = part.sensor
  const { type, precision, unit } = SENSOR[kind]
  return [
    [
      part.index,
      {
        entPhySensorType: type,
        entPhySensorScale: SCALE_UNITS,
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
