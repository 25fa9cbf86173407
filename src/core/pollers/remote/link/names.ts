/** Everything that belongs to a remote poller in NATS is named after it, so that one line grants it access. */
export interface SiteNames {
  /** Stream with what the poller delivers. */
  readonly stream: string
  /** Subject of the messages in the stream. */
  readonly subject: string
  /** Key-value bucket with the poller's devices and settings. */
  readonly bucket: string
  /** Subject of requests to the poller. */
  readonly requests: string
}

export function siteNames(poller: string): SiteNames {
  return {
    stream: `PORTLIGHT_${poller}`,
    subject: `portlight.${poller}.results`,
    bucket: `portlight_${poller}`,
    requests: `portlight.${poller}.requests`,
  }
}

/** Key of the settings in the bucket. */
export const SETTINGS_KEY = 'settings'

/** Key of a device's plan in the bucket. */
export function planKey(deviceId: number): string {
  return `device.${deviceId}`
}

/** The device id in a key; null if it is not the key of a plan. */
export function deviceOfKey(key: string): number | null {
  const digits = /^device\.([1-9]\d{0,9})$/.exec(key)?.[1]
  return digits === undefined || Number(digits) > 2_147_483_647 ? null : Number(digits)
}
