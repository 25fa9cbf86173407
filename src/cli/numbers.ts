import { InvalidArgumentError } from 'commander'
import { MOST_DAYS } from '../core/system/storage.ts'

/** Parses a whole number above 0 from the command line. */
export function positive(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > 2_147_483_647) {
    throw new InvalidArgumentError('It must be a whole number above 0.')
  }
  return number
}

/** Parses a number of days for which something is kept. */
export function keepDays(text: string): number {
  const number = positive(text)
  if (number > MOST_DAYS) throw new InvalidArgumentError(`It must be at most ${MOST_DAYS} days.`)
  return number
}
