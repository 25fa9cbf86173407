import type { GaugePoll } from '../module.ts'

/** The stored columns that polling a processor needs. */
export interface PolledProcessor {
  readonly processor_oid: string
  readonly processor_precision: number
}

/** Percent, 0 … 100; values outside are discarded. A negative precision means that the object reports idle time. */
export const processorPoll: GaugePoll<PolledProcessor, number> = {
  oids: (row) => [row.processor_oid],
  sample(row, values) {
    const value = (values[0] ?? Number.NaN) / (Math.abs(row.processor_precision) || 1)
    const percent = row.processor_precision < 0 ? 100 - value : value
    return percent >= 0 && percent <= 100 ? percent : null
  },
}
