import { col, mibTable } from '@portlight/snmp/table.ts'

const ADSL = '1.3.6.1.2.1.10.94.1.1'

/** An end of an ADSL line (ADSL-LINE-MIB, RFC 2662), indexed by the ifIndex of the line. Tenths of dB and dBm, bit/s. */
const physical = (end: 'Atuc' | 'Atur', number: number) =>
  mibTable(`ADSL-LINE-MIB::adsl${end}PhysTable`, `${ADSL}.${number}.1`, {
    snrMargin: col(4, 'Integer'),
    attenuation: col(5, 'Integer'),
    outputPower: col(7, 'Integer'),
    attainableRate: col(8, 'Integer'),
  })

/** What an end sends, indexed by the ifIndex of the channel. bit/s. */
const channel = (end: 'Atuc' | 'Atur', number: number) =>
  mibTable(`ADSL-LINE-MIB::adsl${end}ChanTable`, `${ADSL}.${number}.1`, { txRate: col(2, 'Integer') })

/** The end of the network, which sends downstream. */
export const adslAtucPhysTable = physical('Atuc', 2)
/** The end of the customer. */
export const adslAturPhysTable = physical('Atur', 3)
export const adslAtucChanTable = channel('Atuc', 4)
export const adslAturChanTable = channel('Atur', 5)
