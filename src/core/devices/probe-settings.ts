import type { SettingName, Settings } from '../../config/schema.ts'
import { counted } from '../../lib/counted.ts'

/** A setting that decides how a device is contacted. */
export interface ProbeSetting {
  readonly name: string
  /** As text; of secrets only how many there are. */
  readonly value: string
  readonly origin: ReturnType<Settings['origin']>
}

const PLAIN = [
  'icmp_check',
  'snmp.version',
  'snmp.transports',
  'snmp.port',
  'snmp.timeout',
  'snmp.retries',
  'snmp.max_repeaters',
] as const satisfies readonly SettingName[]

/** The settings that decide how a device is contacted, without secrets. */
export function probeSettings(settings: Settings): readonly ProbeSetting[] {
  const plain = PLAIN.map((name) => ({ name, value: textOf(settings.get(name)), origin: settings.origin(name) }))
  const v3 = settings.get('snmp.v3')
  const secret = [
    {
      name: 'snmp.community' as const,
      value: counted(settings.get('snmp.community').length, 'community', 'communities'),
    },
    { name: 'snmp.v3' as const, value: counted(Array.isArray(v3) ? v3.length : 0, 'user', 'users') },
  ].map((one) => ({ ...one, origin: settings.origin(one.name) }))
  return [...plain, ...secret]
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
