/** The parts that check `portlight` can examine, with a name for the service of each. */
export const SELF_PARTS = {
  poller: 'Portlight: polls are in time',
  buffer: 'Portlight: samples are stored',
  disk: 'Portlight: disk',
  database: 'Portlight: database',
  rollups: 'Portlight: roll-ups',
  packing: 'Portlight: packing',
  notifications: 'Portlight: notifications are sent',
  certificate: 'Portlight: certificate',
  clock: 'Portlight: clocks agree',
  backup: 'Portlight: backup',
} as const

export type SelfPart = keyof typeof SELF_PARTS

export function isSelfPart(text: string): text is SelfPart {
  return Object.hasOwn(SELF_PARTS, text)
}
