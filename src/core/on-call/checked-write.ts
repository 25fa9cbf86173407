import { conflict, invalid } from '../base/errors.ts'
import { toStoreError } from '../database/errors.ts'

/** Runs a write; says which name is in use (`conflict`), or that a user or transport does not exist (`invalid`). */
export async function checkedWrite<T>(name: string, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    const { code } = toStoreError(error)
    if (code === '23505') throw conflict(`There already is an on-call schedule ${name}`)
    if (code === '23503') throw invalid('A user, transport or schedule that was named does not exist')
    throw error
  }
}
