import { createSettings, type SettingsHolder } from '../../../../src/config/settings.ts'
import { createDeliver, type Deliver } from '../../../../src/core/alerts/transports/deliver.ts'
import type { AlertNotification } from '../../../../src/core/alerts/transports/notification.ts'
import { systemLookup } from '../../../../src/core/alerts/transports/resolve.ts'
import { createLog } from '../../../../src/observe/log.ts'

export const LOOPBACK = '127.0.0.0/8,::1'

export const settingsWith = (flags: Readonly<Record<string, string>> = {}): SettingsHolder =>
  createSettings({ flags: { 'outgoing.allow': LOOPBACK, ...flags } })

/** Delivers over the network, also to loopback. `names`: host names with the addresses that they resolve to. */
export function delivering(
  flags: Readonly<Record<string, string>> = {},
  names: Readonly<Record<string, readonly string[]>> = {},
): Deliver {
  return createDeliver({
    settings: settingsWith(flags),
    log: createLog('silent'),
    lookup: async (host) => names[host] ?? (await systemLookup(host)),
  })
}

export const never = new AbortController().signal

/** Must not appear in errors. Long enough to be found, and to be accepted as a token. */
export const SECRET = 'S3cr3t-0123456789abcdef0123456789'

export const notification = (changes: Partial<AlertNotification> = {}): AlertNotification => ({
  key: 'a1b2c3d4-0000-4000-8000-1234567890ab',
  kind: 'alert',
  severity: 'critical',
  state: 1,
  title: 'Alert: core <1> & "edge": Port down',
  text: 'Alert: core <1> & "edge": Port down\n\nDevice: core1\nFaults: 1\n  ifName = Gi0/1 @channel <!here>',
  html: null,
  chat: 'Alert: core <1> & "edge": Port down\n\nDevice: core1\nFaults: 1\n  ifName = Gi0/1 @channel <!here>',
  device: {
    id: 7,
    hostname: 'core1.example.net',
    display: 'core1',
    called: 'core1',
    ip: '192.0.2.1',
    location: 'Vienna',
    contact: 'NOC <noc@example.net>',
    url: 'https://monitor.example.net/device/7',
  },
  rule: { id: 3, name: 'Port down that was up' },
  alertId: 42,
  time: Date.UTC(2026, 10, 22, 12, 30, 15, 250),
  url: null,
  ackUrl: null,
  faults: [{ ifName: 'Gi0/1', string: 'ifName = Gi0/1' }],
  images: [],
  ...changes,
})

/** Longer than any receiver accepts, with surrogate pairs where a text may be shortened. */
export const huge = (changes: Partial<AlertNotification> = {}): AlertNotification => {
  const text = '😀<&>"é'.repeat(30_000)
  const { device, rule } = notification()
  return notification({
    title: text,
    text,
    chat: text,
    device: { ...device, hostname: 'h'.repeat(5000), display: text },
    rule: { ...rule, name: text },
    ...changes,
  })
}
