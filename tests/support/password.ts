import type { Store } from '../../src/core/database/client.ts'

export const PASSWORD = 'a quite long password'

/** The hash of PASSWORD with the least work that argon2id allows. */
const QUICK_HASH = Bun.password.hashSync(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

/**
 * Gives a user PASSWORD. People of the tests sign in with it by the form as anybody does; the work of a real hash, twice
 * for each of them, would be half of what tests of pages cost.
 */
export async function givePassword({ sql }: Store, userId: number): Promise<void> {
  await sql`update users set password = ${QUICK_HASH} where user_id = ${userId}`
}
