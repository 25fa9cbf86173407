import { testProducts } from './health-products.ts'

/** Rows by hand from each MIB: units and scale as its descriptions say. */
const IF_NAME = (index: number) => `1.3.6.1.2.1.31.1.1.1.1.${index}`

testProducts([
  {
    name: 'HH3C-TRANSCEIVER-INFO-MIB: a limit of 0 is none; each column has a scale of its own',
    product: '25506.11.1.104',
    cells: {
      [IF_NAME(5)]: 'XGE1/0/5',
      // hundredths of dBm; degrees; hundredths of volts; hundredths of milliamperes
      '25506.2.70.1.1.1.9.5': -230,
      '25506.2.70.1.1.1.12.5': -1205,
      '25506.2.70.1.1.1.15.5': 36,
      '25506.2.70.1.1.1.16.5': 331,
      '25506.2.70.1.1.1.17.5': 655,
      // thousandths of degrees; hundreds of microvolts; microamperes; hundredths of dBm
      '25506.2.70.1.1.1.18.5': 75_000,
      '25506.2.70.1.1.1.19.5': -5000,
      '25506.2.70.1.1.1.22.5': 36_000,
      '25506.2.70.1.1.1.23.5': 0,
      '25506.2.70.1.1.1.26.5': 11_800,
      '25506.2.70.1.1.1.52.5': 200,
      '25506.2.70.1.1.1.53.5': -1130,
      // an empty cage
      '25506.2.70.1.1.1.9.6': 2_147_483_647,
      '25506.2.70.1.1.1.12.6': 2_147_483_647,
      '25506.2.70.1.1.1.15.6': 2_147_483_647,
      '25506.2.70.1.1.1.16.6': 2_147_483_647,
      '25506.2.70.1.1.1.17.6': 2_147_483_647,
    },
    sensors: [
      'temperature XGE1/0/5 Temperature: 36',
      'voltage XGE1/0/5 Voltage: 3.31',
      'current XGE1/0/5 Bias Current: 0.00655',
      'dbm XGE1/0/5 Tx Power: -2.3',
      'dbm XGE1/0/5 Rx Power: -12.05',
    ],
    limits: {
      'XGE1/0/5 Temperature': { low: -5, high: 75 },
      'XGE1/0/5 Voltage': { high: 3.6 },
      'XGE1/0/5 Bias Current': { high: 0.0118 },
      'XGE1/0/5 Tx Power': { low: -11.3, high: 2 },
    },
  },
  {
    name: 'ARUBAWIRED-PM-MIB: texts; powers in milliwatts by lane with the limits of the module',
    product: '47196.4.1.1.1.50',
    cells: {
      [IF_NAME(49)]: '1/1/49',
      '47196.4.1.1.3.27.1.2.1.1.2.49': '31.50',
      '47196.4.1.1.3.27.1.2.1.1.3.49': '75.00',
      '47196.4.1.1.3.27.1.2.1.1.5.49': '-5.00',
      '47196.4.1.1.3.27.1.2.1.1.11.49': '3.30',
      '47196.4.1.1.3.27.1.2.1.1.20.49': '12.00',
      '47196.4.1.1.3.27.1.2.1.1.24.49': '1.0000',
      '47196.4.1.1.3.27.1.2.1.1.25.49': '0.1000',
      '47196.4.1.1.3.27.1.2.2.1.2.49.1': '6.50',
      '47196.4.1.1.3.27.1.2.2.1.7.49.1': '0.5000',
      '47196.4.1.1.3.27.1.2.2.1.12.49.1': '0.0100',
    },
    sensors: [
      'temperature 1/1/49 Temperature: 31.5',
      'voltage 1/1/49 Voltage: 3.3',
      'current 1/1/49 Bias Current Lane 1: 0.0065',
      // 10 lg 0.5, 10 lg 0.1, 10 lg 0.01
      'dbm 1/1/49 Tx Power Lane 1: -3.01',
      'dbm 1/1/49 Rx Power Lane 1: -20',
    ],
    limits: {
      '1/1/49 Temperature': { low: -5, high: 75 },
      '1/1/49 Bias Current Lane 1': { high: 0.012 },
      '1/1/49 Tx Power Lane 1': { low: -10, high: 0 },
    },
  },
  {
    name: 'NAG-MIB: texts; a dash is no light',
    product: '40418.7.55',
    cells: {
      '40418.7.100.30.1.1.2.25': '34',
      '40418.7.100.30.1.1.3.25': '90',
      '40418.7.100.30.1.1.4.25': '-45',
      '40418.7.100.30.1.1.7.25': '3.29',
      '40418.7.100.30.1.1.12.25': '17.40',
      '40418.7.100.30.1.1.17.25': '-',
      '40418.7.100.30.1.1.22.25': '-5.61',
      '40418.7.100.30.1.1.23.25': '0.00',
      '40418.7.100.30.1.1.24.25': '-9.00',
    },
    sensors: [
      'temperature Port 25 Temperature: 34',
      'voltage Port 25 Voltage: 3.29',
      'current Port 25 Bias Current: 0.0174',
      'dbm Port 25 Tx Power: -5.61',
    ],
    limits: {
      'Port 25 Temperature': { low: -45, high: 90 },
      'Port 25 Tx Power': { low: -9, high: 0 },
    },
  },
  {
    name: 'ZTE-AN-OPTICAL-MODULE-MIB: thousandths of everything',
    product: '3902.1082.1001',
    cells: {
      '3902.1082.30.40.2.4.1.2.285278465': -18_350,
      '3902.1082.30.40.2.4.1.3.285278465': 3_210,
      '3902.1082.30.40.2.4.1.5.285278465': 12_500,
      '3902.1082.30.40.2.4.1.6.285278465': 3_290,
      '3902.1082.30.40.2.4.1.8.285278465': 41_250,
    },
    sensors: [
      'temperature Port 285278465 Temperature: 41.25',
      'voltage Port 285278465 Voltage: 3.29',
      'current Port 285278465 Bias Current: 0.0125',
      'dbm Port 285278465 Tx Power: 3.21',
      'dbm Port 285278465 Rx Power: -18.35',
    ],
  },
  {
    name: 'FIBROLAN-SFP-MIB: powers in microwatts; a module without supply is none',
    product: '4467.100',
    cells: {
      '4467.1000.50.1.2.1.1.7': 100,
      '4467.1000.50.1.2.1.2.7': 1000,
      '4467.1000.50.1.2.1.3.7': 38,
      '4467.1000.50.1.2.1.4.7': 20,
      '4467.1000.50.1.2.1.5.7': 3300,
      '4467.1000.50.1.2.1.1.8': 0,
      '4467.1000.50.1.2.1.2.8': 0,
      '4467.1000.50.1.2.1.3.8': 0,
      '4467.1000.50.1.2.1.4.8': 0,
      '4467.1000.50.1.2.1.5.8': 0,
    },
    sensors: [
      'temperature Port 7 Temperature: 38',
      'voltage Port 7 Voltage: 3.3',
      'current Port 7 Bias Current: 0.02',
      'dbm Port 7 Tx Power: 0',
      'dbm Port 7 Rx Power: -10',
    ],
  },
  {
    name: 'TN-DDMI-MIB: modules without diagnostics have rows too',
    product: '868.2.5.1000',
    cells: {
      '868.2.5.152.1.3.2.1.1002.3': 1,
      '868.2.5.152.1.3.2.1.1003.3': '30.25',
      '868.2.5.152.1.3.2.1.1004.3': '85.00',
      '868.2.5.152.1.3.2.1.1005.3': '-40.00',
      '868.2.5.152.1.3.2.1.1008.3': '3.31',
      '868.2.5.152.1.3.2.1.1013.3': '22.00',
      '868.2.5.152.1.3.2.1.1002.4': 2,
      '868.2.5.152.1.3.2.1.1003.4': '0.00',
    },
    sensors: [
      'temperature Port 3 Temperature: 30.25',
      'voltage Port 3 Voltage: 3.31',
      'current Port 3 Bias Current: 0.022',
    ],
    limits: {
      'Port 3 Temperature': { low: -40, high: 85 },
    },
  },
  {
    name: 'HMPRIV-MGMT-SNMP-MIB: index is module and port',
    product: '248.14.10.41',
    cells: {
      '248.14.1.1.13.1.12.1.2': 44,
      '248.14.1.1.13.1.34.1.2': '-5.2',
      '248.14.1.1.13.1.35.1.2': '-7.9',
    },
    sensors: ['temperature SFP 1/2 Temperature: 44', 'dbm SFP 1/2 Tx Power: -5.2', 'dbm SFP 1/2 Rx Power: -7.9'],
  },
  {
    name: 'PICA-PRIVATE-MIB',
    product: '35098.20.1',
    cells: { '35098.1.10.1.4.49': '33.1', '35098.1.10.1.7.49': '-2.11', '35098.1.10.1.8.49': '-3.40' },
    sensors: ['temperature Port 49 Temperature: 33.1', 'dbm Port 49 Tx Power: -2.11', 'dbm Port 49 Rx Power: -3.4'],
  },
])
