import { DomainError } from '../errors.ts'

/** The members of a body, before they are checked. */
export type Fields = Readonly<Record<string, unknown>>

/** What was wrong with a form: texts by field (contract v0.json, answers 422). */
export class Complaints {
  private readonly texts: Record<string, string[]> = {}

  add(field: string, text: string): void {
    this.texts[field] = [...(this.texts[field] ?? []), text]
  }

  /** Throws `invalid` with the fields if there was a complaint. */
  settle(): void {
    if (Object.keys(this.texts).length > 0) {
      throw new DomainError('invalid', 'The given data was invalid.', { fields: this.texts })
    }
  }
}

const LONGEST_NAME = 255

/** Text of a field; undefined: not sent, or complained about. `required` also refuses null and empty text. */
export function textField(
  fields: Fields,
  field: string,
  required: boolean,
  complaints: Complaints,
): string | undefined {
  const value = fields[field]
  if (value === undefined || value === null || value === '') {
    if (required) complaints.add(field, `The ${field} field is required.`)
    return undefined
  }
  if (typeof value !== 'string') {
    complaints.add(field, `The ${field} field must be a string.`)
    return undefined
  }
  if (value.length > LONGEST_NAME) {
    complaints.add(field, `The ${field} field must not be greater than ${LONGEST_NAME} characters.`)
    return undefined
  }
  return value.toWellFormed()
}

/** The description: text as it was sent, empty too; null: none. undefined: not sent, or complained about. */
export function descField(fields: Fields, complaints: Complaints): string | null | undefined {
  const value = fields['desc']
  return value === null || value === '' ? value : textField(fields, 'desc', false, complaints)
}

/** Most members that one request names. */
const MOST_IDS = 200_000

/** Ids of a list field, once each; numbers and text of digits are taken. undefined: complained about. */
export function idsField(value: unknown, field: string, complaints: Complaints): number[] | undefined {
  if (!Array.isArray(value)) {
    complaints.add(field, `The ${field} field must be an array.`)
    return undefined
  }
  if (value.length > MOST_IDS) {
    complaints.add(field, `The ${field} field must not have more than ${MOST_IDS} items.`)
    return undefined
  }
  const ids: number[] = []
  value.forEach((item: unknown, at) => {
    const id =
      typeof item === 'number' || (typeof item === 'string' && /^-?\d{1,19}$/.test(item)) ? Number(item) : Number.NaN
    if (!Number.isInteger(id)) complaints.add(`${field}.${at}`, `The ${field}.${at} field must be an integer.`)
    else ids.push(id)
  })
  return ids.length === value.length ? [...new Set(ids)] : undefined
}

/** Complains about each id that no row can have or has. */
export function complainOfUnknown(
  field: string,
  ids: readonly number[],
  unknown: ReadonlySet<number>,
  complaints: Complaints,
): void {
  ids.forEach((id, at) => {
    if (!isRowId(id) || unknown.has(id)) complaints.add(`${field}.${at}`, `The selected ${field}.${at} is invalid.`)
  })
}

/** Whether a row can have the id. */
export const isRowId = (id: number): boolean => id > 0 && id <= 2_147_483_647

/** What a taken name is told. */
export const NAME_TAKEN = 'The name has already been taken.'
