/** One pluggable module; natural key `index`. What the agent does not say is null. */
export interface TransceiverRow {
  /** entPhysicalIndex or ifIndex, by the table it was found in. */
  readonly index: string
  /** Interface it serves; null: not told. */
  readonly ifIndex: number | null
  readonly entity_physical_index: number | null
  /** Form factor or medium in the agent's words: `SFP`, `1000BaseSX SFP`. */
  readonly type: string | null
  readonly vendor: string | null
  readonly oui: string | null
  /** Part number. */
  readonly model: string | null
  readonly revision: string | null
  readonly serial: string | null
  /** Date code, mostly YYMMDD. */
  readonly date: string | null
  /** 1: it measures its own light, temperature and voltage (SFF-8472); 0: it does not. */
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
