import type { TableSpec } from '../context.ts'
import { intOf, textOf } from '../source.ts'

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/

/** Users and tokens. */
export const ACCESS: readonly TableSpec[] = [
  {
    table: 'users',
    known: true,
    key: ['auth_type', 'username'],
    caseless: true,
    skip: ['remember_token'],
    convert(row, values, of) {
      const username = textOf(row, 'username')
      if (username === '') return 'left out'
      const type = textOf(row, 'auth_type') || 'mysql'
      const local = type === 'mysql'
      const hash = textOf(row, 'password')
      const usable = local && BCRYPT.test(hash)
      if (!usable) {
        const why = local
          ? 'the password hash is of an unsupported type'
          : `${type} authenticates this user in LibreNMS`
        of.note(`user ${username} has no password here: ${why}`)
      }
      return { ...values, auth_type: local ? 'local' : type, password: usable ? hash : null }
    },
  },
  {
    table: 'api_tokens',
    key: ['token_hash'],
    convert(row, values) {
      const token = textOf(row, 'token_hash')
      if (token === '') return 'left out'
      const hash = new Bun.CryptoHasher('sha256').update(token).digest('hex')
      return {
        ...values,
        token_hash: hash,
        description: textOf(row, 'description'),
        disabled: intOf(row, 'disabled') ?? 0,
        // The clients that use the token were written for LibreNMS.
        dialect: 'librenms',
      }
    },
  },
  {
    table: 'users_prefs',
    convert: (row, values) => (textOf(row, 'pref') === 'add_schedule_note_to_device' ? values : 'left out'),
  },
]
