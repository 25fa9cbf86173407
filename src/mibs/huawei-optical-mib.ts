import { col, mibTable } from '@portlight/snmp/table.ts'

/** HUAWEI-ENTITY-EXTENT-MIB::hwOpticalModuleInfoTable, indexed by the port's entPhysicalIndex. Wavelength in nm. */
export const hwOpticalModuleInfoTable = mibTable(
  'HUAWEI-ENTITY-EXTENT-MIB::hwOpticalModuleInfoTable',
  '1.3.6.1.4.1.2011.5.25.31.1.1.3.1',
  {
    hwEntityOpticalVendorSn: col(4, 'DisplayString'),
    hwEntityOpticalWaveLength: col(2, 'Integer'),
    hwEntityOpticalVenderName: col(24, 'DisplayString'),
    hwEntityOpticalVenderPn: col(25, 'DisplayString'),
    hwEntityOpticalVendorOUI: col(34, 'DisplayString'),
    hwEntityOpticalVendorRev: col(35, 'DisplayString'),
    hwEntityTransceiverType: col(37, 'DisplayString'),
    hwEntityOpticalConnectType: col(43, 'DisplayString'),
    /** Metres by fibre: `50(50um),20(62.5um),100(OM3)`. */
    hwEntityOpticalTransferDistance: col(45, 'DisplayString'),
    hwEntityOpticalSupportDDM: col(57, 'Integer'),
  },
)
