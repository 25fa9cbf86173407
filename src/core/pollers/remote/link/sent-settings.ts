import { SETTING_NAMES } from '../../../../config/names.ts'
import { SETTINGS, type SettingName, type Settings } from '../../../../config/schema.ts'
import { isSecret } from '../../../../config/secrets.ts'

/** Settings for discovery and polling. The others belong to a machine, or only to the centre. */
const SENT =
  /^(poller\.(interval|deadline|stall|nonunicast|modules_off)|discovery\.\w+|discovery_modules|poller_modules|os|device_group|ping\.\w+|icmp_check|status\.\w+|snmp\.(timeout|retries|max_repeaters)|definitions\.prefer|good_if|bad_\w+|ignore_mount\w*)$/

const NAMES: readonly SettingName[] = SETTING_NAMES.filter(
  (name) => SENT.test(name) && SETTINGS[name].scope === 'live' && !isSecret(name),
)

/** The centre's settings that remote pollers follow, except those that have their default. */
export function sentSettings(settings: Settings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (settings.origin(name) === 'default' ? [] : [[name, settings.get(name)]])),
  )
}
