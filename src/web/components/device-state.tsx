/** @jsxImportSource #jsx */
import type { DeviceListRow, DeviceState } from '../../core/lists/service.ts'
import type { OpenMaintenance } from '../../core/maintenance/service.ts'
import { Mark, Pill, type Tone } from './icon.tsx'
import { plain, Time } from './values.tsx'

const TONES: Readonly<Record<DeviceState, Tone>> = {
  down: 'bad',
  unreachable: 'off',
  unknown: 'off',
  alerting: 'warn',
  up: 'ok',
  disabled: 'off',
}
export const STATE_WORDS: Readonly<Record<DeviceState, string>> = {
  down: 'Down',
  unreachable: 'Unreachable',
  unknown: 'Unknown',
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

/** Effects of maintenance on alerts, by behavior. */
export const BEHAVIORS: Readonly<Record<number, string>> = {
  1: 'no alerts',
  2: 'alerts, no notifications',
  3: 'alerts as usual',
}

/** That a device is under maintenance, and until when. */
export const MaintenancePill = ({
  maintenance: { title, behavior, until },
  nowMs,
}: {
  readonly maintenance: OpenMaintenance
  readonly nowMs: number
}) => (
  <span class="maint" title={`${plain(title)}: ${BEHAVIORS[behavior] ?? ''}`}>
    <Pill tone="ack">Maintenance</Pill>
    <span class="sub">
      until <Time at={until} nowMs={nowMs} clock />
    </span>
  </span>
)

/** State of a port as a word and a colour. */
export function portState(port: {
  readonly ifAdminStatus: string | null
  readonly ifOperStatus: string | null
  /** When its device last answered, if it no longer does. */
  readonly old_since: Date | null
}): {
  readonly tone: Tone
  readonly word: string
} {
  if (port.old_since !== null) {
    const was = port.ifAdminStatus === 'down' ? 'admin down' : port.ifOperStatus
    return { tone: 'off', word: was === null ? 'Unknown' : `Unknown, was ${was}` }
  }
  if (port.ifAdminStatus === 'down') return { tone: 'off', word: 'Admin down' }
  if (port.ifOperStatus === 'up') return { tone: 'ok', word: 'Up' }
  if (port.ifOperStatus === null || port.ifOperStatus === 'unknown') return { tone: 'off', word: 'Unknown' }
  return { tone: 'bad', word: port.ifOperStatus === 'down' ? 'Down' : port.ifOperStatus }
}

/** Name of a device as shown in links. */
export const deviceName = ({ display, hostname }: Pick<DeviceListRow, 'display' | 'hostname'>) => display || hostname
