/** @jsxImportSource #jsx */
import { isAcknowledged, isOpen } from '../../../core/base/alert-states.ts'
import type { Permission } from '../../../core/base/permissions.ts'
import { Pill, type Tone } from '../../components/icon.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'

/** Names of the states of alerts. */
export const STATES: Readonly<Record<number, string>> = {
  0: 'ended',
  1: 'active',
  2: 'acknowledged',
  3: 'worse',
  4: 'better',
  5: 'changed',
}

const TONES: Readonly<Record<string, Tone>> = { critical: 'bad', warning: 'warn', ok: 'off' }
export const SEVERITIES: Readonly<Record<string, string>> = { critical: 'Critical', warning: 'Warning', ok: 'Note' }

export const severityTone = (severity: string): Tone => TONES[severity] ?? 'off'

/** The label of an alert: its severity, or that it is acknowledged, or that it has ended. */
export function AlertPill({ severity, state }: { readonly severity: string; readonly state: number }): Html {
  if (!isOpen(state)) return <Pill tone="ok">Ended</Pill>
  if (isAcknowledged(state)) return <Pill tone="ack">Acknowledged</Pill>
  return <Pill tone={severityTone(severity)}>{SEVERITIES[severity] ?? severity}</Pill>
}

/** An instant that a form carries, epoch ms; null: none. */
export const instantOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null

const TABS: readonly (readonly [string, string, Permission])[] = [
  ['/alerts', 'Current', 'Alert.viewAny'],
  ['/alerts/history', 'History', 'AlertLog.viewAny'],
  ['/alerts/rules', 'Rules', 'AlertRule.viewAny'],
  ['/alerts/operations', 'Operations', 'AlertTemplate.viewAny'],
  ['/alerts/templates', 'Templates', 'AlertTemplate.viewAny'],
  ['/alerts/transports', 'Transports', 'AlertTemplate.viewAny'],
  ['/alerts/on-call', 'On call', 'Alert.viewAny'],
]

/** Links to the pages about alerts. */
export function AlertTabs({ visit, here }: { readonly visit: PageRequest; readonly here: string }): Html {
  return (
    <nav class="tabs" aria-label="Alerts" tabindex="0">
      {TABS.filter(([, , gate]) => can(visit, gate)).map(([href, label]) => (
        <a href={href} aria-current={href === here ? 'page' : null}>
          {label}
        </a>
      ))}
    </nav>
  )
}
