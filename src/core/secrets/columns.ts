/** A column whose values are secrets that the program must be able to read, so not hashes. */
interface Declared {
  /** The primary key of its table, and the key's type. */
  readonly key: string
  readonly keyType: 'int4' | 'int8' | 'text'
  /** Values are bound to their row, whose key is known when they are written; otherwise only to their column. */
  readonly bound: boolean
  /** `text`: the value. `json`: a JSON value, encrypted as a whole. */
  readonly type: 'text' | 'json'
  /** SQL condition, from our own code, for the rows with a secret; absent: all. */
  readonly where?: string
}

/** Names of stored settings that are secrets; a test compares them with the settings' own list. */
export const SECRET_SETTINGS = [
  'snmp.community',
  'snmp.v3',
  'auth.oidc.client_secret',
  'email_smtp_password',
  'traps.communities',
  'traps.v3',
] as const

const DECLARED = {
  'devices.community': { key: 'device_id', keyType: 'int4', bound: false, type: 'text' },
  'devices.authpass': { key: 'device_id', keyType: 'int4', bound: false, type: 'text' },
  'devices.cryptopass': { key: 'device_id', keyType: 'int4', bound: false, type: 'text' },
  'alert_transports.transport_config': { key: 'transport_id', keyType: 'int4', bound: false, type: 'json' },
  'push_subscriptions.subscription': { key: 'id', keyType: 'int8', bound: false, type: 'json' },
  'second_factors.secret': { key: 'user_id', keyType: 'int4', bound: true, type: 'text' },
  'sessions.id_token': { key: 'id', keyType: 'int8', bound: false, type: 'text' },
  'config.value': {
    key: 'name',
    keyType: 'text',
    bound: true,
    type: 'json',
    where: `name in (${SECRET_SETTINGS.map((name) => `'${name}'`).join()})`,
  },
} as const satisfies Readonly<Record<`${string}.${string}`, Declared>>

/** A secret column, as `table.column`. */
export type SecretName = keyof typeof DECLARED

/** A declared column with its names. */
export interface SecretColumn extends Declared {
  readonly name: SecretName
  readonly table: string
  readonly column: string
}

/** Every such column. */
export const SECRET_COLUMNS: readonly SecretColumn[] = (Object.keys(DECLARED) as SecretName[]).map((name) => {
  const [table = '', column = ''] = name.split('.')
  return { name, table, column, ...DECLARED[name] }
})
