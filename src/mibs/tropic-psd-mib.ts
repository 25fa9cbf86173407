import { col, mibTable } from '@portlight/snmp/table.ts'

/** TROPIC-PSD-MIB::tnPsdSfpInfoTable (Nokia 1830 PSD), indexed by ifIndex. Wavelength in 1/100 nm. */
export const tnPsdSfpInfoTable = mibTable('TROPIC-PSD-MIB::tnPsdSfpInfoTable', '1.3.6.1.4.1.7483.2.2.7.3.1.3.1', {
  tnPsdSfpInfoInvStatus: col(1, 'Integer'),
  /** Identifier and extended identifier (SFF-8024), one octet each. */
  tnPsdSfpInfoPhysicalIdentifier: col(2, 'OctetString'),
  /** Connector (SFF-8024), one octet. */
  tnPsdSfpInfoConnectorType: col(4, 'OctetString'),
  tnPsdSfpInfoVendorName: col(12, 'DisplayString'),
  tnPsdSfpInfoPartNumber: col(14, 'DisplayString'),
  tnPsdSfpInfoRevisionNumber: col(15, 'DisplayString'),
  tnPsdSfpInfoWavelength: col(16, 'Integer'),
  tnPsdSfpInfoVendorSerialNumber: col(19, 'DisplayString'),
  tnPsdSfpInfoVendorDate: col(20, 'DisplayString'),
})

/** tnPsdSfpInfoInvStatus: the other columns of the row are meaningless. */
export const TN_PSD_UNAVAILABLE = 2
