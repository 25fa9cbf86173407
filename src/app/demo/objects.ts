import { ruleExtra } from '../../core/alerts/rules/extra.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import type { Store } from '../../core/database/client.ts'
import {
  BILLED,
  DEMO_BILL,
  DEMO_GROUP,
  DEMO_RULES,
  DEMO_SITE,
  type DemoRule,
  NOW_WINDOW,
  SUNDAY_WINDOW,
  SWITCH_GROUP,
  SWITCHES,
} from '../../core/demo/objects.ts'
import { demoDevices } from '../../core/demo/read.ts'
import { demoObjects, demoPort } from '../../core/demo/read-objects.ts'
import type { Services } from '../../core/services.ts'
import { clockOf, OWN_CLOCK } from '../../lib/zone-clock.ts'

interface ObjectDeps {
  readonly services: Services
  readonly store: Store
  /** TCP port of web-1's web server. */
  readonly webPort: number
}

const LAST_DAY = '2037-12-31'

/**
 * Adds what there is to look at besides devices: groups, rules, maintenance windows, a service. What has the name already
 * stays as it is, except the port of the service. The bill follows when its port is known: see `addBill`.
 */
export async function addObjects({ services, store, webPort }: ObjectDeps): Promise<void> {
  const there = new Map((await demoObjects(store)).map(({ kind, name, id }) => [`${kind} ${name}`, id]))
  const ids = new Map((await demoDevices(store)).map(({ hostname, device_id }) => [hostname, device_id]))
  const group = async (name: string, devices: readonly number[]): Promise<number> =>
    there.get(`group ${name}`) ??
    (await services.deviceGroups.create(SYSTEM, { name, type: 'static', desc: 'Part of the demo', devices })).id
  const all = await group(DEMO_GROUP, [...ids.values()])
  const switches = await group(
    SWITCH_GROUP,
    SWITCHES.flatMap((name) => ids.get(name) ?? []),
  )
  for (const rule of DEMO_RULES)
    if (!there.has(`rule ${rule.name}`)) await services.alertRules.add(SYSTEM, draftOf(rule, all))
  const under = ids.get(NOW_WINDOW.device)
  if (under !== undefined && !there.has(`maintenance ${NOW_WINDOW.title}`))
    await services.maintenance.schedule(
      SYSTEM,
      { kind: 'device', id: under, name: NOW_WINDOW.device },
      { ...window(NOW_WINDOW), start: null },
    )
  if (!there.has(`maintenance ${SUNDAY_WINDOW.title}`))
    await services.maintenance.schedule(
      SYSTEM,
      { kind: 'device_group', id: switches, name: SWITCH_GROUP },
      {
        ...window(SUNDAY_WINDOW),
        start: `${nextSunday()} ${SUNDAY_WINDOW.start}`,
        repeat: { every: 'weekly', days: '7', until: LAST_DAY, zone: null },
      },
    )
  const web = ids.get(DEMO_SITE.device)
  const param = DEMO_SITE.param(webPort)
  const service = there.get(`service ${DEMO_SITE.name}`)
  if (service !== undefined) await services.hostServices.update(SYSTEM, String(service), { service_param: param })
  else if (web !== undefined)
    await services.hostServices.add(SYSTEM, web, {
      ...{ type: DEMO_SITE.type, name: DEMO_SITE.name, param, ip: undefined, desc: undefined },
      ...{ ignore: 0, disabled: 0 },
    })
}

/**
 * Adds the bill, unless there is one or its port is not known. If the demo was removed meanwhile, perhaps by another
 * process, the bill goes again: whoever removes looks for objects after the devices are gone.
 */
export async function addBill({ services, store }: Pick<ObjectDeps, 'services' | 'store'>): Promise<void> {
  if ((await demoObjects(store)).some(({ kind }) => kind === 'bill')) return
  const port = await demoPort(store, BILLED.device, BILLED.port)
  if (port === null) return
  const bill = await services.bills.save(SYSTEM, { billId: null, ports: [port], values: DEMO_BILL })
  if ((await demoPort(store, BILLED.device, BILLED.port)) === null) await services.bills.delete(SYSTEM, String(bill))
}

const window = ({ title, hours }: { readonly title: string; readonly hours: number }) => ({
  ...{ title, behavior: null, notes: 'Part of the demo', duration: `${hours}:00` },
})

/** `Y-m-d` of the next Sunday, in the time zone of this host; never today. */
function nextSunday(): string {
  const today = new Date()
  const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 7 - today.getDay())
  return clockOf(OWN_CLOCK, day.getTime()).slice(0, 10)
}

function draftOf({ name, about, severity, delay, when }: DemoRule, group: number) {
  const rules = when.map(([field, operator, value]) => ({ id: field, field, operator, value }))
  return {
    ...{ name, severity, builder: JSON.stringify({ condition: 'AND', rules, valid: true }), ownQuery: null },
    ...{ extra: { ...ruleExtra(''), delay }, disabled: false, proc: null, notes: about, invertMap: false },
    ...{ notify: { kind: 'keep' } as const, stepDurationS: null, devices: [], groups: [group], locations: [] },
  }
}
