import type { AuthLevel } from '@portlight/snmp/target.ts'

/** An SNMPv3 user whose notifications are accepted. */
export interface TrapUser {
  readonly authlevel: AuthLevel
  readonly authname: string
  readonly authpass: string | null
  readonly authalgo: string | null
  readonly cryptopass: string | null
  readonly cryptoalgo: string | null
}

const LEVELS: readonly string[] = ['noAuthNoPriv', 'authNoPriv', 'authPriv']

/** The users in the value of a setting (a list of credential sets); incomplete ones are left out. */
export function trapUsers(given: unknown): TrapUser[] {
  if (!Array.isArray(given)) return []
  return given.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return []
    const members: Readonly<Record<string, unknown>> = { ...item }
    const text = (name: string) => (typeof members[name] === 'string' && members[name] !== '' ? members[name] : null)
    const name = text('authname')
    const level = text('authlevel')
    if (name === null || level === null || !LEVELS.includes(level)) return []
    return [
      {
        authlevel: level as AuthLevel,
        authname: name,
        authpass: text('authpass'),
        authalgo: text('authalgo'),
        cryptopass: text('cryptopass'),
        cryptoalgo: text('cryptoalgo'),
      },
    ]
  })
}
