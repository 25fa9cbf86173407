import { optics } from './transceiver-tables.ts'

// More tables of pluggable modules: access nodes, transport, microwave, industrial switches.

/** Indexed by the port's number, as text. */
export const sfpSerialInfoTable = optics('ADVANTECH-EKI-PRONEER-MIB::sfpSerialInfoTable', '10297.202.7000.2.5.1.1', {
  serial: 8,
  model: 6,
  vendor: 4,
  type: 3,
  revision: 7,
  date: 9,
  connector: 2,
})
/** Indexed by ifIndex; wavelengths in nanometres or, depending on the release, in hundredths of one. */
export const tnSfpPortInfoTable = optics('TROPIC-OPTICALPORT-MIB::tnSfpPortInfoTable', '7483.2.2.4.3.5.46.1', {
  serial: 2,
  model: 9,
  vendor: 4,
  type: 7,
  date: 12,
  wavelength: 6,
})
/** Indexed by a number of its own; ubntSfpName is the interface's name. */
export const ubntSfpsTable = optics('UBNT-UFIBER-MIB::ubntSfpsTable', '41112.1.5.7.2.1', {
  model: 5,
  vendor: 4,
  name: 2,
})
/** Indexed by a number of its own. */
export const nptTransceiverInventoryTable = optics(
  'NPT-SYSTEM-MIB::nptTransceiverInventoryTable',
  '1286.5.1.1.2.1.8.3.1',
  { serial: 5, vendor: 4, type: 3, revision: 6, name: 2 },
)
/** Indexed by ifIndex. */
export const rcPlugOptModTable = optics('RAPID-CITY::rcPlugOptModTable', '2272.1.71.1.1', {
  serial: 9,
  model: 7,
  vendor: 6,
  revision: 8,
  date: 10,
  ddm: 13,
  wavelength: 16,
  connector: 5,
})
/** Indexed by ifIndex. */
export const s5ChasGbicInfoTable = optics('S5-CHASSIS-MIB::s5ChasGbicInfoTable', '45.1.6.3.12.1.1', {
  serial: 8,
  model: 6,
  vendor: 4,
  type: 2,
  revision: 7,
  date: 10,
  wavelength: 3,
})
/** Indexed by ifIndex. */
export const ruijieFiberTable = optics('RUIJIE-FIBER-MIB::ruijieFiberTable', '4881.1.1.10.2.105.1.1.1', {
  serial: 16,
  type: 165,
  ddm: 15,
  wavelength: 5,
  connector: 166,
})
/** Indexed by ifIndex. */
export const transbasicinformationTable = optics('SWITCH::transbasicinformationTable', '27975.37.1.10.1.1', {
  serial: 4,
  model: 3,
  vendor: 2,
  wavelength: 5,
})
/** Indexed by ifIndex. */
export const ifSfpParameterTable = optics('NMS-IF-MIB::ifSfpParameterTable', '11606.10.9.63.1.7.1', {
  serial: 23,
  model: 44,
  vendor: 7,
  distance: 18,
  wavelength: 19,
})
/** Indexed by the port's ifIndex. */
export const opticalModuleInfoTable = optics('NMS-OPTICAL-MIB::opticalModuleInfoTable', '56166.1.8.2.1', {
  serial: 6,
  model: 7,
  vendor: 5,
  type: 2,
  ddm: 9,
  distance: 8,
  wavelength: 4,
  connector: 3,
})
/** Indexed by ifIndex. */
export const qtechDdmTranscDiagnosisTable = optics('QTECH-MIB::ddmTranscDiagnosisTable', '27514.100.30.1.1', {
  serial: 27,
  vendor: 28,
})
/** Indexed by the interface's name. */
export const sfpDetailTable = optics('VIPTELA-OPER-VPN::sfpDetailTable', '41916.12.17.1.1', {
  serial: 21,
  model: 19,
  vendor: 17,
  revision: 20,
  date: 22,
  wavelength: 16,
})
/** Indexed by transceiver and a key. */
export const cwsXcvrVendorIdTable = optics('CIENA-WS-XCVR-MIB::cwsXcvrVendorIdTable', '1271.3.4.15.9.1', {
  serial: 5,
  model: 3,
  vendor: 2,
  revision: 4,
  date: 6,
})
/** Indexed by shelf, slot, subslot and port. */
export const pluggableTable = optics('CORIANT-GROOVE-MIB::pluggableTable', '42229.1.2.3.8.1.1', {
  serial: 7,
  model: 9,
  vendor: 6,
  type: 3,
  revision: 5,
})
/** Indexed by port number; connectors are codes of SFF-8024. */
export const d5SfpTable = optics('ARRIS-D5-SFP-MIB::d5SfpTable', '4115.1.8.1.13.1.1', {
  serial: 8,
  model: 6,
  vendor: 5,
  revision: 7,
  date: 9,
  connector: 3,
})
/** Indexed by port number. */
export const g6SfpInformationTable = optics('G6-SFP-MIB::informationTable', '3181.10.6.1.34.100.1', {
  serial: 14,
  model: 12,
  vendor: 11,
  revision: 13,
  date: 15,
  wavelength: 7,
})
/** Indexed by ifIndex. */
export const nbsSffMsaTable = optics('NBS-SFF-MIB::nbsSffMsaTable', '629.204.1.1.1.1', {
  serial: 25,
  model: 15,
  vendor: 13,
  revision: 16,
  date: 26,
})
/** Indexed by a number of its own. */
export const sfpSerialIdTable = optics('SIAE-SFP-MIB::sfpSerialIdTable', '3373.1103.74.2.1', {
  serial: 6,
  model: 4,
  vendor: 3,
  revision: 5,
  date: 7,
  wavelength: 13,
})
/** Indexed by chassis, slot and port. */
export const portSFPTable = optics('OMNITRON-MIB::portSFPTable', '7342.2.1.8.1', {
  serial: 7,
  model: 6,
  vendor: 5,
  date: 8,
})
/** Indexed by slot and the cage's number. */
export const sfpInventoryTable = optics('SFP-MIB::sfpInventoryTable', '637.61.1.56.6.1', {
  serial: 11,
  model: 5,
  vendor: 9,
  oui: 10,
  date: 12,
  wavelength: 7,
})
/** Indexed by port number. */
export const iswDDMITable = optics('IMP-HF528-MIB::iswDDMITable', '5833.2017.4.12.2.1', {
  serial: 5,
  model: 4,
  vendor: 3,
  type: 8,
  revision: 6,
  date: 7,
})
/** Indexed by a number of its own. */
export const wsSFPTable = optics('WAYSTREAM-MIB::wsSFPTable', '9303.4.1.4.1', { serial: 53, model: 52 })
/** Indexed by a number of its own; portName is the vendor's name of the port. */
export const packetlogicSfpPorts = optics('PACKETLOGIC-HW-SFP-MIB::ports', '15397.2.30.4.1.1', {
  serial: 8,
  model: 5,
  vendor: 3,
  oui: 4,
  revision: 6,
  date: 9,
  name: 1,
})
/** Indexed by device. */
export const oltPortOpticalTable = optics('PARKS-PK700::oltPortOpticalTable', '50224.3.2.4.1', {
  serial: 7,
  vendor: 6,
  name: 2,
})
/** Indexed by device, card and port. */
export const gponOltTransceiverInfoTable = optics(
  'CDATA-GPON-MIB::gponOltTransceiverInfoTable',
  '34592.1.5.1.1.2.17.3.1',
  { serial: 4, model: 2, vendor: 1, revision: 3 },
)
/** transceiverSerialInfoTable of a Zyxel product, which has a MIB of its own; indexed by port number. */
const transceiverSerialInfoTable = (mib: string, entry: string) =>
  optics(`${mib}::transceiverSerialInfoTable`, `890.1.5.${entry}`, {
    serial: 5,
    model: 4,
    vendor: 3,
    type: 8,
    revision: 6,
    date: 7,
  })
export const ies5206TransceiverSerialInfoTable = transceiverSerialInfoTable('IES5206-MIB', '13.13.31.14.1.1')
export const gs2200TransceiverSerialInfoTable = transceiverSerialInfoTable('ZYXEL-GS2200-24-MIB', '8.55.117.1.1')
export const mgs3712TransceiverSerialInfoTable = transceiverSerialInfoTable('ZYXEL-MGS3712-MIB', '8.47.117.1.1')
