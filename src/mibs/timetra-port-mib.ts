import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * TIMETRA-PORT-MIB::tmnxPortTable (Nokia SR OS), indexed by tmnxChassisIndex and tmnxPortPortID, which is the ifIndex.
 * Only the transceiver columns; wavelength in nm.
 */
export const tmnxPortTable = mibTable('TIMETRA-PORT-MIB::tmnxPortTable', '1.3.6.1.4.1.6527.3.1.2.2.4.2.1', {
  tmnxPortSFPEquipped: col(34, 'Integer'),
  tmnxPortTransceiverType: col(25, 'Integer'),
  tmnxPortTransceiverLaserWaveLen: col(27, 'Integer'),
  tmnxPortTransceiverDiagCapable: col(28, 'Integer'),
  tmnxPortTransceiverModelNumber: col(29, 'DisplayString'),
  tmnxPortSFPConnectorCode: col(30, 'Integer'),
  tmnxPortSFPVendorOUI: col(31, 'Integer'),
  tmnxPortSFPVendorSerialNum: col(45, 'DisplayString'),
  tmnxPortSFPVendorPartNum: col(46, 'DisplayString'),
  tmnxPortSFPNumLanes: col(80, 'Integer'),
})
