import type { SettingName, Settings } from './schema.ts'

const MASK = '********'

const SECRETS: ReadonlySet<SettingName> = new Set([
  'snmp.community',
  'snmp.v3',
  'auth.oidc.client_secret',
  'email_smtp_password',
  'traps.communities',
  'traps.v3',
])

/** The value for display: communities, SNMPv3 credentials and the password of a database URL are masked. */
export function withoutSecrets(name: SettingName, value: unknown): unknown {
  if (SECRETS.has(name)) return Array.isArray(value) ? value.map(() => MASK) : MASK
  return name === 'database_url' || name === 'database_read_url' ? withoutPassword(String(value)) : value
}

function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (url === null || url.password === '') return text
  url.password = MASK
  return url.href
}

/** Whether no part of the setting's value may be shown. */
export function isSecret(name: SettingName): boolean {
  return SECRETS.has(name)
}

/** Every secret in the effective settings, at any depth, and the password in the database URL. */
export function secretTexts(settings: Settings): string[] {
  const url = URL.parse(settings.get('database_url'))
  return [
    ...[...SECRETS].flatMap((name) => textsIn(settings.get(name))),
    ...(url === null ? [] : [url.password, decodeURIComponent(url.password)]),
  ]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
