import type { MibTable } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import * as more from '../../mibs/optics-tables.ts'
import { SFF_CONNECTOR } from '../../mibs/sff-8024.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import * as tables from '../../mibs/transceiver-tables.ts'
import type { Vendor } from '../vendor.ts'
import type { Interfaces } from './interfaces.ts'
import type { TransceiverRow } from './observation.ts'
import { positive, reported, transceiver, truth } from './row.ts'

/**
 * What a table is indexed by: an interface, its number as text, its name as text, a physical entity, or the vendor's own
 * port number. With the last, the interface is found by its name if the table has it.
 */
type Index = 'interface' | 'interface as text' | 'name' | 'entity' | 'own'

/** No module's light has a wavelength above this, in nanometres; what is greater is in hundredths of a nanometre. */
const LONGEST_WAVE = 10_000

/**
 * A table whose fields need only a conversion of units. `perNanometre`: units of its wavelengths per nanometre; default
 * 1. `codes`: its connectors are codes of SFF-8024.
 */
export interface Plain {
  readonly vendors: readonly Vendor[]
  readonly table: MibTable
  readonly index: Index
  readonly perNanometre?: number
  readonly codes?: boolean
}

export const PLAIN: readonly Plain[] = [
  { vendors: ['force10'], table: tables.dellNetIfTransceiverDataTable, index: 'interface' },
  { vendors: ['eltex'], table: tables.eltexPhyTransceiverInfoTable, index: 'interface', codes: true },
  { vendors: ['fibrolan'], table: tables.flSfpInfoTable, index: 'interface' },
  { vendors: ['raisecom'], table: tables.raisecomOpticalTransceiverInfoTable, index: 'interface', perNanometre: 1000 },
  { vendors: ['raisecom'], table: tables.rosMgmtOpticalTransceiverInfoTable, index: 'interface', perNanometre: 1000 },
  { vendors: ['zte'], table: tables.zxAnOpticalModuleInfoTable, index: 'interface' },
  { vendors: ['snr'], table: tables.ddmTranscBasicInfoTable, index: 'interface' },
  { vendors: ['transition'], table: tables.tnDdmiStatusInterfaceTable, index: 'interface' },
  { vendors: ['smartax'], table: tables.hwGponOltOpticsModuleInfoTable, index: 'interface' },
  { vendors: ['grandstream'], table: tables.gwnOpticalModuleInfoTable, index: 'interface' },
  { vendors: ['packetLight'], table: tables.sfpConfigTable, index: 'interface', perNanometre: 100 },
  { vendors: ['ubiquoss'], table: tables.ubiTransceiverInfoTable, index: 'entity' },
  {
    vendors: ['ericsson'],
    table: tables.eriRouterOpticalTransceiverPortTable,
    index: 'interface',
    perNanometre: 100,
  },
  { vendors: ['ericsson'], table: tables.ptSFPTable, index: 'entity' },
  { vendors: ['ciena'], table: tables.cienaCesPortXcvrTable, index: 'own' },
  { vendors: ['ciena'], table: tables.wwpLeosPortXcvrTable, index: 'own' },
  { vendors: ['hirschmann'], table: tables.hmSFPTable, index: 'own' },
  { vendors: ['lancom'], table: tables.lcsSFPInfoTable, index: 'own' },
  { vendors: ['accedian'], table: tables.acdSfpInfoTable, index: 'own' },
  { vendors: ['nexans'], table: tables.bmSwitchSfpTable, index: 'interface' },
  { vendors: ['pica8'], table: tables.picaSfpStatusTable, index: 'own' },
  { vendors: ['foundry'], table: tables.snIfMediaInfoTable, index: 'interface' },
  { vendors: ['extreme', 'slx'], table: tables.bcsiIfMediaInfoTable, index: 'interface' },
  { vendors: ['perle'], table: tables.mcrSfpDmiModuleTable, index: 'own' },
  { vendors: ['es3510ma'], table: tables.es3510maPortMediaInfoTable, index: 'interface' },
  { vendors: ['es3528mv2'], table: tables.es3528mv2PortMediaInfoTable, index: 'interface' },
  { vendors: ['ecs4510'], table: tables.ecs4510PortMediaInfoTable, index: 'interface' },
  { vendors: ['ecs3510'], table: tables.ecs3510PortMediaInfoTable, index: 'interface' },
  { vendors: ['ecs4110'], table: tables.ecs4110PortMediaInfoTable, index: 'interface' },
  { vendors: ['ecs4210'], table: tables.ecs4210PortMediaInfoTable, index: 'interface' },
  { vendors: ['ecs2100'], table: tables.ecs2100PortMediaInfoTable, index: 'interface' },
  { vendors: ['ecs4120'], table: tables.ecs4120PortMediaInfoTable, index: 'interface' },
  { vendors: ['ecs4100'], table: tables.ecs4100PortMediaInfoTable, index: 'interface' },
  { vendors: ['es4552bh2'], table: tables.es4552bh2PortMediaInfoTable, index: 'interface' },
  { vendors: ['fs'], table: tables.fsPortMediaInfoTable, index: 'interface' },
  { vendors: ['fs', 'fiberstore'], table: more.transbasicinformationTable, index: 'interface' },
  { vendors: ['advantech'], table: more.sfpSerialInfoTable, index: 'interface as text' },
  { vendors: ['nokiaTransport'], table: more.tnSfpPortInfoTable, index: 'interface' },
  { vendors: ['ubntEdgeMax'], table: more.ubntSfpsTable, index: 'own' },
  { vendors: ['ribbon'], table: more.nptTransceiverInventoryTable, index: 'own' },
  { vendors: ['nortelRouting', 'extreme'], table: more.rcPlugOptModTable, index: 'interface' },
  { vendors: ['nortelStack'], table: more.s5ChasGbicInfoTable, index: 'interface' },
  { vendors: ['ruijie'], table: more.ruijieFiberTable, index: 'interface' },
  { vendors: ['bdcom', 'fs'], table: more.ifSfpParameterTable, index: 'interface' },
  { vendors: ['smartbyte'], table: more.opticalModuleInfoTable, index: 'interface' },
  { vendors: ['qtech'], table: more.qtechDdmTranscDiagnosisTable, index: 'interface' },
  { vendors: ['viptela'], table: more.sfpDetailTable, index: 'name' },
  { vendors: ['cienaWaveserver'], table: more.cwsXcvrVendorIdTable, index: 'own' },
  { vendors: ['coriantGroove'], table: more.pluggableTable, index: 'own' },
  { vendors: ['arris'], table: more.d5SfpTable, index: 'own', codes: true },
  { vendors: ['microsens'], table: more.g6SfpInformationTable, index: 'own' },
  { vendors: ['mrv'], table: more.nbsSffMsaTable, index: 'interface' },
  { vendors: ['siae'], table: more.sfpSerialIdTable, index: 'own' },
  { vendors: ['omnitron'], table: more.portSFPTable, index: 'own' },
  { vendors: ['nokiaIsam'], table: more.sfpInventoryTable, index: 'own' },
  { vendors: ['tailyn'], table: more.iswDDMITable, index: 'own' },
  { vendors: ['waystream'], table: more.wsSFPTable, index: 'own' },
  { vendors: ['procera'], table: more.packetlogicSfpPorts, index: 'own' },
  { vendors: ['parks'], table: more.oltPortOpticalTable, index: 'own' },
  { vendors: ['cdata'], table: more.gponOltTransceiverInfoTable, index: 'own' },
  { vendors: ['ies5206'], table: more.ies5206TransceiverSerialInfoTable, index: 'own' },
  { vendors: ['gs2200'], table: more.gs2200TransceiverSerialInfoTable, index: 'interface' },
  { vendors: ['mgs3712'], table: more.mgs3712TransceiverSerialInfoTable, index: 'interface' },
]

/** Whether the interfaces' names are needed to find those of a table. */
export function isNamed({ index, table }: Plain): boolean {
  return index === 'name' || (index === 'own' && table.columns['name'] !== undefined)
}

/** The module in a row; null for an empty cage, which has neither part number nor serial number. */
export function plainTransceiver(
  { index: kind, perNanometre = 1, codes = false }: Plain,
  index: string,
  row: Readonly<Record<string, unknown>>,
  interfaces: Interfaces,
): TransceiverRow | null {
  const text = (field: tables.OpticsField) => {
    const value = row[field]
    return typeof value === 'string' ? reported(value) : null
  }
  const [serial, model] = [text('serial'), text('model')]
  const place = placeOf(kind, index, text('name'), interfaces)
  if (place === null || (serial === null && model === null)) return null
  const wavelength = positive(Number.parseFloat(text('wavelength') ?? ''))
  const distance = positive(Number.parseFloat(text('distance') ?? ''))
  return transceiver({
    ...place,
    index,
    serial,
    model,
    vendor: text('vendor'),
    oui: text('oui'),
    type: text('type'),
    revision: text('revision'),
    date: text('date'),
    ddm: truth(Number(row['ddm'] ?? 0)),
    distance: distance === null ? null : Math.round(distance),
    wavelength: wavelength === null ? null : nanometres(wavelength / perNanometre),
    connector: codes ? (enumName(SFF_CONNECTOR, Number(row['connector'])) ?? null) : text('connector'),
  })
}

function nanometres(wavelength: number): number | null {
  const nm = Math.round(wavelength > LONGEST_WAVE ? wavelength / 100 : wavelength)
  return nm > 0 && nm <= LONGEST_WAVE ? nm : null
}

function placeOf(
  kind: Index,
  index: string,
  name: string | null,
  { ofEntity, byName }: Interfaces,
): Pick<TransceiverRow, 'ifIndex' | 'entity_physical_index'> | null {
  if (kind === 'own') return { ifIndex: byName.get(name ?? '') ?? null, entity_physical_index: null }
  if (kind === 'name') return { ifIndex: byName.get(textOf(index) ?? '') ?? null, entity_physical_index: null }
  const digits = kind === 'interface as text' ? (textOf(index) ?? index) : index
  const number = /^\d{1,10}$/.test(digits) ? Number(digits) : 0
  if (number === 0 || number > 0x7fffffff) return null
  return kind === 'entity'
    ? { ifIndex: ofEntity.get(number) ?? null, entity_physical_index: number }
    : { ifIndex: number, entity_physical_index: number }
}

/** The text in an index, with or without its length in front; null: none. A single number is no text. */
function textOf(index: string): string | null {
  if (!index.includes('.')) return null
  return (decodeIndex(index, ['text']) ?? decodeIndex(index, ['impliedText']))?.[0] ?? null
}
