/** @jsxImportSource #jsx */
import type { DeviceListRow, DeviceState } from '../../domain/fleet/service.ts'
import { Mark, Pill, type Tone } from './icon.tsx'

const TONES: Readonly<Record<DeviceState, Tone>> = { down: 'bad', alerting: 'warn', up: 'ok', disabled: 'off' }
export const STATE_WORDS: Readonly<Record<DeviceState, string>> = {
  down: 'Down',
  alerting: 'Alerting',
  up: 'Up',
  disabled: 'Disabled',
}

export const stateTone = (state: DeviceState): Tone => TONES[state]

export const DeviceMark = ({ state }: { readonly state: DeviceState }) => (
  <Mark tone={TONES[state]} label={STATE_WORDS[state]} />
)

export const DevicePill = ({ state }: { readonly state: DeviceState }) => (
  <Pill tone={TONES[state]}>{STATE_WORDS[state]}</Pill>
)

/** State of a port as a word and a colour. */
export function portState(port: { readonly ifAdminStatus: string | null; readonly ifOperStatus: string | null }): {
  readonly tone: Tone
  readonly word: string
} {
  if (port.ifAdminStatus === 'down') return { tone: 'off', word: 'Admin down' }
  if (port.ifOperStatus === 'up') return { tone: 'ok', word: 'Up' }
  if (port.ifOperStatus === null) return { tone: 'off', word: 'Unknown' }
  return { tone: 'bad', word: port.ifOperStatus === 'down' ? 'Down' : port.ifOperStatus }
}

/** Name of a device as shown in links. */
export const deviceName = ({ display, hostname }: Pick<DeviceListRow, 'display' | 'hostname'>) => display || hostname
