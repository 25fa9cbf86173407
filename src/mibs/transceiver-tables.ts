import { type Column, col, type MibTable, mibTable } from '@portlight/snmp/table.ts'

/** The fields, read as text, that vendor tables of pluggable modules have in common. */
export const OPTICS_FIELDS = [
  'serial',
  'model',
  'vendor',
  'oui',
  'type',
  'revision',
  'date',
  'ddm',
  'distance',
  'wavelength',
  'connector',
  'name',
] as const
export type OpticsField = (typeof OPTICS_FIELDS)[number]

/**
 * A table of transceivers with the column number of each field; `name` is the interface's name. The first column shows whether the agent has the table;
 * it is the serial number, because every module has one.
 */
export function optics(name: string, entry: string, ids: Partial<Readonly<Record<OpticsField, number>>>): MibTable {
  const columns: Record<string, Column> = {}
  for (const field of OPTICS_FIELDS) {
    const id = ids[field]
    if (id !== undefined) columns[field] = col(id, 'DisplayString')
  }
  return mibTable(name, `1.3.6.1.4.1.${entry}`, columns)
}

/** Indexed by ifIndex. */
export const dellNetIfTransceiverDataTable = optics(
  'DELL-NETWORKING-IF-EXTENSION-MIB::dellNetIfTransceiverDataTable',
  '6027.3.11.1.3.1.1',
  { serial: 7, model: 6, vendor: 5, type: 4 },
)
/** Indexed by ifIndex; connectors are codes of SFF-8024. */
export const eltexPhyTransceiverInfoTable = optics(
  'ELTEX-PHY-MIB::eltexPhyTransceiverInfoTable',
  '35265.52.1.1.3.1.1',
  { serial: 6, model: 10, vendor: 5, type: 3, revision: 11, ddm: 9, distance: 8, wavelength: 4, connector: 1 },
)
/** Indexed by ifIndex; flSfpDdmSupport is 1 if the module has diagnostics. */
export const flSfpInfoTable = optics('FIBROLAN-SFP-MIB::flSfpInfoTable', '4467.1000.50.1.1.1', {
  serial: 3,
  model: 2,
  vendor: 1,
  type: 4,
  distance: 6,
  wavelength: 7,
})
/** Indexed by ifIndex; wavelengths in picometres. */
export const raisecomOpticalTransceiverInfoTable = optics(
  'RAISECOM-OPTICAL-TRANSCEIVER-MIB::raisecomOpticalTransceiverInfoTable',
  '8886.1.18.2.1.1.1',
  { serial: 5, model: 4, vendor: 3, revision: 12, distance: 7, wavelength: 16 },
)
/** Indexed by ifIndex; wavelengths in picometres. */
export const rosMgmtOpticalTransceiverInfoTable = optics(
  'ROSMGMT-OPTICAL-TRANSCEIVER-MIB::rosMgmtOpticalTransceiverInfoTable',
  '8886.60.18.1.2.1.1.1',
  { serial: 5, model: 4, vendor: 3, revision: 12, distance: 7, wavelength: 16 },
)
/** Indexed by ifIndex. */
export const zxAnOpticalModuleInfoTable = optics(
  'ZTE-AN-OPTICAL-MODULE-MIB::zxAnOpticalModuleInfoTable',
  '3902.1082.30.40.2.4.1',
  { serial: 13, model: 11, vendor: 12, type: 15, revision: 10, date: 14, connector: 16 },
)
/** Indexed by ifIndex. */
export const ddmTranscBasicInfoTable = optics('NAG-MIB::ddmTranscBasicInfoTable', '40418.7.100.30.3.1', {
  serial: 3,
  model: 5,
  vendor: 4,
  type: 6,
  wavelength: 8,
})
/** Indexed by ifIndex. */
export const tnDdmiStatusInterfaceTable = optics('TN-DDMI-MIB::tnDdmiStatusInterfaceTable', '868.2.5.152.1.3.2.1', {
  serial: 6,
  model: 5,
  vendor: 4,
  revision: 7,
  date: 8,
})
/** Indexed by ifIndex. */
export const hwGponOltOpticsModuleInfoTable = optics(
  'HUAWEI-XPON-MIB::hwGponOltOpticsModuleInfoTable',
  '2011.6.128.1.1.2.22.1',
  { serial: 20, model: 13, vendor: 11, revision: 14, date: 21, wavelength: 15 },
)
/** Indexed by ifIndex. */
export const gwnOpticalModuleInfoTable = optics(
  'GRANDSTREAM-GWN-PRODUCTS-SWITCH-MIB::gwnOpticalModuleInfoTable',
  '42397.1.4.9.1.1.1',
  { serial: 13, model: 11, vendor: 10, oui: 9, type: 3, revision: 12, wavelength: 7, connector: 4 },
)
/** Indexed by interface; wavelengths in hundredths of a nanometre. */
export const sfpConfigTable = optics('SL-SFP-MIB::sfpConfigTable', '4515.1.10.1.1.1', {
  serial: 31,
  model: 25,
  vendor: 22,
  revision: 26,
  date: 32,
  wavelength: 27,
})
/** Indexed by entPhysicalIndex. */
export const ubiTransceiverInfoTable = optics('UBQS-ENTITY-MIB::ubiTransceiverInfoTable', '7800.100.3.1.5.2.1', {
  serial: 6,
  model: 4,
  vendor: 3,
  oui: 2,
  revision: 5,
  date: 7,
  wavelength: 8,
})
/** Indexed by ifIndex; wavelengths in hundredths of a nanometre. */
export const eriRouterOpticalTransceiverPortTable = optics(
  'ERICSSON-ROUTER-OPTICAL-TRANSCEIVER-MIB::eriRouterOpticalTransceiverPortTable',
  '193.218.2.50.1.1.1',
  { serial: 8, type: 3, ddm: 6, wavelength: 10 },
)
/** Indexed by entPhysicalIndex. */
export const ptSFPTable = optics('PT-SFP-MIB::ptSFPTable', '18086.6.1.1', {
  serial: 7,
  model: 5,
  vendor: 3,
  revision: 6,
})
/** Indexed by port number. */
export const cienaCesPortXcvrTable = optics('CIENA-CES-PORT-XCVR-MIB::cienaCesPortXcvrTable', '1271.2.1.9.1.1.1.1', {
  serial: 29,
  model: 27,
  vendor: 25,
  revision: 28,
  date: 30,
  wavelength: 31,
})
/** Indexed by port number. */
export const wwpLeosPortXcvrTable = optics('WWP-LEOS-PORT-XCVR-MIB::wwpLeosPortXcvrTable', '6141.2.60.4.1.1.1.1', {
  serial: 11,
  model: 9,
  vendor: 7,
  revision: 10,
  date: 13,
  ddm: 29,
  wavelength: 15,
})
/** Indexed by unit and port. */
export const hmSFPTable = optics('HMPRIV-MGMT-SNMP-MIB::hmSFPTable', '248.14.1.1.13.1', {
  serial: 9,
  model: 7,
  vendor: 6,
  revision: 8,
  date: 10,
})
/** Indexed by port number. */
export const lcsSFPInfoTable = optics('LCOS-SX-MIB::lcsSFPInfoTable', '2356.14.2.1.4.1', {
  serial: 11,
  model: 9,
  vendor: 8,
  oui: 7,
  type: 4,
  revision: 10,
  date: 12,
  connector: 3,
})
/** Indexed by connector number. */
export const acdSfpInfoTable = optics('ACD-SFP-MIB::acdSfpInfoTable', '22420.2.4.1.1', {
  serial: 9,
  model: 6,
  vendor: 4,
  oui: 5,
  revision: 7,
  ddm: 16,
  wavelength: 8,
})
/** Indexed by ifIndex. */
export const bmSwitchSfpTable = optics('NEXANS-BM-MIB::bmSwitchSfpTable', '266.20.5.1.1', {
  serial: 6,
  model: 4,
  vendor: 3,
  revision: 5,
  date: 7,
  distance: 10,
  wavelength: 9,
  connector: 13,
})
/** Indexed by port number. */
export const picaSfpStatusTable = optics('PICA-PRIVATE-MIB::sfpstatusTable', '35098.1.10.1', {
  serial: 3,
  vendor: 2,
  type: 9,
})
/** Indexed by ifIndex. */
export const snIfMediaInfoTable = optics('FOUNDRY-SN-SWITCH-GROUP-MIB::snIfMediaInfoTable', '1991.1.1.3.3.9.1', {
  serial: 5,
  model: 4,
  vendor: 2,
  type: 1,
  revision: 3,
})
/** Indexed by ifIndex. */
export const bcsiIfMediaInfoTable = optics('BROCADE-OPTICAL-MONITORING-MIB::bcsiIfMediaInfoTable', '1588.3.1.8.1.3.1', {
  serial: 5,
  model: 4,
  vendor: 2,
  type: 1,
  revision: 3,
})
/** Indexed by chassis, slot and port. */
export const mcrSfpDmiModuleTable = optics('PERLE-MCR-MGT-MIB::mcrSfpDmiModuleTable', '1966.21.1.1.1.1.5.1', {
  serial: 42,
  model: 44,
  vendor: 43,
  wavelength: 10,
})

/**
 * portMediaInfoTable of an Edge-Core product line, each of which has its own MIB with the same objects; indexed by
 * ifIndex.
 */
const portMediaInfoTable = (mib: string, product: string) =>
  optics(`${mib}::portMediaInfoTable`, `${product}.1.2.10.1`, {
    serial: 10,
    model: 8,
    vendor: 7,
    oui: 6,
    type: 4,
    revision: 9,
    date: 11,
    distance: 13,
    wavelength: 12,
    connector: 2,
  })
export const es3510maPortMediaInfoTable = portMediaInfoTable('ES3510MA-MIB', '259.8.1.11')
export const es3528mv2PortMediaInfoTable = portMediaInfoTable('ES3528MV2-MIB', '259.10.1.22')
export const ecs4510PortMediaInfoTable = portMediaInfoTable('ECS4510-MIB', '259.10.1.24')
export const ecs3510PortMediaInfoTable = portMediaInfoTable('ECS3510-MIB', '259.10.1.27')
export const ecs4110PortMediaInfoTable = portMediaInfoTable('ECS4110-MIB', '259.10.1.39')
export const ecs4210PortMediaInfoTable = portMediaInfoTable('ECS4210-MIB', '259.10.1.42.101')
export const ecs2100PortMediaInfoTable = portMediaInfoTable('ECS2100-MIB', '259.10.1.43')
export const ecs4120PortMediaInfoTable = portMediaInfoTable('ECS4120-MIB', '259.10.1.45')
export const ecs4100PortMediaInfoTable = portMediaInfoTable('ECS4100-52T-MIB', '259.10.1.46')
export const es4552bh2PortMediaInfoTable = portMediaInfoTable('ES4552BH2-MIB', '259.6.10.120')
/** Switches that Edge-Core makes for FS. */
export const fsPortMediaInfoTable = portMediaInfoTable('FS-MIB', '52642.2.1.45')
