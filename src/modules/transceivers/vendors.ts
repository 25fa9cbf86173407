import type { MibTable, Row } from '@portlight/snmp/table.ts'
import { arubaWiredPmXcvrTable } from '../../mibs/arubawired-pm-mib.ts'
import { atPluggableDiagRxPowerTable } from '../../mibs/at-pluggable-diagnostics-mib.ts'
import { eltPhdTransceiverInfoTable } from '../../mibs/eltex-mes-physical-description-mib.ts'
import { connUnitPortTable } from '../../mibs/fcmgmt-mib.ts'
import { hh3cTransceiverInfoTable } from '../../mibs/hh3c-transceiver-info-mib.ts'
import { HPICF_DIAGNOSTICS_DOM, hpicfXcvrInfoTable } from '../../mibs/hp-icf-transceiver-mib.ts'
import { hwOpticalModuleInfoTable } from '../../mibs/huawei-optical-mib.ts'
import { cmmTransEEPROMTable } from '../../mibs/ipi-cmm-chassis-mib.ts'
import { mtxrOpticalTable } from '../../mibs/mikrotik-optical-mib.ts'
import { SFF_CONNECTOR, SFF_IDENTIFIER } from '../../mibs/sff-8024.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { tmnxPortTable } from '../../mibs/timetra-port-mib.ts'
import { TN_PSD_UNAVAILABLE, tnPsdSfpInfoTable } from '../../mibs/tropic-psd-mib.ts'
import { ZY_DDM, zyxelTransceiverSerialTable } from '../../mibs/zyxel-transceiver-mib.ts'
import { type DeviceFacts, need, type TableNeed } from '../module.ts'
import { isFrom, type Vendor } from '../vendor.ts'
import { fibreChannelModule } from './fibre-channel.ts'
import type { Interfaces } from './interfaces.ts'
import type { TransceiverRow } from './observation.ts'
import { cmmTransceiver } from './ocnos.ts'
import { isNamed, PLAIN, plainTransceiver } from './plain.ts'
import { type Known, longest, MAX_CHANNELS, positive, reported, transceiver, truth } from './row.ts'

/** A vendor's own table of transceivers, read only from devices of that vendor. */
export interface Source {
  readonly vendors: readonly Vendor[]
  readonly optics: TableNeed
  readonly names: boolean
  /** null: the cage is empty. Rows of the same index are one module, with the most channels of any. */
  row(index: string, row: Row<MibTable>, interfaces: Interfaces): TransceiverRow | null
}

function source<T extends MibTable>(
  vendors: readonly Vendor[],
  table: T,
  row: (row: Row<T>, index: string, interfaces: Interfaces) => Known | null,
  names = false,
): Source {
  return {
    vendors,
    optics: need(table),
    names,
    row(index, cells, interfaces) {
      // The runner reads this source's own table, so the cells have its type.
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

/** The module, or null for an empty cage, of which none of these EEPROM texts is known. */
function ifAny(known: Known | null, texts: readonly (string | null)[]): Known | null {
  return texts.every((text) => text === null) ? null : known
}

/** An OUI as the agent sends it: three octets, or text. */
const ouiText = (oui: Uint8Array | undefined) =>
  oui?.length === 3 ? octetsText(oui) : reported(new TextDecoder().decode(oui))

const octetsText = (octets: Uint8Array | undefined) =>
  octets === undefined ? null : [...octets].map((octet) => octet.toString(16).padStart(2, '0').toUpperCase()).join(' ')

const channelsOf = (count: number | undefined) => Math.min(MAX_CHANNELS, positive(count) ?? 1)

/** MikroTik reports -128 °C for an empty cage, as a Gauge32. */
const MTXR_EMPTY = 2 ** 32 - 128

export const SOURCES: readonly Source[] = [
  source(['h3c', 'huawei', 'threecom'], hh3cTransceiverInfoTable, (row, index) => {
    const type = reported(row.hh3cTransceiverType)
    const serial = reported(row.hh3cTransceiverSerialNumber)
    const base = ofInterface(index)
    return ifAny(
      base && {
        ...base,
        type,
        serial,
        vendor: reported(row.hh3cTransceiverVendorName),
        oui: ouiText(row.hh3cTransceiverVendorOUI),
        model: reported(row.hh3cTransceiverPartNumber),
        revision: reported(row.hh3cTransceiverRevisionNumber),
        ddm: truth(row.hh3cTransceiverDiagnostic),
        cable: reported(row.hh3cTransceiverHardwareType),
        distance: positive(row.hh3cTransceiverTransferDistance),
        wavelength: positive(row.hh3cTransceiverWaveLength),
      },
      [type, serial],
    )
  }),
  source(['hpe'], arubaWiredPmXcvrTable, (row, index) => {
    const model = reported(row.arubaWiredPmXcvrProductNum)
    const serial = reported(row.arubaWiredPmXcvrSerialNum)
    const km = positive(row.arubaWiredPmXcvrSmfTxDist)
    const base = ofInterface(index)
    return ifAny(
      base && {
        ...base,
        type: reported(row.arubaWiredPmXcvrDescription),
        model,
        serial,
        revision: reported(row.arubaWiredPmXcvrPartNum),
        ddm: truth(row.arubaWiredPmXcvrDiagnostics),
        cable: reported(row.arubaWiredPmXcvrCableType),
        distance: km === null ? positive(row.arubaWiredPmXcvrCableLength) : km * 1000,
        wavelength: positive(row.arubaWiredPmXcvrWavelength),
        connector: reported(row.arubaWiredPmXcvrConnectorType),
      },
      [model, serial],
    )
  }),
  source(['hp'], hpicfXcvrInfoTable, (row, index) => {
    const model = reported(row.hpicfXcvrModel)
    const serial = reported(row.hpicfXcvrSerial)
    const base = ofInterface(index)
    return ifAny(
      base && {
        ...base,
        type: reported(row.hpicfXcvrType),
        model,
        serial,
        date: reported(row.hpicfXcvrManufactureDate),
        ddm: row.hpicfXcvrDiagnostics === undefined ? null : row.hpicfXcvrDiagnostics === HPICF_DIAGNOSTICS_DOM ? 1 : 0,
        distance: longest(row.hpicfXcvrTxDist),
        wavelength: positive(Number.parseInt(row.hpicfXcvrWavelength ?? '', 10)),
        connector: reported(row.hpicfXcvrConnectorType),
      },
      [model, serial],
    )
  }),
  source(['huawei'], hwOpticalModuleInfoTable, (row, index, { ofEntity }) => {
    const model = reported(row.hwEntityOpticalVenderPn)
    const serial = reported(row.hwEntityOpticalVendorSn)
    const base = ofInterface(index)
    // Ports without a module also have rows.
    return ifAny(
      base && {
        ...base,
        ifIndex: ofEntity.get(Number(index)) ?? null,
        type: reported(row.hwEntityTransceiverType),
        vendor: reported(row.hwEntityOpticalVenderName),
        oui: reported(row.hwEntityOpticalVendorOUI),
        model,
        revision: reported(row.hwEntityOpticalVendorRev),
        serial,
        ddm: row.hwEntityOpticalSupportDDM === 0 ? 1 : row.hwEntityOpticalSupportDDM === 1 ? 0 : null,
        distance: longest(row.hwEntityOpticalTransferDistance),
        wavelength: positive(row.hwEntityOpticalWaveLength),
        connector: reported(row.hwEntityOpticalConnectType),
      },
      [model, serial],
    )
  }),
  source(['mikrotik'], mtxrOpticalTable, (row, index) => {
    const base = ofInterface(index)
    const temperature = row.mtxrOpticalTemperature
    if (base === null || temperature === MTXR_EMPTY || temperature === -128) return null
    const wavelength = positive(row.mtxrOpticalWavelength)
    return {
      ...base,
      vendor: reported(row.mtxrOpticalVendorName),
      serial: reported(row.mtxrOpticalVendorSerial),
      wavelength: wavelength === null ? null : Math.round(wavelength / 100),
    }
  }),
  source(['eltex'], eltPhdTransceiverInfoTable, (row, index) => {
    const model = reported(row.eltPhdTransceiverInfoPartNumber)
    const serial = reported(row.eltPhdTransceiverInfoSerialNumber)
    const base = ofInterface(index)
    return ifAny(
      base && {
        ...base,
        type: reported(row.eltPhdTransceiverInfoComplianceCode),
        vendor: reported(row.eltPhdTransceiverInfoVendorName),
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
  source(['alliedTelesis'], atPluggableDiagRxPowerTable, (_, index) => {
    // A row for each channel, only of modules with diagnostics; the agent does not tell what they are.
    const [ifIndex = '', channel = ''] = index.split('.')
    const base = ofInterface(ifIndex)
    return base && { ...base, ddm: 1, channels: channelsOf(Number(channel)) }
  }),
  source(['fibreChannel'], connUnitPortTable, fibreChannelModule, true),
  source(['ipInfusion'], cmmTransEEPROMTable, cmmTransceiver, true),
  source(['nokiaTransport'], tnPsdSfpInfoTable, (row, index) => {
    const serial = reported(row.tnPsdSfpInfoVendorSerialNumber)
    const base = row.tnPsdSfpInfoInvStatus === TN_PSD_UNAVAILABLE ? null : ofInterface(index)
    const wavelength = positive(row.tnPsdSfpInfoWavelength)
    return ifAny(
      base && {
        ...base,
        type: enumName(SFF_IDENTIFIER, row.tnPsdSfpInfoPhysicalIdentifier?.[0]) ?? null,
        vendor: reported(row.tnPsdSfpInfoVendorName),
        model: reported(row.tnPsdSfpInfoPartNumber),
        revision: reported(row.tnPsdSfpInfoRevisionNumber),
        serial,
        date: reported(row.tnPsdSfpInfoVendorDate),
        wavelength: wavelength === null ? null : Math.round(wavelength / 100),
        connector: enumName(SFF_CONNECTOR, row.tnPsdSfpInfoConnectorType?.[0]) ?? null,
      },
      [serial, reported(row.tnPsdSfpInfoVendorName)],
    )
  }),
  source(['nokia'], tmnxPortTable, (row, index) => {
    // Ports without a cage also have rows.
    const base = truth(row.tmnxPortSFPEquipped) === 1 ? ofInterface(index.split('.')[1] ?? '') : null
    const oui = positive(row.tmnxPortSFPVendorOUI)
    const wavelength = positive(row.tmnxPortTransceiverLaserWaveLen)
    return (
      base && {
        ...base,
        type: enumName(SFF_IDENTIFIER, row.tmnxPortTransceiverType) ?? null,
        oui: oui?.toString(16).padStart(6, '0') ?? null,
        model: reported(row.tmnxPortTransceiverModelNumber) ?? reported(row.tmnxPortSFPVendorPartNum),
        serial: reported(row.tmnxPortSFPVendorSerialNum),
        ddm: truth(row.tmnxPortTransceiverDiagCapable),
        // Values from 850,000 are in picometres.
        wavelength: wavelength !== null && wavelength >= 850_000 ? Math.round(wavelength / 1000) : wavelength,
        connector: enumName(SFF_CONNECTOR, row.tmnxPortSFPConnectorCode) ?? null,
        channels: channelsOf(row.tmnxPortSFPNumLanes),
      }
    )
  }),
  source(['zyxel'], zyxelTransceiverSerialTable, (row, index) => {
    const model = reported(row.zyTransceiverSerialPartNumber)
    const serial = reported(row.zyTransceiverSerialSerialNumber)
    const base = ofInterface(index)
    return ifAny(
      base && {
        ...base,
        type: reported(row.zyTransceiverSerialTransceiver),
        vendor: reported(row.zyTransceiverSerialVendor),
        model,
        revision: reported(row.zyTransceiverSerialRevision),
        serial,
        date: reported(row.zyTransceiverSerialDateCode),
        ddm: ZY_DDM[row.zyTransceiverSerialModuleType ?? 0] ?? null,
      },
      [model, serial],
    )
  }),
  ...PLAIN.map(
    (plain): Source => ({
      vendors: plain.vendors,
      optics: need(plain.table),
      names: isNamed(plain),
      row: (index, cells, interfaces) => plainTransceiver(plain, index, cells, interfaces),
    }),
  ),
]

/** The tables that the device's vendor has, in the order in which they are tried. */
export function sourcesOf(device: DeviceFacts): readonly Source[] {
  return SOURCES.filter(({ vendors }) => vendors.some((vendor) => isFrom(device, vendor)))
}
