import { expect, test } from 'bun:test'
import { presentV0Error } from '../../../src/api/v0/present-error.ts'
import { DomainError, LostRace, toDomainError } from '../../../src/core/base/errors.ts'
import { StoreError } from '../../../src/core/database/errors.ts'

const duplicate = new StoreError('conflict', 'duplicate key', false, '23505')

test('a constraint that fails is a lost race, other errors are not', () => {
  expect(toDomainError(duplicate)).toBeInstanceOf(LostRace)
  expect(toDomainError(duplicate)).toMatchObject({ name: 'DomainError', code: 'unavailable', cause: duplicate })
  expect(toDomainError(new StoreError('unavailable', 'gone', true, 'ECONNRESET'))).not.toBeInstanceOf(LostRace)
  expect(toDomainError(new StoreError('internal', 'no such column', false, '42703'))).toBeNull()
})

test('the API logs a lost race, and only that', () => {
  const lines: string[] = []
  const log = { warn: (_fields: unknown, message: string) => lines.push(message) } as never
  const answer = (error: unknown) => presentV0Error(error, new Request('http://localhost/api/v0/devices'), log).status
  const { message } = new LostRace(null)
  expect(answer(new DomainError('unavailable', message))).toBe(503)
  expect(lines).toEqual([])
  expect(answer(duplicate)).toBe(503)
  expect(lines).toEqual(['request lost a race'])
})
