/** What a printer uses up; natural key (type, index). Percent = polled value / capacity * 100. */
export interface PrinterSupplyRow {
  /** toner, tonerCartridge, opc, wasteToner, ... as PrtMarkerSuppliesTypeTC; `input` is a paper tray. */
  readonly supply_type: string
  readonly supply_index: string
  readonly supply_descr: string
  readonly supply_oid: string
  readonly supply_capacity_oid: string | null
  /** In the supply's own unit; null: the printer does not say. */
  readonly supply_capacity: number | null
  /** Percent that is left; null: not known. */
  readonly supply_current: number | null
}
