import { type Actor, scopeOf } from '../../base/actor.ts'
import { calledDevice } from '../../base/device-name.ts'
import type { Store } from '../../database/client.ts'
import { type AlertContext, alertContext } from '../context.ts'
import { latestContext } from '../read-alert-list.ts'
import { type Rendered, renderedBy, type TemplateTexts } from './render.ts'

/** A template rendered as a notification. */
export interface TemplatePreview extends Rendered {
  /** Title of the notification. */
  readonly shownTitle: string
  /** The alert it was rendered for, `Device down of core-1`; null: an invented one. */
  readonly about: string | null
}

/** Renders templates being edited, with the data of the latest notification about a device that the actor may see. */
export function createTemplatePreview({ store }: { readonly store: Store }) {
  return {
    async render(actor: Actor, texts: TemplateTexts, ended: boolean): Promise<TemplatePreview> {
      const stored = await latestContext(store, scopeOf(actor))
      // the cast is safe: this program stored it as AlertContext
      const real = stored as unknown as AlertContext | null
      const context: AlertContext = { ...(real ?? invented(Date.now())), state: ended ? 0 : 1 }
      const rendered = renderedBy(texts, context, null)
      return {
        ...rendered,
        shownTitle: rendered.title ?? context.title,
        about: real === null ? null : `${context.name} of ${calledDevice(context)}`,
      }
    },
  }
}

export type TemplatePreviews = ReturnType<typeof createTemplatePreview>

function invented(now: number): AlertContext {
  const device = {
    device_id: 1,
    hostname: 'router.example.net',
    sysName: 'router',
    sysDescr: 'Example router',
    sysContact: 'noc@example.net',
    display: 'router',
    os: 'linux',
    type: 'network',
    ip: '192.0.2.1',
    hardware: 'Example 9000',
    version: '1.0',
    features: null,
    serial: 'X1',
    location: 'Room 1',
    purpose: null,
    notes: null,
    uptime: 86_400,
    status: 0,
    status_reason: 'icmp',
    last_ping: now,
    last_ping_timetaken: 1,
    parents: [],
  }
  const rule = {
    id: 1,
    name: 'Device down',
    severity: 'critical',
    text: 'macros.device_down = 1',
    builder: '{}',
    proc: null,
    notes: null,
    runbook: null,
  } as const
  const fault = { hostname: device.hostname, status: 0, string: 'status = 0', sentence: 'router is down' }
  return alertContext(device, rule, {
    alertId: 1,
    uid: '00000000-0000-7000-8000-000000000000',
    kind: 'alert',
    state: 1,
    beganAt: now - 300_000,
    note: '',
    faults: [fault],
    faultCount: 1,
    problem: 'router is down',
    behind: 0,
    now,
  })
}
