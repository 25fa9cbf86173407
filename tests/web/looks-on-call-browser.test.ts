import { createAlertLinks } from '../../src/core/alerts/links/service.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { testLooks } from './looks.ts'
import { onCall } from './looks-addresses.ts'
import type { SmallFleet } from './small-fleet.ts'

let schedule = 0
let person = 0
let link = ''

/** A schedule with two layers, a gap and an override, how a person is reached, and a link that acknowledges. */
async function prepare({ api, alertId }: SmallFleet): Promise<void> {
  const { onCall, users, alerts } = api.services
  const [ann, ben] = [
    await users.create({ username: 'ann', roles: ['user'], realname: 'Ann Example' }),
    await users.create({ username: 'ben', roles: ['user'], realname: 'Ben With A Rather Long Name-Of-Two-Parts' }),
  ]
  person = ann
  const week = { name: 'Primary', unit: 'week', length: 1, begins: '2026-01-05 08:00', ends: null }
  const always = { days: null, from: '00:00', to: '00:00' }
  const office = { days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }
  schedule = await onCall.add(SYSTEM, {
    ...{ name: 'Network operations', zone: 'Europe/Berlin', notes: 'Calls the duty manager if nobody answers' },
    layers: [
      {
        ...week,
        ...always,
        ends: `${new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)} 08:00`,
        people: [ann, ben],
      },
      { ...week, ...office, name: 'Office', unit: 'day', people: [ben, ann] },
    ],
  })
  const fromMs = Date.now() + 3_600_000
  await onCall.override(SYSTEM, schedule, { userId: ben, fromMs, toMs: fromMs + 9_000_000, note: 'swap' })
  await onCall.renewFeed(SYSTEM, schedule, true)
  const [transport] = await api.store.sql<{ id: number }[]>`
    insert into alert_transports (transport_name, transport_type) values ('Push: Ann', 'webhook') returning transport_id as id`
  const quiet = [
    { days: null, from: '22:00', to: '07:00', lets: 'critical' },
    { days: '6-7', from: '07:00', to: '10:00', lets: 'nothing' },
  ]
  await onCall.setContactMethods(SYSTEM, ann, 'Europe/Berlin', [{ transportId: transport?.id ?? 0, attempt: 1, quiet }])
  const settings = api.settings
  settings.applyStored(new Map([['alert.graph_url', 'http://localhost']]))
  const links = createAlertLinks({ store: api.store, settings, alerts, faults: api.services.faults })
  const context = { state: 1, time: Date.now(), alert_id: alertId } as const
  link = new URL((await links.urlOf({ id: 1, transport_id: transport?.id ?? 0 }, context)) ?? 'http://none').pathname
}

testLooks('people on call', () => onCall({ schedule, person, link }), prepare)
