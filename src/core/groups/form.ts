import { DomainError } from '../base/errors.ts'

/** Members of a body before validation. */
export type Fields = Readonly<Record<string, unknown>>

/** Validation errors of a form: messages by field (contract v0.json, responses with status 422). */
export class FormErrors {
  private readonly texts: Record<string, string[]> = {}

  add(field: string, text: string): void {
    this.texts[field] = [...(this.texts[field] ?? []), text]
  }

  /** Throws `invalid` with the fields if there are any errors. */
  throwIfAny(): void {
    if (Object.keys(this.texts).length > 0) {
      throw new DomainError('invalid', 'The given data was invalid.', { fields: this.texts })
    }
  }
}

const LONGEST_NAME = 255

/** Text of a field; undefined: not sent, or invalid. `required` also refuses null and empty text. */
export function textField(fields: Fields, field: string, required: boolean, errors: FormErrors): string | undefined {
  const value = fields[field]
  if (value === undefined || value === null || value === '') {
    if (required) errors.add(field, `The ${field} field is required.`)
    return undefined
  }
  if (typeof value !== 'string') {
    errors.add(field, `The ${field} field must be a string.`)
    return undefined
  }
  if (value.length > LONGEST_NAME) {
    errors.add(field, `The ${field} field must not be greater than ${LONGEST_NAME} characters.`)
    return undefined
  }
  return value.toWellFormed()
}

/** The description as sent, possibly empty; null: none; undefined: not sent, or invalid. */
export function descField(fields: Fields, errors: FormErrors): string | null | undefined {
  const value = fields['desc']
  return value === null || value === '' ? value : textField(fields, 'desc', false, errors)
}

/** Distinct ids of a list field; accepts numbers and text of digits. undefined: invalid. */
export function idsField(value: unknown, field: string, errors: FormErrors): number[] | undefined {
  if (!Array.isArray(value)) {
    errors.add(field, `The ${field} field must be an array.`)
    return undefined
  }
  const ids: number[] = []
  value.forEach((item: unknown, at) => {
    const id =
      typeof item === 'number' || (typeof item === 'string' && /^-?\d{1,19}$/.test(item)) ? Number(item) : Number.NaN
    if (!Number.isInteger(id)) errors.add(`${field}.${at}`, `The ${field}.${at} field must be an integer.`)
    else ids.push(id)
  })
  return ids.length === value.length ? [...new Set(ids)] : undefined
}

/** Adds an error for each invalid or unknown id. */
export function refuseUnknown(
  field: string,
  ids: readonly number[],
  unknown: ReadonlySet<number>,
  errors: FormErrors,
): void {
  ids.forEach((id, at) => {
    if (!isRowId(id) || unknown.has(id)) errors.add(`${field}.${at}`, `The selected ${field}.${at} is invalid.`)
  })
}

/** Whether the id is in the range of row ids. */
export const isRowId = (id: number): boolean => id > 0 && id <= 2_147_483_647

/** Message for a name in use. */
export const NAME_TAKEN = 'The name has already been taken.'
