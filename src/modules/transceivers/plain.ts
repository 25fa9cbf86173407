import type { MibTable } from '@portlight/snmp/table.ts'
import * as tables from '../../mibs/transceiver-tables.ts'
import type { Vendor } from '../vendor.ts'
import type { Interfaces } from './interfaces.ts'
import type { TransceiverRow } from './observation.ts'
import { positive, reported, transceiver, truth } from './row.ts'

/** What a table is indexed by: an interface, a physical entity, or the vendor's own port number. */
type Index = 'interface' | 'entity' | 'own'

/**
 * A table whose fields need only a conversion of units. `perNanometre`: units of its wavelengths per nanometre; default
 * 1.
 */
export interface Plain {
  readonly vendors: readonly Vendor[]
  readonly table: MibTable
  readonly index: Index
  readonly perNanometre?: number
}

export const PLAIN: readonly Plain[] = [
  { vendors: ['force10'], table: tables.dellNetIfTransceiverDataTable, index: 'interface' },
  { vendors: ['eltex'], table: tables.eltexPhyTransceiverInfoTable, index: 'interface' },
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
]

/** The module in a row; null for an empty cage, which has neither part number nor serial number. */
export function plainTransceiver(
  { index: kind, perNanometre = 1 }: Plain,
  index: string,
  row: Readonly<Record<string, unknown>>,
  { ofEntity }: Interfaces,
): TransceiverRow | null {
  const text = (field: tables.OpticsField) => {
    const value = row[field]
    return typeof value === 'string' ? reported(value) : null
  }
  const [serial, model] = [text('serial'), text('model')]
  const place = placeOf(kind, index, ofEntity)
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
    wavelength: wavelength === null ? null : Math.round(wavelength / perNanometre),
    connector: text('connector'),
  })
}

function placeOf(
  kind: Index,
  index: string,
  ofEntity: ReadonlyMap<number, number>,
): Pick<TransceiverRow, 'ifIndex' | 'entity_physical_index'> | null {
  if (kind === 'own') return { ifIndex: null, entity_physical_index: null }
  const number = /^\d{1,10}$/.test(index) ? Number(index) : 0
  if (number === 0 || number > 0x7fffffff) return null
  return kind === 'interface'
    ? { ifIndex: number, entity_physical_index: number }
    : { ifIndex: ofEntity.get(number) ?? null, entity_physical_index: number }
}
