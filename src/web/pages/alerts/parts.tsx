/** @jsxImportSource #jsx */
import { forbidden } from '../../../domain/errors.ts'
import { type Gate, passes } from '../../../domain/gates.ts'
import { Pill, type Tone } from '../../components/icon.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import type { Visit } from '../../page.ts'

/** States of alerts in words. */
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

/** The sign of an alert: its severity, or that somebody has it, or that it is over. */
export function AlertPill({ severity, state }: { readonly severity: string; readonly state: number }): Html {
  if (state === 0) return <Pill tone="ok">Ended</Pill>
  if (state === 2) return <Pill tone="ack">Acknowledged</Pill>
  return <Pill tone={severityTone(severity)}>{SEVERITIES[severity] ?? severity}</Pill>
}

/** What the actor may do; the service checks the objects. */
export const may = ({ actor, services }: Visit, gate: Gate): boolean => passes(actor, gate, services.config)

/** Throws `forbidden`. */
export function need(visit: Visit, gate: Gate): void {
  if (!may(visit, gate)) throw forbidden('Insufficient permissions')
}

const TABS: readonly (readonly [string, string, Gate])[] = [
  ['/alerts', 'Current', 'Alert.viewAny'],
  ['/alerts/history', 'History', 'AlertLog.viewAny'],
  ['/alerts/rules', 'Rules', 'AlertRule.viewAny'],
  ['/alerts/templates', 'Templates', 'AlertTemplate.viewAny'],
  ['/alerts/transports', 'Transports', 'AlertTemplate.viewAny'],
]

/** The pages about alerts. */
export function AlertTabs({ visit, here }: { readonly visit: Visit; readonly here: string }): Html {
  return (
    <nav class="tabs" aria-label="Alerts" tabindex="0">
      {TABS.filter(([, , gate]) => may(visit, gate)).map(([href, label]) => (
        <a href={href} aria-current={href === here ? 'page' : null}>
          {label}
        </a>
      ))}
    </nav>
  )
}

/** A form that changes something: `name` is its action. */
export function Act({
  visit,
  name,
  action,
  plain,
  children,
}: {
  readonly visit: Visit
  readonly name: string
  /** Address of the page; absent: this one. */
  readonly action?: string
  /** Without the room of a form in a card. */
  readonly plain?: boolean
  readonly children?: Child
}): Html {
  return (
    <form class={plain === true ? null : 'form'} method="post" action={action ?? visit.url.pathname + visit.url.search}>
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      <input type="hidden" name="do" value={name} />
      {children}
    </form>
  )
}

/** The number in a path; 0, which no row has, for anything else. */
export const idOf = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0)
