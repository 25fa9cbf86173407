import { invalid } from '../../../../core/base/errors.ts'
import type { RunSummary } from '../../../../core/base/gateway.ts'
import type { FieldValue } from '../../../../core/devices/service.ts'
import type { Action, Form, Notice, PageRequest } from '../../../page.ts'
import { requireGate } from '../../../permissions.ts'
import { wholeOf } from '../../add-device/request.ts'

/** How long an answer waits for a poll or discovery, which continues in any case. */
const WAIT_MS = 15_000

const refOf = ({ params }: PageRequest): string => params['id'] ?? ''
const saved: { readonly notice: Notice } = { notice: { tone: 'ok', text: 'Saved.' } }

/** `[field, value]` for the fields that were sent. */
const sent = (form: Form, names: readonly string[]): [string, FieldValue][] =>
  names.flatMap((name) => {
    const value = form.get(name)
    return value === undefined ? [] : [[name, value.trim()] as [string, FieldValue]]
  })

/** Checkboxes: those not sent are off. */
const boxes = (form: Form, names: readonly string[]): [string, FieldValue][] =>
  names.map((name) => [name, form.get(name) === '1' ? 1 : 0])

const V3 = ['authlevel', 'authname', 'authalgo', 'cryptoalgo'] as const

/** Secrets that were entered; an empty field keeps what is stored. */
const secrets = (form: Form, names: readonly string[]): [string, FieldValue][] =>
  names.flatMap((name) => {
    const value = form.get(name) ?? ''
    return value === '' ? [] : [[name, value] as [string, FieldValue]]
  })

const wayOf = (form: Form) => ['v1', 'v2c', 'v3', 'ping'].find((way) => way === form.get('way')) ?? 'v2c'

/** Polls the device now. The form is on all tabs of a device, so it needs a check beyond their gates. */
export const pollAction: Action = async (visit) => {
  requireGate(visit, 'Device.update')
  return { notice: await waited('poll', visit.services.devices.pollNow(visit.actor, refOf(visit))) }
}

/** Forms of the Edit tab. The gate of the tab has been checked; the services check access to the device. */
export const editActions: Readonly<Record<string, Action>> = {
  async identity(visit, form) {
    const { devices } = visit.services
    const device = await devices.require(visit.actor, refOf(visit))
    const hostname = (form.get('hostname') ?? '').trim()
    const id = String(device.device_id)
    if (hostname !== device.hostname) await devices.rename(visit.actor, id, hostname)
    await devices.update(visit.actor, id, [
      ...sent(form, ['overwrite_ip', 'display_template', 'location', 'purpose', 'notes']),
      ...boxes(form, ['override_sysLocation']),
    ])
    return saved
  },

  async snmp(visit, form) {
    const way = wayOf(form)
    const ping = way === 'ping'
    const values: [string, FieldValue][] = [
      ['snmp_disable', ping ? 1 : 0],
      ['port', wholeOf(form, 'port', 'UDP port', 1, 65_535) ?? 161],
      ...sent(form, ['transport', 'timeout', 'retries']),
      ...boxes(form, ['snmp_any_source']),
    ]
    if (!ping) values.push(['snmpver', way])
    if (way === 'v1' || way === 'v2c') values.push(...secrets(form, ['community']))
    if (way === 'v3') values.push(...sent(form, V3), ...secrets(form, ['authpass', 'cryptopass']))
    await visit.services.devices.update(visit.actor, refOf(visit), values)
    return saved
  },

  async test(visit, form) {
    const way = wayOf(form)
    if (way === 'ping') throw invalid('Choose an SNMP version to test')
    const given = Object.fromEntries(
      [
        ...(way === 'v3' ? sent(form, V3) : []),
        ...secrets(form, way === 'v3' ? ['authpass', 'cryptopass'] : ['community']),
      ].map(([name, value]) => [name, String(value)]),
    )
    const port = wholeOf(form, 'port', 'UDP port', 1, 65_535)
    const step = await visit.services.overrides.test(visit.actor, refOf(visit), {
      snmpver: way,
      ...given,
      ...(port !== undefined && { port }),
      anySource: form.get('snmp_any_source') === '1',
    })
    if (step.state !== 'ok') throw invalid(`${step.what}: ${step.result}. Nothing was stored.`)
    return { notice: { tone: 'ok', text: `${step.what}: ${step.result}. Nothing was stored.` } }
  },

  async watching(visit, form) {
    const ref = refOf(visit)
    const interval = wholeOf(form, 'interval', 'Seconds between polls', 5, 86_400) ?? null
    await visit.services.overrides.setInterval(visit.actor, ref, interval)
    await visit.services.devices.update(visit.actor, ref, boxes(form, ['disabled', 'ignore', 'disable_notify']))
    return saved
  },

  async modules(visit, form) {
    const ref = refOf(visit)
    const { modules } = await visit.services.overrides.read(visit.actor, ref)
    const changes = modules.flatMap((state) =>
      (['discover', 'poll'] as const).flatMap((phase) => {
        const value = form.get(`${phase}-${state.module}`)
        const on = value === '1' ? true : value === '0' ? false : null
        return value === undefined || on === state[phase].own ? [] : [{ module: state.module, phase, on }]
      }),
    )
    await visit.services.overrides.setModules(visit.actor, ref, changes)
    return saved
  },

  async groups(visit, form) {
    requireGate(visit, 'DeviceGroup.update')
    const { actor, services } = visit
    const { device_id } = await services.devices.require(actor, refOf(visit))
    const memberOf = new Set((await services.deviceGroups.ofDevice(actor, device_id)).map(({ id }) => id))
    for (const { id, type } of await services.deviceGroups.list(actor)) {
      if (type !== 'static') continue
      const wanted = form.get(`group-${id}`) === '1'
      if (wanted === memberOf.has(id)) continue
      const fields = { devices: [device_id] }
      if (wanted) await services.deviceGroups.add(actor, String(id), fields)
      else await services.deviceGroups.remove(actor, String(id), fields)
    }
    return saved
  },

  async parents(visit, form) {
    const { actor, services } = visit
    const { device_id } = await services.devices.require(actor, refOf(visit))
    const refs = (form.get('parents') ?? '').split(/[\s,]+/).filter((ref) => ref !== '')
    if (refs.length > 50) throw invalid('A device can depend on at most 50 others')
    const choice = form.get('source')
    if (choice === 'none' || choice === 'computed') {
      await services.parents.replace(actor, device_id, choice)
      return saved
    }
    const ids = await services.parents.idsOf(actor, refs)
    if (ids.includes(device_id)) throw invalid('A device cannot depend on itself')
    await services.parents.replace(actor, device_id, ids.length === 0 ? 'computed' : ids)
    return saved
  },

  async delete(visit, form) {
    requireGate(visit, 'Device.delete')
    const { actor, services } = visit
    const device = await services.devices.require(actor, refOf(visit))
    if ((form.get('confirm') ?? '').trim() !== device.hostname)
      throw invalid('The name does not match, so nothing was deleted')
    await services.devices.delete(actor, String(device.device_id))
    return { to: '/devices' }
  },

  poll: pollAction,

  async discover(visit) {
    return { notice: await waited('discovery', visit.services.devices.discoverNow(visit.actor, refOf(visit))) }
  },
}

const OUTCOMES: Readonly<Record<RunSummary['outcome'], readonly [Notice['tone'], string]>> = {
  ok: ['ok', 'is complete'],
  partial: ['warn', 'is incomplete; the Capture tab shows what is missing'],
  unreachable: ['bad', 'failed: the device does not answer'],
  failed: ['bad', 'failed; the Capture tab shows why'],
}

/** The result of a run; a long one continues without the page. */
async function waited(what: string, run: Promise<RunSummary>): Promise<Notice> {
  let timer: Timer | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WAIT_MS)
  })
  const summary = await Promise.race([run, late])
  clearTimeout(timer)
  if (summary === null) {
    run.catch(() => undefined) // logged where it runs
    return { tone: 'warn', text: `The ${what} is still in progress; it continues without this page.` }
  }
  const [tone, words] = OUTCOMES[summary.outcome]
  return { tone, text: `The ${what} ${words}. It took ${(summary.tookMs / 1000).toFixed(1)} s.` }
}
