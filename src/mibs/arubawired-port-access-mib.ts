import { col, mibTable } from '@portlight/snmp/table.ts'

/** ARUBAWIRED-PORT-ACCESS-MIB::arubaWiredPortAccessClientTable (AOS-CX), indexed by port name and MacAddress. */
export const arubaWiredPortAccessClientTable = mibTable(
  'ARUBAWIRED-PORT-ACCESS-MIB::arubaWiredPortAccessClientTable',
  '1.3.6.1.4.1.47196.4.1.1.3.17.1.1.1',
  {
    arubaWiredPacUserName: col(3, 'DisplayString'),
    arubaWiredPacAppliedRole: col(4, 'DisplayString'),
    /** device-profile, dot1x, mac-auth, port-security. */
    arubaWiredPacOnboardedMethods: col(6, 'DisplayString'),
    arubaWiredPacAuthState: col(7, 'DisplayString'),
    arubaWiredPacVlanId: col(9, 'Integer'),
  },
)
