import { arubaWiredPmXcvrTable } from '../../mibs/arubawired-pm-mib.ts'
import { eltPhdTransceiverInfoTable } from '../../mibs/eltex-mes-physical-description-mib.ts'
import { hh3cTransceiverInfoTable } from '../../mibs/hh3c-transceiver-info-mib.ts'
import { HPICF_DIAGNOSTICS_DOM, hpicfXcvrInfoTable } from '../../mibs/hp-icf-transceiver-mib.ts'
import { hwOpticalModuleInfoTable } from '../../mibs/huawei-optical-mib.ts'
import { cmmTransEEPROMTable } from '../../mibs/ipi-cmm-chassis-mib.ts'
import { mtxrOpticalTable } from '../../mibs/mikrotik-optical-mib.ts'
import { SFF_CONNECTOR, SFF_IDENTIFIER } from '../../mibs/sff-8024.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { TN_PSD_UNAVAILABLE, tnPsdSfpInfoTable } from '../../mibs/tropic-psd-mib.ts'
import type { MibTable, Row } from '../../snmp/table.ts'
import { need, type TableNeed } from '../module.ts'
import type { TransceiverRow } from './observation.ts'
import { cmmTransceiver } from './ocnos.ts'
import { type Known, longest, positive, told, transceiver, truth } from './row.ts'

/** What a source may ask about the device's interfaces. */
export interface Interfaces {
  /** ifIndex of an entity, as ENTITY-MIB maps it. */
  readonly ofEntity: ReadonlyMap<number, number>
  /** ifIndex by ifName; empty unless the source wants names. */
  readonly byName: ReadonlyMap<string, number>
}

/** A maker's own table of transceivers. It is asked on devices whose sysObjectID is in one of the maker's arcs. */
export interface Source {
  readonly enterprises: readonly number[]
  readonly optics: TableNeed
  readonly names: boolean
  /** null: the row holds no module. */
  row(index: string, row: Row<MibTable>, interfaces: Interfaces): TransceiverRow | null
}

function source<T extends MibTable>(
  enterprises: readonly number[],
  table: T,
  row: (row: Row<T>, index: string, interfaces: Interfaces) => Known | null,
  names = false,
): Source {
  return {
    enterprises,
    optics: need(table),
    names,
    row(index, cells, interfaces) {
      // The cells are of this very table: the runner reads what the need says.
      const known = row(cells as Row<T>, index, interfaces)
      return known === null ? null : transceiver(known)
    },
  }
}

/** A row whose index is the interface. */
function ofInterface(index: string): Known | null {
  const ifIndex = /^\d{1,10}$/.test(index) ? Number(index) : 0
  return ifIndex === 0 || ifIndex > 0x7fffffff ? null : { index, ifIndex, entity_physical_index: ifIndex }
}

/** A module is there when anything that its EEPROM says is known. */
function unless(known: Known | null, told: readonly (string | null)[]): Known | null {
  return told.every((text) => text === null) ? null : known
}

const octetsText = (octets: Uint8Array | undefined) =>
  octets === undefined ? null : [...octets].map((octet) => octet.toString(16).padStart(2, '0')).join(' ')

/** MikroTik's temperature of an empty cage: -128 °C, sent as Gauge32. */
const MTXR_EMPTY = 2 ** 32 - 128

export const SOURCES: readonly Source[] = [
  // H3C, HPE Comware.
  source([25506, 2011, 43], hh3cTransceiverInfoTable, (row, index) => {
    const type = told(row.hh3cTransceiverType)
    const serial = told(row.hh3cTransceiverSerialNumber)
    const base = ofInterface(index)
    return unless(
      base && {
        ...base,
        type,
        serial,
        vendor: told(row.hh3cTransceiverVendorName),
        oui: told(row.hh3cTransceiverVendorOUI),
        model: told(row.hh3cTransceiverPartNumber),
        revision: told(row.hh3cTransceiverRevisionNumber),
        ddm: truth(row.hh3cTransceiverDiagnostic),
        cable: told(row.hh3cTransceiverHardwareType),
        distance: positive(row.hh3cTransceiverTransferDistance),
        wavelength: positive(row.hh3cTransceiverWaveLength),
      },
      [type, serial],
    )
  }),
  source([47196], arubaWiredPmXcvrTable, (row, index) => {
    const model = told(row.arubaWiredPmXcvrProductNum)
    const serial = told(row.arubaWiredPmXcvrSerialNum)
    const km = positive(row.arubaWiredPmXcvrSmfTxDist)
    const base = ofInterface(index)
    return unless(
      base && {
        ...base,
        type: told(row.arubaWiredPmXcvrDescription),
        model,
        serial,
        revision: told(row.arubaWiredPmXcvrPartNum),
        ddm: truth(row.arubaWiredPmXcvrDiagnostics),
        cable: told(row.arubaWiredPmXcvrCableType),
        distance: km === null ? positive(row.arubaWiredPmXcvrCableLength) : km * 1000,
        wavelength: positive(row.arubaWiredPmXcvrWavelength),
        connector: told(row.arubaWiredPmXcvrConnectorType),
      },
      [model, serial],
    )
  }),
  source([11], hpicfXcvrInfoTable, (row, index) => {
    const model = told(row.hpicfXcvrModel)
    const serial = told(row.hpicfXcvrSerial)
    const base = ofInterface(index)
    return unless(
      base && {
        ...base,
        type: told(row.hpicfXcvrType),
        model,
        serial,
        date: told(row.hpicfXcvrManufactureDate),
        ddm: row.hpicfXcvrDiagnostics === undefined ? null : row.hpicfXcvrDiagnostics === HPICF_DIAGNOSTICS_DOM ? 1 : 0,
        distance: longest(row.hpicfXcvrTxDist),
        wavelength: positive(Number.parseInt(row.hpicfXcvrWavelength ?? '', 10)),
        connector: told(row.hpicfXcvrConnectorType),
      },
      [model, serial],
    )
  }),
  source([2011], hwOpticalModuleInfoTable, (row, index, { ofEntity }) => {
    const model = told(row.hwEntityOpticalVenderPn)
    const serial = told(row.hwEntityOpticalVendorSn)
    const base = ofInterface(index)
    // Ports without a module have rows as well.
    return unless(
      base && {
        ...base,
        ifIndex: ofEntity.get(Number(index)) ?? null,
        type: told(row.hwEntityTransceiverType),
        vendor: told(row.hwEntityOpticalVenderName),
        oui: told(row.hwEntityOpticalVendorOUI),
        model,
        revision: told(row.hwEntityOpticalVendorRev),
        serial,
        ddm: row.hwEntityOpticalSupportDDM === 0 ? 1 : row.hwEntityOpticalSupportDDM === 1 ? 0 : null,
        distance: longest(row.hwEntityOpticalTransferDistance),
        wavelength: positive(row.hwEntityOpticalWaveLength),
        connector: told(row.hwEntityOpticalConnectType),
      },
      [model, serial],
    )
  }),
  source([14988], mtxrOpticalTable, (row, index) => {
    const base = ofInterface(index)
    const temperature = row.mtxrOpticalTemperature
    if (base === null || temperature === MTXR_EMPTY || temperature === -128) return null
    const wavelength = positive(row.mtxrOpticalWavelength)
    return {
      ...base,
      vendor: told(row.mtxrOpticalVendorName),
      serial: told(row.mtxrOpticalVendorSerial),
      wavelength: wavelength === null ? null : Math.round(wavelength / 100),
    }
  }),
  source([35265], eltPhdTransceiverInfoTable, (row, index) => {
    const model = told(row.eltPhdTransceiverInfoPartNumber)
    const serial = told(row.eltPhdTransceiverInfoSerialNumber)
    const base = ofInterface(index)
    return unless(
      base && {
        ...base,
        type: told(row.eltPhdTransceiverInfoComplianceCode),
        vendor: told(row.eltPhdTransceiverInfoVendorName),
        model,
        revision: octetsText(row.eltPhdTransceiverInfoVendorRev),
        serial,
        ddm: truth(row.eltPhdTransceiverInfoDiagnostic),
        distance: positive(row.eltPhdTransceiverInfoTransferDistance),
        wavelength: positive(row.eltPhdTransceiverInfoWaveLength),
        connector: enumName(SFF_CONNECTOR, row.eltPhdTransceiverInfoConnectorType) ?? null,
      },
      [model, serial],
    )
  }),
  source([36673], cmmTransEEPROMTable, cmmTransceiver, true),
  source([7483], tnPsdSfpInfoTable, (row, index) => {
    const serial = told(row.tnPsdSfpInfoVendorSerialNumber)
    const base = row.tnPsdSfpInfoInvStatus === TN_PSD_UNAVAILABLE ? null : ofInterface(index)
    const wavelength = positive(row.tnPsdSfpInfoWavelength)
    return unless(
      base && {
        ...base,
        type: enumName(SFF_IDENTIFIER, row.tnPsdSfpInfoPhysicalIdentifier?.[0]) ?? null,
        vendor: told(row.tnPsdSfpInfoVendorName),
        model: told(row.tnPsdSfpInfoPartNumber),
        revision: told(row.tnPsdSfpInfoRevisionNumber),
        serial,
        date: told(row.tnPsdSfpInfoVendorDate),
        wavelength: wavelength === null ? null : Math.round(wavelength / 100),
        connector: enumName(SFF_CONNECTOR, row.tnPsdSfpInfoConnectorType?.[0]) ?? null,
      },
      [serial, told(row.tnPsdSfpInfoVendorName)],
    )
  }),
]

/** Sources of the device's maker, by the enterprise in its sysObjectID. */
export function sourcesOf(sysObjectID: string | null): readonly Source[] {
  const enterprise = Number(/^\.?1\.3\.6\.1\.4\.1\.(\d+)(?:\.|$)/.exec(sysObjectID ?? '')?.[1])
  return SOURCES.filter(({ enterprises }) => enterprises.includes(enterprise))
}
