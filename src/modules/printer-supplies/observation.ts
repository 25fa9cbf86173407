/** One printer supply; natural key (type, index). Percent = polled value / capacity * 100. */
export interface PrinterSupplyRow {
  /** PrtMarkerSuppliesTypeTC: toner, tonerCartridge, opc, wasteToner, ...; `input` for a paper tray. */
  readonly supply_type: string
  readonly supply_index: string
  readonly supply_descr: string
  readonly supply_oid: string
  readonly supply_capacity_oid: string | null
  /** In the supply's own unit; null: not reported. */
  readonly supply_capacity: number | null
  /** Percent left; null: unknown. */
  readonly supply_current: number | null
}
