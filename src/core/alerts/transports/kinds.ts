import { shownSettings } from './fields.ts'
import type { Transport } from './kind.ts'
import { alertmanager } from './kinds/alertmanager.ts'
import { discord } from './kinds/discord.ts'
import { glpi } from './kinds/glpi.ts'
import { googlechat } from './kinds/googlechat.ts'
import { gotify } from './kinds/gotify.ts'
import { jsm } from './kinds/jsm.ts'
import { mail } from './kinds/mail.ts'
import { matrix } from './kinds/matrix.ts'
import { mattermost } from './kinds/mattermost.ts'
import { msteams } from './kinds/msteams.ts'
import { ntfy } from './kinds/ntfy.ts'
import { opsgenie } from './kinds/opsgenie.ts'
import { pagerduty } from './kinds/pagerduty.ts'
import { pushover } from './kinds/pushover.ts'
import { rocketchat } from './kinds/rocketchat.ts'
import { script } from './kinds/script.ts'
import { signal } from './kinds/signal.ts'
import { slack } from './kinds/slack.ts'
import { snmptrap } from './kinds/snmptrap.ts'
import { splunkoncall } from './kinds/splunkoncall.ts'
import { syslog } from './kinds/syslog.ts'
import { telegram } from './kinds/telegram.ts'
import { twilio } from './kinds/twilio.ts'
import { webex } from './kinds/webex.ts'
import { webhook } from './kinds/webhook.ts'
import { webpush } from './kinds/webpush.ts'

/** Every kind of transport, in the order of the documentation. */
export const KINDS: readonly Transport[] = [
  mail,
  webhook,
  slack,
  mattermost,
  discord,
  msteams,
  googlechat,
  webex,
  rocketchat,
  telegram,
  matrix,
  webpush,
  signal,
  twilio,
  ntfy,
  gotify,
  pushover,
  pagerduty,
  opsgenie,
  jsm,
  splunkoncall,
  glpi,
  alertmanager,
  syslog,
  snmptrap,
  script,
]

const BY_NAME: ReadonlyMap<string, Transport> = new Map(
  KINDS.flatMap((kind) => [kind.name, ...kind.was].map((name) => [name, kind] as const)),
)

/** The kind of a stored transport by our name or that of LibreNMS, regardless of case; null if unknown. */
export function kindOf(name: string): Transport | null {
  return BY_NAME.get(name.toLowerCase()) ?? null
}

/** Settings of a transport for display, see `shownSettings`. All settings of an unknown kind are hidden. */
export function shownTransport(
  kind: string,
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return shownSettings(kindOf(kind)?.fields ?? null, settings)
}
