import { invalid } from '../../base/errors.ts'

const MAX_NAME = 100

/** Throws `invalid` for what cannot be the name of a transport or group. */
export function requireName(name: string): void {
  if (name.trim() === '' || name.length > MAX_NAME || /\p{Cc}/u.test(name))
    throw invalid(`A name has 1 to ${MAX_NAME} characters`)
  if (/^\d+$/.test(name)) throw invalid('A name must not be a number, which would be taken for an id')
}
