import { createSettings } from '../../src/config/settings.ts'
import { createEngine } from '../../src/core/alerts/engine.ts'
import { ruleExtra } from '../../src/core/alerts/rules/extra.ts'
import { rulePreset } from '../../src/core/alerts/rules/presets.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { createLog } from '../../src/observe/log.ts'
import type { TestApi } from '../support/api.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'

const STEP_S = 300
const HOUR_MS = 3_600_000

export const RUNBOOK = 'https://wiki.example.net/ports?what=down'

/**
 * A switch `sw-3` whose port Gi1/0/1 failed five hours ago for ten minutes, and fails now with Gi1/0/2, towards `core-1`,
 * which is down. The alert was raised by the real engine.
 */
export async function makeAlertScenario(api: TestApi) {
  const { sql } = api.store
  const nowMs = Date.now()
  const { deviceId, portIds } = await makeDevice(api.store, 4)
  const [first = 0, second = 0] = portIds
  await sql`update devices set status = 1, display = 'sw-3', last_polled = now(), uptime = 9000000 where device_id = ${deviceId}`
  await sql`update ports set "ifOperStatus" = 'up', "ifAdminStatus" = 'up', "ifSpeed" = 1000000000, "ifLastChange" = 545760000,
    "ifName" = 'Gi1/0/' || ("ifIndex" % 100), "ifAlias" = 'Uplink to rack ' || port_id where device_id = ${deviceId}`
  const names = await sql<{ port_id: number; name: string }[]>`
    select port_id, "ifName" as name from ports where device_id = ${deviceId}`
  const nameOf = (id: number) => names.find(({ port_id }) => port_id === id)?.name ?? ''
  for (let step = 100; step > 0; step--) {
    const samples = portIds.map((portId, i) => ({
      portId,
      time: nowMs - step * STEP_S * 1000,
      periodMs: STEP_S * 1000,
      deltas: { in_octets: 4e9 * (i + 1) + Math.sin(step / 8) * 1e9, out_octets: 2e9 },
    }))
    await writeSamples(api.store, batch({ ports: portSamples(samples) }))
  }
  const [core] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, display, status, last_polled) values ('core1.example.net', 'core-1', 0, now()) returning device_id`
  await sql`insert into links (local_port_id, local_device_id, remote_device_id, active, protocol, remote_hostname, remote_port, remote_version)
    values (${first}, ${deviceId}, ${core?.device_id ?? 0}, 1, 'lldp', 'core-1', 'xe-0/0/1', '')`
  await sql`insert into eventlog (device_id, datetime, message, type, severity, username) values
    (${deviceId}, now() - interval '12 minutes', 'Configuration changed', 'system', 3, 'anna'),
    (${deviceId}, now() - interval '2 hours', 'Long before', 'system', 3, '')`
  const preset = rulePreset('port-down')
  const ruleId = await api.services.alertRules.add(SYSTEM, {
    name: preset?.name ?? '',
    severity: 'critical',
    builder: JSON.stringify(preset?.builder),
    ownQuery: null,
    extra: { ...ruleExtra(''), delay: 0 },
    disabled: false,
    proc: null,
    notes: 'A port that was in use lost its link.',
    runbook: RUNBOOK,
    invertMap: false,
    notify: { kind: 'keep' },
    stepDurationS: null,
    devices: [],
    groups: [],
    locations: [],
  })
  const settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
  const at = async (ms: number) => {
    const engine = createEngine({
      ...{ store: api.store, settings, log: createLog('silent'), notified: () => undefined },
      now: () => ms,
    })
    await engine.round()
    await engine.stop()
  }
  const setStatus = (ids: readonly number[], status: string) =>
    sql`update ports set "ifOperStatus_prev" = "ifOperStatus", "ifOperStatus" = ${status} where port_id = any(${`{${ids.join()}}`}::text::int[])`
  await setStatus([first], 'down')
  await at(nowMs - 5 * HOUR_MS)
  await setStatus([first], 'up')
  await at(nowMs - 5 * HOUR_MS + 600_000)
  await setStatus([first, second], 'down')
  await at(nowMs)
  const [alert] = await sql<
    { id: number }[]
  >`select id from alerts where device_id = ${deviceId} and rule_id = ${ruleId}`
  return {
    deviceId,
    ruleId,
    alertId: alert?.id ?? 0,
    ports: [first, second].map((id) => ({ id, name: nameOf(id) })),
  }
}

/** Raises alerts about a BGP session, a service check and a bill of the device: their ids, and those of the objects. */
export async function addOthers({ store, services }: TestApi, deviceId: number, portId: number) {
  const { sql } = store
  const [peer] = await sql<{ id: number }[]>`
    insert into "bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs", "bgpPeerState", "bgpPeerAdminStatus", "astext",
      "bgpLocalAddr", "bgpPeerRemoteAddr", "bgpPeerInUpdates", "bgpPeerOutUpdates", "bgpPeerInTotalMessages",
      "bgpPeerOutTotalMessages", "bgpPeerFsmEstablishedTime", "bgpPeerInUpdateElapsedTime")
    values (${deviceId}, '192.0.2.1', 64500, 'idle', 'start', '', '', '', 0, 0, 0, 0, 0, 0) returning "bgpPeer_id" as id`
  const [check] = await sql<{ id: number }[]>`
    insert into services (device_id, service_name, service_type, service_desc, service_param, service_ip, service_status,
      service_message, service_ds, service_changed)
    values (${deviceId}, 'Web shop', 'http', '', '', '192.0.2.1', 2, '', '{}', 0) returning service_id as id`
  await sql`insert into service_datasets (service_id, ds) values (${check?.id ?? 0}, 'time')`
  const [bill] = await sql<{ id: number }[]>`
    insert into bills (bill_name, bill_type, bill_cdr, bill_day, dir_95th, bill_custid, bill_ref, bill_notes)
    values ('Transit', 'cdr', 1000000, 1, 'in', '', '', '') returning bill_id as id`
  await sql`insert into bill_ports (bill_id, port_id, bill_port_autoadded) values (${bill?.id ?? 0}, ${portId}, 0)`
  const compared = [
    ['bgpPeers.bgpPeerState', 'not_equal', 'established'],
    ['services.service_status', 'equal', '2'],
    ['bills.bill_name', 'equal', 'Transit'],
  ] as const
  const rules: number[] = []
  for (const [field, operator, value] of compared)
    rules.push(
      await services.alertRules.add(SYSTEM, {
        ...{ name: `About ${field}`, severity: 'warning', ownQuery: null, extra: { ...ruleExtra(''), delay: 0 } },
        builder: JSON.stringify({ condition: 'AND', rules: [{ field, operator, value }] }),
        ...{ disabled: false, proc: null, notes: '', runbook: null, invertMap: false, notify: { kind: 'keep' } },
        ...{ stepDurationS: null, devices: [], groups: [], locations: [] },
      }),
    )
  const settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
  const engine = createEngine({ store, settings, log: createLog('silent'), notified: () => undefined })
  await engine.round()
  await engine.stop()
  const alerts = await sql<{ rule: number; id: number }[]>`
    select rule_id as rule, id from alerts where rule_id = any(${`{${rules.join()}}`}::text::int[]) and device_id = ${deviceId}`
  const idOf = (rule: number | undefined) => alerts.find((one) => one.rule === rule)?.id ?? 0
  return [peer, check, bill].map((one, i) => ({ alert: idOf(rules[i]), id: one?.id ?? 0 }))
}
