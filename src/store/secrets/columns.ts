/** A column whose values are secrets that the program must be able to read: no hashes. */
export interface SecretColumn {
  readonly table: string
  readonly column: string
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** `text`: the value. `json`: a JSON value, encrypted as a whole. */
  readonly type: 'text' | 'json'
  /** Condition that selects the rows with a secret; absent: all. SQL of our own. */
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

/** Every such column. */
export const SECRET_COLUMNS = [
  { table: 'devices', column: 'community', key: ['device_id'], type: 'text' },
  { table: 'devices', column: 'authpass', key: ['device_id'], type: 'text' },
  { table: 'devices', column: 'cryptopass', key: ['device_id'], type: 'text' },
  { table: 'alert_transports', column: 'transport_config', key: ['transport_id'], type: 'json' },
  { table: 'second_factors', column: 'secret', key: ['user_id'], type: 'text' },
  {
    table: 'config',
    column: 'value',
    key: ['name'],
    type: 'json',
    where: `name in (${SECRET_SETTINGS.map((name) => `'${name}'`).join()})`,
  },
  { table: 'sessions', column: 'id_token', key: ['id'], type: 'text' },
] as const satisfies readonly SecretColumn[]
