import { expect, test } from 'bun:test'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, counter64, discover, gauge, int, moduleOf, text } from './agent.ts'

const ENTERPRISES = '1.3.6.1.4.1'
const MIB = 1024 ** 2

/** A device of a vendor: its values by OID below enterprises, and what is found, read off the vendor's MIB. */
interface Product {
  readonly name: string
  readonly os?: string
  /** Below enterprises. */
  readonly product?: string
  readonly cells: Readonly<Record<string, number | string>>
  /** `name: percent`. */
  readonly processors?: readonly string[]
  /** `class name: used/total`, in octets, or percent of 100. */
  readonly mempools?: readonly string[]
  /** `name: used/size`. */
  readonly storage?: readonly string[]
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'A3COM-HUAWEI-LswDEVM-MIB',
    product: '43.1.16.4.3.5',
    cells: {
      '43.45.1.6.1.1.1.4.65536': 12,
      '43.45.1.6.1.2.1.1.2.65536': 64_000_000,
      '43.45.1.6.1.2.1.1.3.65536': 16_000_000,
    },
    processors: ['Processor 65536: 12'],
    mempools: ['system Memory 65536: 48000000/64000000'],
  },
  {
    name: 'ALTEON-CHEETAH-SWITCH-MIB: management and switch processors',
    product: '1872.1.13.1.5',
    cells: {
      '1872.2.5.1.2.2.3.0': 7,
      '1872.2.5.1.2.4.1.1.4.1': 22,
      '1872.2.5.1.2.4.1.1.4.2': 25,
      '1872.2.5.1.2.8.1.0': 4_000_000_000,
      '1872.2.5.1.2.8.3.0': 1_000_000_000,
    },
    processors: ['Management processor: 7', 'Switch processor 1: 22', 'Switch processor 2: 25'],
    mempools: ['system Memory: 3000000000/4000000000'],
  },
  {
    name: 'BLADETYPE4-NETWORK-MIB',
    product: '11.2.3.7.11.33.4.1.1',
    cells: { '11.2.3.7.11.33.4.2.1.2.2.3.0': 9 },
    processors: ['Management processor: 9'],
  },
  {
    name: 'PEAKFLOW-SP-MIB: sizes in KiB; a load average is no percentage',
    product: '9694.1.4',
    cells: {
      '9694.1.4.2.1.1.0': 250,
      '9694.1.4.2.1.4.0': 43,
      '9694.1.4.2.1.5.0': 1000,
      '9694.1.4.2.1.6.0': 400,
      '9694.1.4.2.1.8.0': 2000,
      '9694.1.4.2.1.9.0': 0,
    },
    mempools: [`system Physical memory: ${400 * 1024}/${1000 * 1024}`, `swap Swap space: 0/${2000 * 1024}`],
    storage: ['Data partition: 43/100'],
  },
  {
    name: 'CA-SNMP-MIB8',
    product: '7564.36.1',
    cells: { '7564.30.1.0': 31, '7564.4.2.0': 55 },
    processors: ['Processor: 31'],
    mempools: ['system Network memory: 55/100'],
  },
  {
    name: 'AXIS-VIDEO-MIB: sizes in MB',
    os: 'axiscam',
    cells: {
      '368.4.1.100.1.2.0': 512,
      '368.4.1.100.1.3.0': 128,
      '368.4.1.100.2.2.0': 256,
      '368.4.1.100.2.3.0': 64,
      '368.4.1.100.3.1.0': 40,
    },
    processors: ['Processor: 40'],
    mempools: [`system Memory: ${128 * MIB}/${512 * MIB}`],
    storage: [`Flash: ${64 * MIB}/${256 * MIB}`],
  },
  {
    name: 'BENU-HOST-MIB',
    product: '39406.2.1',
    cells: { '39406.1.5.1.2.0': 8000, '39406.1.5.1.3.0': 2000, '39406.1.5.1.7.0': 13 },
    processors: ['Processor: 13'],
    mempools: [`system Memory: ${2000 * 1024}/${8000 * 1024}`],
  },
  {
    name: 'BIANCA-BRICK-MIBRES-MIB: idle time; pools are counted in units and left out',
    product: '272.4.201.82.78.79.74.1',
    cells: {
      '272.4.17.4.1.1.2.0': 'PowerPC',
      '272.4.17.4.1.1.18.0': 88,
      '272.4.17.4.2.1.1.1': 1,
      '272.4.17.4.2.1.2.1': 'FLASH',
      '272.4.17.4.2.1.4.1': 16_000_000,
      '272.4.17.4.2.1.5.1': 6_000_000,
      '272.4.17.4.2.1.1.2': 2,
      '272.4.17.4.2.1.2.2': 'DRAM',
      '272.4.17.4.2.1.4.2': 64_000_000,
      '272.4.17.4.2.1.5.2': 20_000_000,
      '272.4.17.4.2.1.1.3': 3,
      '272.4.17.4.2.1.2.3': 'small',
      '272.4.17.4.2.1.4.3': 400,
      '272.4.17.4.2.1.5.3': 10,
    },
    processors: ['PowerPC: 12'],
    mempools: ['system DRAM: 20000000/64000000'],
    storage: ['FLASH: 6000000/16000000'],
  },
  {
    name: 'AIRESPACE-SWITCHING-MIB: sizes in kilobytes',
    product: '9.1.1069',
    cells: { '14179.1.1.5.1.0': 3, '14179.1.1.5.2.0': 1000, '14179.1.1.5.3.0': 250 },
    processors: ['Processor: 3'],
    mempools: [`system Memory: ${750 * 1024}/${1000 * 1024}`],
  },
  {
    name: 'ASYNCOS-MAIL-MIB',
    product: '15497.1.1',
    cells: { '15497.1.1.1.1.0': 61, '15497.1.1.1.2.0': 14 },
    processors: ['Processor: 14'],
    mempools: ['system Memory: 61/100'],
  },
  {
    name: 'CYBEROAM-MIB: percentages of sizes in MB',
    product: '21067.2',
    cells: {
      '21067.2.1.2.2.1.0': 5,
      '21067.2.1.2.3.1.0': 1000,
      '21067.2.1.2.3.2.0': 20,
      '21067.2.1.2.4.1.0': 2000,
      '21067.2.1.2.4.2.0': 50,
      '21067.2.1.2.4.3.0': 500,
      '21067.2.1.2.4.4.0': 0,
    },
    processors: ['Processor: 5'],
    mempools: [`system Memory: ${1000 * MIB}/${2000 * MIB}`, `swap Swap space: 0/${500 * MIB}`],
    storage: [`Disk: ${200 * MIB}/${1000 * MIB}`],
  },
  {
    name: 'DMOS-SYSMON-MIB',
    product: '3709.1.2.70',
    cells: {
      '3709.3.6.4.1.2.1.6.1.1': 18,
      '3709.3.6.4.2.2.1.10.1.1': 2_000_000,
      '3709.3.6.4.2.2.1.11.1.1': 500_000,
    },
    processors: ['Processor 1.1: 18'],
    mempools: ['system Memory 1.1: 500000/2000000'],
  },
  {
    name: 'F10-CHASSIS-MIB: route processors and line cards',
    product: '6027.1.1.1',
    cells: {
      '6027.3.1.1.3.7.1.5.1': 8,
      '6027.3.1.1.3.7.1.6.1': 30,
      '6027.3.1.1.5.1.1.3.4': 11,
      '6027.3.1.1.5.1.1.4.4': 45,
    },
    processors: ['Route processor 1: 8', 'Line card 4: 11'],
    mempools: ['system Route processor 1: 30/100', 'system Line card 4: 45/100'],
  },
  {
    name: 'F10-S-SERIES-CHASSIS-MIB',
    product: '6027.1.3.12',
    cells: { '6027.3.10.1.2.9.1.4.1': 6, '6027.3.10.1.2.9.1.5.1': 22 },
    processors: ['Unit 1: 6'],
    mempools: ['system Unit 1: 22/100'],
  },
  {
    name: 'F10-Z-SERIES-CHASSIS-MIB',
    product: '6027.1.5.1',
    cells: { '6027.3.25.1.2.3.1.3.1': 4, '6027.3.25.1.2.3.1.4.1': 21 },
    processors: ['Processor 1: 4'],
    mempools: ['system Memory 1: 21/100'],
  },
  {
    name: 'ELTEX-MES-ISS-CPU-UTIL-MIB and ARICENT-ISS-MIB',
    os: 'eltex-mes24xx',
    cells: { '35265.1.139.6.1.1.2.3.0': 19, '2076.81.1.73.0': 47, '2076.81.1.75.0': 12 },
    processors: ['Processor: 19'],
    mempools: ['system Memory: 47/100'],
    storage: ['Flash: 12/100'],
  },
  {
    name: 'ISILON-MIB: idle time per mil',
    product: '12124.1',
    cells: { '12124.2.2.3.5.0': 880, '12124.1.3.1.0': 9_000_000_000, '12124.1.3.2.0': 3_000_000_000 },
    processors: ['Processor: 12'],
    storage: ['/ifs: 3000000000/9000000000'],
  },
  {
    name: 'RBN-CPU-METER-MIB',
    product: '2352.1.10',
    cells: { '2352.2.6.1.3.0': 17 },
    processors: ['Processor: 17'],
  },
  {
    name: 'ERICSSON-ROUTER-CPU-METER-MIB',
    os: 'ericsson-ipos',
    cells: { '193.218.2.6.1.3.0': 16 },
    processors: ['Processor: 16'],
  },
  {
    name: 'BROCADE-MODULE-CPU-UTIL-MIB: hundredths of a percent over 300 s',
    os: 'slx-os',
    cells: {
      '1588.3.1.12.1.1.1.3.1.60': 900,
      '1588.3.1.12.1.1.1.3.1.300': 1250,
      '1588.3.1.13.1.1.1.2.1': 4000,
      '1588.3.1.13.1.1.1.3.1': 1000,
    },
    processors: ['Module 1: 12.5'],
    mempools: [`system Module 1: ${3000 * 1024}/${4000 * 1024}`],
  },
  {
    name: 'FORCEPOINT-NGFW-ENGINE-MIB: the first row is the total of all processors',
    os: 'forcepoint',
    cells: {
      '47565.1.1.1.11.1.1.2.0': 'total',
      '47565.1.1.1.11.1.1.3.0': 10,
      '47565.1.1.1.11.1.1.2.1': 'cpu0',
      '47565.1.1.1.11.1.1.3.1': 20,
      '47565.1.1.1.11.2.1.0': 1000,
      '47565.1.1.1.11.2.2.0': 10,
      '47565.1.1.1.11.2.4.0': 8000,
      '47565.1.1.1.11.2.5.0': 2000,
      '47565.1.1.1.11.3.1.3.1': '/spool',
      '47565.1.1.1.11.3.1.4.1': 500,
      '47565.1.1.1.11.3.1.5.1': 100,
    },
    processors: ['total: 10', 'cpu0: 20'],
    mempools: ['system Memory: 2000/8000', 'swap Swap space: 10/1000'],
    storage: [`/spool: ${100 * 1024}/${500 * 1024}`],
  },
  {
    name: 'FORTINET-FORTISANDBOX-MIB',
    product: '12356.118.1.30004',
    cells: {
      '12356.118.3.1.2.0': 8,
      '12356.118.3.1.3.0': 25,
      '12356.118.3.1.4.0': 4000,
      '12356.118.3.1.5.0': 300,
      '12356.118.3.1.6.0': 900,
    },
    processors: ['Processor: 8'],
    mempools: [`system Memory: ${1000 * 1024}/${4000 * 1024}`],
    storage: [`Disk: ${300 * MIB}/${900 * MIB}`],
  },
  {
    name: 'MERU-GLOBAL-STATISTICS-MIB: idle time',
    product: '15983.1.1.4.2',
    cells: {
      '15983.1.1.3.1.14.3.0': 92,
      '15983.1.1.3.1.14.4.0': 1000,
      '15983.1.1.3.1.14.5.0': 600,
      '15983.1.1.3.1.14.7.0': 300,
      '15983.1.1.3.1.14.8.0': 200,
    },
    processors: ['Processor: 8'],
    mempools: [`system Memory: ${600 * 1024}/${1000 * 1024}`],
    storage: [`/: ${200 * 1024}/${300 * 1024}`],
  },
  {
    name: 'HP-MEMPROC-MIB',
    product: '11.2.3.7.11.17.1',
    cells: {
      '11.2.3.7.11.17.7.1.5.1.1.1.1.5.1': 33,
      '11.2.3.7.11.17.7.1.5.1.2.1.1.3.1': 100,
      '11.2.3.7.11.17.7.1.5.1.2.1.1.4.1': 400,
    },
    processors: ['Processor 1: 33'],
    mempools: [`system Memory 1: ${100 * 1024}/${400 * 1024}`],
  },
  {
    name: 'COLUBRIS-USAGE-INFORMATION-MIB',
    os: 'hpmsm',
    cells: { '8744.5.21.1.1.8.0': 21, '8744.5.21.1.1.9.0': 500, '8744.5.21.1.1.10.0': 200 },
    processors: ['Processor: 21'],
    mempools: [`system Memory: ${300 * 1024}/${500 * 1024}`],
  },
  {
    name: 'CPQHOST-MIB: -1 is unknown',
    os: 'hpe-server',
    cells: {
      '232.11.2.4.1.1.2.1': '/boot',
      '232.11.2.4.1.1.3.1': 500,
      '232.11.2.4.1.1.4.1': 120,
      '232.11.2.4.1.1.2.2': '/mnt',
      '232.11.2.4.1.1.3.2': -1,
      '232.11.2.4.1.1.4.2': -1,
    },
    storage: [`/boot: ${120 * MIB}/${500 * MIB}`],
  },
  {
    name: 'HWMUSA-DEV-MIB: -1 for boards without a processor',
    os: 'smartax',
    cells: {
      '2011.2.6.7.1.1.2.1.5.0.7': 24,
      '2011.2.6.7.1.1.2.1.6.0.7': 51,
      '2011.2.6.7.1.1.2.1.7.0.7': 'H801MCUD',
      '2011.2.6.7.1.1.2.1.5.0.2': -1,
      '2011.2.6.7.1.1.2.1.6.0.2': -1,
    },
    processors: ['H801MCUD: 24'],
    mempools: ['system H801MCUD: 51/100'],
  },
  {
    name: 'HUAWEI-STORAGE-HARDWARE-MIB',
    product: '34774.4.1',
    cells: {
      '34774.4.1.23.5.2.1.1.2.48.65': '0A',
      '34774.4.1.23.5.2.1.8.2.48.65': 14,
      '34774.4.1.23.5.2.1.9.2.48.65': 77,
    },
    processors: ['Controller 0A: 14'],
    mempools: ['system Controller 0A: 77/100'],
  },
  {
    name: 'Juniper-System-MIB: -1 is unknown',
    os: 'junose',
    cells: {
      '4874.2.2.2.1.3.5.1.3.6.1': 13,
      '4874.2.2.2.1.3.5.1.3.7.1': -1,
      '4874.2.2.2.1.1.3.0': 25,
      '4874.2.2.2.1.1.23.0': 1000,
    },
    processors: ['Module 6.1: 13'],
    mempools: [`system Memory: ${250 * 1024}/${1000 * 1024}`],
  },
  {
    name: 'TRAPEZE-NETWORKS-SYSTEM-MIB',
    product: '14525.3.1.3',
    cells: {
      '14525.4.8.1.1.11.2.0': 5,
      '14525.4.8.1.1.6.0': 600,
      '14525.4.8.1.1.12.2.0': 150,
      '14525.4.8.1.1.3.0': 1000,
      '14525.4.8.1.1.4.0': 4000,
    },
    processors: ['Processor: 5'],
    mempools: [`system Memory: ${150 * 1024}/${600 * 1024}`],
    storage: ['Flash: 1000/4000'],
  },
  {
    name: 'LINKSYS-rndMng: 101 is not measured',
    os: 'linksys-ss',
    cells: { '3955.1000.201.1.9.0': 101 },
    processors: [],
  },
  {
    name: 'MOXA-SYSTEM-UTILIZATION-MIB',
    product: '8691.603.2.1',
    cells: { '8691.602.1.3.2.1.0': 15, '8691.602.1.3.2.3.0': 38 },
    processors: ['Processor: 15'],
    mempools: ['system Memory: 38/100'],
  },
  {
    name: 'ONEACCESS-SYS-MIB',
    os: 'oneaccess',
    cells: { '13191.10.3.3.1.2.1.0': 2, '13191.10.3.3.1.1.1.0': 30_000, '13191.10.3.3.1.1.3.0': 90_000 },
    processors: ['Processor: 2'],
    mempools: ['system Memory: 60000/90000'],
  },
  {
    name: 'RUGGEDCOM-SYS-INFO-MIB',
    product: '15004.2.1',
    cells: { '15004.4.2.2.6.0': 11, '15004.4.2.2.2.0': 20_000, '15004.4.2.3.5.0': 60_000 },
    processors: ['Processor: 11'],
    mempools: ['system Memory: 40000/60000'],
  },
  {
    name: 'SAF-INTEGRAX-MIB: idle time in tenths',
    os: 'saf-integra-x',
    cells: { '7571.100.1.1.7.10.4.10.0': 915 },
    processors: ['Processor: 8.5'],
  },
  {
    name: 'NAG-MIB: idle time',
    os: 'snr',
    cells: { '40418.7.100.1.8.1.5.1': 70, '40418.7.100.1.8.1.12.1': 44 },
    processors: ['Processor 1: 30'],
    mempools: ['system Memory 1: 44/100'],
  },
  {
    name: 'TELDAT-MON-CPU-MIB',
    os: 'teldat',
    cells: { '2007.4.1.2.1.2.1.1.3.0': 6, '2007.4.1.2.1.1.1.0': 5000, '2007.4.1.2.1.1.2.0': 1000 },
    processors: ['Processor: 6'],
    mempools: ['system Memory: 4000/5000'],
  },
  {
    name: 'VELOCLOUD-EDGE-MIB',
    product: '45346.1.1',
    cells: { '45346.1.1.2.2.2.1.0': 9, '45346.1.1.2.2.2.3.0': 35 },
    processors: ['Processor: 9'],
    mempools: ['system Memory: 35/100'],
  },
  {
    name: 'ZHONE-CARD-RESOURCES-MIB',
    product: '5504.1.3.7',
    cells: { '5504.3.3.3.1.2.1.1': 300, '5504.3.3.3.1.3.1.1': 1000, '5504.3.3.3.1.5.1.1': 27 },
    processors: ['Card 1.1: 27'],
    mempools: [`system Card 1.1: ${700 * 1024}/${1000 * 1024}`],
  },
  {
    name: 'IES5206-MIB: index 0 is the average',
    product: '890.1.5.13.13.1',
    cells: { '890.1.5.13.13.5.9.1.3.1.0': 20, '890.1.5.13.13.5.9.1.3.1.1': 30 },
    processors: ['Processor 1.0: 20'],
  },
  {
    name: 'ZYXEL-GS2200-24-MIB',
    product: '890.1.5.8.55',
    cells: {
      '890.1.5.8.55.12.7.0': 17,
      '890.1.5.8.55.124.1.1.2.1': 'common',
      '890.1.5.8.55.124.1.1.3.1': 9000,
      '890.1.5.8.55.124.1.1.4.1': 4000,
    },
    processors: ['Processor: 17'],
    mempools: ['system common: 4000/9000'],
  },
  {
    name: 'UBQS-SYSRSC-MIB',
    os: 'ubiquoss',
    cells: { '7800.100.1.1.3.3.0': 23, '7800.100.1.1.4.2.0': 100, '7800.100.1.1.4.3.0': 400 },
    processors: ['Processor: 23'],
    mempools: [`system Memory: ${300 * 1024}/${400 * 1024}`],
  },
  {
    name: 'FASTPATH-SWITCHING-MIB of Dell: a text of three periods',
    product: '674.10895.3042',
    cells: {
      '674.10895.5000.2.6132.1.1.1.1.4.1.0': 100,
      '674.10895.5000.2.6132.1.1.1.1.4.2.0': 400,
      '674.10895.5000.2.6132.1.1.1.1.4.9.0': '    5 Secs ( 11.2500%)   60 Secs ( 12.5000%)  300 Secs ( 13.7500%)',
    },
    processors: ['Processor: 11.25'],
    mempools: [`system Memory: ${300 * 1024}/${400 * 1024}`],
  },
  {
    name: 'NETGEAR-SWITCHING-MIB',
    os: 'netgear',
    cells: {
      '4526.10.1.1.4.1.0': 10,
      '4526.10.1.1.4.2.0': 40,
      '4526.10.1.1.4.9.0': '    5 Secs (  9.0%)    60 Secs (  8.0%)   300 Secs (  7.0%)',
    },
    processors: ['Processor: 9'],
    mempools: [`system Memory: ${30 * 1024}/${40 * 1024}`],
  },
  {
    name: 'CISCO-FLASH-MIB: 32-bit objects at their maximum have 64-bit ones beside them',
    os: 'ios',
    cells: {
      '9.9.10.1.1.2.1.7.1': 'flash',
      '9.9.10.1.1.4.1.1.4.1.1': 4_294_967_295,
      '9.9.10.1.1.4.1.1.5.1.1': 4_294_967_295,
      '9.9.10.1.1.4.1.1.13.1.1': 11_000_000_000,
      '9.9.10.1.1.4.1.1.14.1.1': 8_000_000_000,
      '9.9.10.1.1.4.1.1.4.1.2': 2_000_000_000,
      '9.9.10.1.1.4.1.1.5.1.2': 500_000_000,
      '9.9.10.1.1.4.1.1.13.1.2': 2_000_000_000,
      '9.9.10.1.1.4.1.1.14.1.2': 500_000_000,
    },
    storage: ['flash:: 3000000000/11000000000', 'flash:: 1500000000/2000000000'],
  },
  {
    name: 'CISCO-PROCESS-MIB: memory of a processor if there are no memory pools',
    os: 'iosxe',
    cells: { '9.9.109.1.1.1.1.8.7': 4, '9.9.109.1.1.1.1.17.7': 6000, '9.9.109.1.1.1.1.19.7': 2000 },
    processors: ['Processor 7: 4'],
    mempools: [`system Memory 7: ${6000 * 1024}/${8000 * 1024}`],
  },
  {
    name: 'CISCO-ENHANCED-MEMPOOL-MIB: memory pools come before the memory of a processor',
    os: 'iosxe',
    cells: {
      '9.9.109.1.1.1.1.8.7': 4,
      '9.9.109.1.1.1.1.17.7': 6000,
      '9.9.109.1.1.1.1.19.7': 2000,
      '9.9.221.1.1.1.1.3.7000.1': 'Processor',
      '9.9.221.1.1.1.1.7.7000.1': 100,
      '9.9.221.1.1.1.1.8.7000.1': 300,
    },
    processors: ['Processor 7: 4'],
    mempools: ['system - Processor: 100/400'],
  },
  {
    name: 'OLD-CISCO-CPU-MIB: only if there is nothing else',
    os: 'ios',
    cells: { '9.2.1.58.0': 21 },
    processors: ['Processor: 21'],
  },
  {
    name: 'ADTRAN-AOSCPU',
    os: 'adtran-aos',
    cells: { '664.5.53.1.4.7.0': 900, '664.5.53.1.4.8.0': 300 },
    mempools: ['system Heap: 600/900'],
  },
  {
    name: 'NETAPP-MIB: sizes in kilobytes, 64 bits',
    product: '789.2.5',
    cells: {
      '789.1.5.4.1.2.1': '/vol/vol0/',
      '789.1.5.4.1.3.1': -1,
      '789.1.5.4.1.6.1': 20,
      '789.1.5.4.1.29.1': 5_000_000_000,
      '789.1.5.4.1.30.1': 1_000_000_000,
    },
    storage: [`/vol/vol0/: ${1_000_000_000 * 1024}/${5_000_000_000 * 1024}`],
  },
  {
    name: 'NETWORK-APPLIANCE-MIB: 32 bits, negative beyond 2^31',
    product: '789.2.1',
    cells: {
      '789.1.5.4.1.2.1': '/vol/a/',
      '789.1.5.4.1.3.1': -294_967_296,
      '789.1.5.4.1.4.1': 1000,
      '789.1.5.4.1.6.1': 0,
    },
    storage: [`/vol/a/: ${1000 * 1024}/${4_000_000_000 * 1024}`],
  },
  {
    name: 'LCOS-LX-MIB',
    product: '2356.13.8.500',
    cells: { '2356.13.1.47.14.0': 12, '2356.13.1.47.4.0': 500, '2356.13.1.47.5.0': 100 },
    processors: ['Processor: 12'],
    mempools: [`system Memory: ${400 * 1024}/${500 * 1024}`],
  },
]

function value(cell: number | string) {
  if (typeof cell === 'string') return text(cell)
  return cell < 2 ** 31 ? int(cell) : cell < 2 ** 32 ? gauge(cell) : counter64(BigInt(cell))
}

test.each(PRODUCTS)('$name', async ({ os, product, cells, processors = [], mempools = [], storage = [] }) => {
  const agent = agentOf(
    Object.fromEntries(Object.entries(cells).map(([id, cell]) => [`${ENTERPRISES}.${id}`, value(cell)])),
  )
  const found = await discover([moduleOf(MODULES, 'defined-health')], agent, {
    os: os ?? null,
    sysObjectID: product === undefined ? null : `${ENTERPRISES}.${product}`,
    sysDescr: null,
  })
  const loads = found.flatMap((o) => (o.kind === 'processors' ? [...o.rows] : []))
  const pools = found.flatMap((o) => (o.kind === 'mempools' ? [...o.rows] : []))
  const stores = found.flatMap((o) => (o.kind === 'storage' ? [...o.rows] : []))
  expect({
    processors: loads.flatMap((row) =>
      row.processor_usage === null ? [] : [`${row.processor_descr}: ${row.processor_usage}`],
    ),
    mempools: pools.map((r) => `${r.mempool_class} ${r.mempool_descr}: ${r.mempool_used}/${r.mempool_total}`),
    storage: stores.map((row) => `${row.storage_descr}: ${row.storage_used}/${row.storage_size}`),
  }).toEqual({ processors: [...processors], mempools: [...mempools], storage: [...storage] })
})
