import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { inspect } from 'node:util'
import { insertToken, insertUser } from '../../../src/core/access/write.ts'
import { StoreError } from '../../../src/core/database/errors.ts'
import { insertDevice } from '../../../src/core/devices/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const SECRET = 'only-the-owner-knows-this'

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

test('an error contains the message of PostgreSQL, but no values of the query', async () => {
  const { store } = database
  const user = { username: 'eve', password: SECRET, realname: '', email: '', descr: '', roles: [] }
  const device = { hostname: 'switch.example.net', community: SECRET }
  await insertUser(store, user)
  await insertDevice(store, device, null, 'eve')
  const refused = [
    { code: '23505', error: await failure(insertUser(store, user)) },
    { code: '23505', error: await failure(insertDevice(store, device, null, 'eve')) },
    {
      code: '23503',
      error: await failure(
        insertToken(store, {
          userId: 0,
          hash: SECRET,
          description: '',
          dialect: null,
          scope: 'write',
          expiresAt: null,
        }),
      ),
    },
  ]
  for (const { code, error } of refused) {
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({ code, kind: 'conflict' })
    expect(inspect(error, { depth: 10, showHidden: false })).not.toContain(SECRET)
  }
})
