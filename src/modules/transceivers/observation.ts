/** One pluggable module; natural key `index`. null: not reported. */
export interface TransceiverRow {
  /** entPhysicalIndex or ifIndex, depending on the table it was found in. */
  readonly index: string
  /** Its interface; null: not reported. */
  readonly ifIndex: number | null
  readonly entity_physical_index: number | null
  /** Form factor or medium as the agent reports it: `SFP`, `1000BaseSX SFP`. */
  readonly type: string | null
  readonly vendor: string | null
  readonly oui: string | null
  /** Part number. */
  readonly model: string | null
  readonly revision: string | null
  readonly serial: string | null
  /** Date code, usually YYMMDD. */
  readonly date: string | null
  /** 1: has digital diagnostics for optical power, temperature and voltage (SFF-8472); 0: does not. */
  readonly ddm: 0 | 1 | null
  readonly encoding: string | null
  readonly cable: string | null
  /** Metres. */
  readonly distance: number | null
  /** Nanometres. */
  readonly wavelength: number | null
  readonly connector: string | null
  readonly channels: number
}
