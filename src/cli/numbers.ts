import { InvalidArgumentError } from 'commander'

/** Parses a whole number above 0 from the command line. */
export function positive(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > 2_147_483_647) {
    throw new InvalidArgumentError('It must be a whole number above 0.')
  }
  return number
}
