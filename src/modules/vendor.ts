import type { DeviceFacts, TableNeed } from './module.ts'

/** Vendors and product lines by their nodes below 1.3.6.1.4.1, IANA's private enterprise numbers. */
const NODES = {
  accedian: ['22420'],
  advantech: ['10297'],
  alcatelAos: ['6486.801'],
  alcatelAos6: ['6486.800'],
  alliedTelesis: ['207'],
  arista: ['30065'],
  arris: ['4115'],
  aruba: ['14823'],
  arubaCx: ['47196.4.1.1'],
  bdcom: ['3320'],
  cdata: ['34592'],
  checkPoint: ['2620'],
  ciena: ['1271', '6141'],
  cienaWaveserver: ['1271.3'],
  cisco: ['9'],
  coriantGroove: ['42229'],
  cumulus: ['40310'],
  dellOs10: ['674.11000.5000.100.2'],
  dellSwitch: ['674.10895'],
  ecs2100: ['259.10.1.43'],
  ecs3510: ['259.10.1.27'],
  ecs4100: ['259.10.1.46'],
  ecs4110: ['259.10.1.39'],
  ecs4120: ['259.10.1.45'],
  ecs4210: ['259.10.1.42'],
  ecs4510: ['259.10.1.24'],
  eltex: ['35265'],
  ericsson: ['18086', '193'],
  es3510ma: ['259.8.1.11'],
  es3528mv2: ['259.10.1.22'],
  es4552bh2: ['259.6.10.120'],
  extreme: ['1916'],
  f5: ['3375'],
  fiberstore: ['27975', '51134'],
  fibreChannel: ['1588.2', '289', '1663', '3873'],
  fibrolan: ['4467'],
  firebrick: ['24693'],
  force10: ['6027'],
  fortinet: ['12356'],
  foundry: ['1991'],
  fs: ['52642'],
  grandstream: ['42397'],
  gs2200: ['890.1.5.8.55'],
  h3c: ['25506'],
  hirschmann: ['248'],
  hp: ['11'],
  hpe: ['47196'],
  huawei: ['2011'],
  ies5206: ['890.1.5.13.13'],
  ipInfusion: ['36673'],
  juniper: ['2636'],
  lancom: ['2356'],
  mgs3712: ['890.1.5.8.47'],
  microsens: ['3181'],
  mikrotik: ['14988'],
  mrv: ['629'],
  nexans: ['266'],
  nokia: ['6527'],
  nokiaIsam: ['637.61'],
  nokiaTransport: ['7483'],
  nortel: ['45', '2272'],
  nortelRouting: ['2272'],
  nortelStack: ['45'],
  omnitron: ['7342'],
  packetLight: ['4515'],
  parks: ['50224', '6771'],
  perle: ['1966'],
  pica8: ['35098'],
  procera: ['15397'],
  qtech: ['27514'],
  raisecom: ['8886'],
  ribbon: ['1286'],
  ruijie: ['4881'],
  siae: ['3373'],
  slx: ['1588'],
  smartax: ['2011.2.80', '2011.2.248'],
  smartbyte: ['56166'],
  snr: ['40418'],
  sonicWall: ['8741'],
  sophos: ['2604'],
  tailyn: ['5833'],
  threecom: ['43'],
  tplink: ['11863'],
  transition: ['868'],
  ubiquoss: ['7800'],
  ubntEdgeMax: ['41112.1.5'],
  versa: ['42359'],
  viptela: ['41916'],
  waystream: ['9303'],
  zte: ['3902'],
  zyxel: ['890'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A vendor, or one of its product lines if the others have different MIBs. */
export type Vendor = keyof typeof NODES

/** The branches of each vendor, with a dot at the end. */
const BRANCHES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(NODES).map(([vendor, nodes]) => [vendor, nodes.map((node) => `1.3.6.1.4.1.${node}.`)]),
)

/** Whether the device's sysObjectID is at or below a node of the vendor; false without a sysObjectID. */
export function isFrom({ sysObjectID }: Pick<DeviceFacts, 'sysObjectID'>, vendor: Vendor): boolean {
  if (sysObjectID === null) return false
  const id = `${sysObjectID.startsWith('.') ? sysObjectID.slice(1) : sysObjectID}.`
  return BRANCHES.get(vendor)?.some((branch) => id.startsWith(branch)) === true
}

/** The need if the condition holds; otherwise the same table without columns, so that nothing is requested. */
export function when<T extends TableNeed>(condition: boolean | undefined, asked: T): T {
  return condition ? asked : { ...asked, columns: [] }
}
