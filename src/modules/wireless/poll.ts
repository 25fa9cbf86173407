import { PRESENT } from '../../lib/text-readings.ts'
import type { GaugePoll } from '../module.ts'

/** The stored columns that polling a wireless sensor needs. */
export interface PolledWireless extends Scaling {
  /** JSON array of OIDs. */
  readonly sensor_oids: string
}

/** How the sent values are converted to the shown one. */
interface Scaling {
  readonly sensor_class: string
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  readonly sensor_aggregator: string
}

/**
 * Limit of polled objects per sensor; all radios of a controller with a thousand access points may be combined into
 * one.
 */
const MAX_OIDS = 500

/** Value in the unit of the class; null unless every object has a value. */
export const wirelessPoll: GaugePoll<PolledWireless, number> = {
  oids: (row) => oidsOf(row.sensor_oids),
  reading: (row) => (row.sensor_aggregator === 'count' ? PRESENT : null),
  sample: shownValue,
}

/**
 * Sum or mean of the sent values * multiplier / divisor; of `count`, the values are 1 for an object that the agent has
 * and 0 for one that it no longer has. Null without values or if any is unknown, because a partial
 * sum or count is not the total, and for what no radio measures ({@link measured}).
 */
export function shownValue(row: Scaling, values: ArrayLike<number>): number | null {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] as number
  if (values.length === 0 || !Number.isFinite(sum)) return null
  const value = row.sensor_aggregator === 'avg' ? sum / values.length : sum
  const scaled = (value * row.sensor_multiplier) / (row.sensor_divisor || 1)
  return measured(row.sensor_class, scaled, row.sensor_multiplier === 1 && row.sensor_divisor === 1)
}

/**
 * The value as an engineer reads it; null where an agent means by it that it has none: a frequency of 0 (the radio is
 * off or only listens), a negative distance (no link), a received level or noise floor of 0 dBm, a reference signal
 * quality of 0 dB, a power of more than 100 dBm (10 MW; agents send 255). If the value is as sent (`plain`), a frequency
 * that is an IEEE 802.11 channel number becomes the channel's centre frequency in MHz, and a noise floor of 128 to
 * 255 dBm is a signed octet sent as an unsigned one.
 */
function measured(sensorClass: string, value: number, plain: boolean): number | null {
  switch (sensorClass) {
    case 'frequency':
      return value === 0 ? null : plain ? (channelFrequency(value) ?? value) : value
    case 'distance':
      return value < 0 ? null : value
    case 'rssi':
    case 'rsrp':
    case 'rsrq':
      return value === 0 ? null : value
    case 'power':
      return value > 100 ? null : value
    case 'noise-floor':
      return value === 0 ? null : plain && value >= 128 && value < 256 ? value - 256 : value
    default:
      return value
  }
}

/** Centre frequency of an IEEE 802.11 channel in MHz: 1 … 14 at 2.4 GHz, 32 … 196 at 5 GHz; null for other numbers. */
function channelFrequency(channel: number): number | null {
  if (!Number.isInteger(channel)) return null
  if (channel === 14) return 2484
  if (channel >= 1 && channel <= 13) return 2407 + 5 * channel
  return channel >= 32 && channel <= 196 ? 5000 + 5 * channel : null
}

/** The OIDs in the list without leading dots; empty if the text is not such a list. */
function oidsOf(text: string): readonly string[] {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(list) || list.length > MAX_OIDS) return []
  const oids = list.map((oid) => String(oid).replace(/^\./, ''))
  return oids.every((oid) => /^\d+(?:\.\d+)+$/.test(oid)) ? oids : []
}
