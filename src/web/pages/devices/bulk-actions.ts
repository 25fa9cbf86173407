import { DomainError, invalid } from '../../../core/base/errors.ts'
import { ticked } from '../../components/bulk.tsx'
import type { Action, Form, Notice, PageRequest } from '../../page.ts'
import { refusalsAsFormErrors, requireGate } from '../../permissions.ts'

/** How long an answer waits for the work it started, which continues in any case. */
const WAIT_MS = 15_000
/** Number of devices worked on at the same time. */
const AT_ONCE = 4
const MAX_NAMED = 5

/** Ids of the ticked devices. Throws `invalid` if there are none. */
const devicesOf = (form: Form): number[] => ticked(form, 'device-', 'Select one or more devices first')

/** A device that the actor may see. */
interface Chosen {
  readonly device_id: number
  readonly hostname: string
}

/** Results so far. */
interface Progress {
  done: number
  /** Devices that do not exist or are not granted. */
  absent: number
  /** `name: reason`. */
  readonly refused: string[]
}

/**
 * Does `work` for each ticked device that the actor may see. Work that takes longer than the answer waits continues in
 * the background. A refusal for one device does not affect the others.
 */
async function each(visit: PageRequest, form: Form, words: Words, work: (device: Chosen) => Promise<unknown>) {
  const { services, actor } = visit
  const ids = devicesOf(form)
  const progress: Progress = { done: 0, absent: 0, refused: [] }
  const left = ids.values()
  const one = async (id: number) => {
    const device = await services.devices.find(actor, String(id)).catch(refusal)
    if (device === null) {
      progress.absent++
      return
    }
    const reason = await work(device).then(() => null, refusalText)
    if (reason === null) progress.done++
    else progress.refused.push(`${device.hostname}: ${reason}`)
  }
  const run = async () => {
    for (const id of left) await one(id)
  }
  const all = Promise.all(Array.from({ length: AT_ONCE }, run))
  let timer: Timer | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), WAIT_MS)
  })
  try {
    if ((await Promise.race([all, late])) === 'late')
      all.catch((error: unknown) => services.log.error({ err: error }, 'work on selected devices failed'))
  } finally {
    clearTimeout(timer)
  }
  return { notice: noticeOf(ids.length, progress, words) }
}

/** Treats devices that are not granted as if they did not exist. */
function refusal(error: unknown): null {
  if (error instanceof DomainError && ['not_found', 'forbidden'].includes(error.code)) return null
  throw error
}

function refusalText(error: unknown): string {
  if (error instanceof DomainError && error.code !== 'unavailable') return error.message
  throw error
}

/** The predicate of the notice, in singular and plural: `was polled`, `were polled`. */
interface Words {
  readonly one: string
  readonly many: string
}

const devices = (n: number) => `${n} ${n === 1 ? 'device' : 'devices'}`

function noticeOf(total: number, { done, absent, refused }: Progress, { one, many }: Words): Notice {
  const under = total - done - absent - refused.length
  const sentences = [
    `${devices(done)} ${done === 1 ? one : many}.`,
    under === 0 ? '' : `${devices(under)} ${under === 1 ? 'is' : 'are'} still in progress, in the background.`,
    absent === 0 ? '' : `${devices(absent)} ${absent === 1 ? 'does' : 'do'} not exist, or you have no access.`,
    refused.length === 0 ? '' : `Failed for ${devices(refused.length)}:`,
  ]
  return {
    tone: refused.length + absent > 0 ? (done > 0 ? 'warn' : 'bad') : under > 0 ? 'warn' : 'ok',
    text: sentences.filter(Boolean).join(' '),
    ...(refused.length > 0 && {
      lines: [
        ...refused.slice(0, MAX_NAMED),
        ...(refused.length > MAX_NAMED ? [`and ${refused.length - MAX_NAMED} more`] : []),
      ],
    }),
  }
}

/** Forms of the device list: actions on the ticked devices. */
export const bulkActions: Readonly<Record<string, Action>> = {
  async none() {
    throw invalid('Choose an action: use one of the buttons below the list')
  },

  async discover(visit, form) {
    requireGate(visit, 'Device.update')
    const words = { one: 'is scheduled for discovery', many: 'are scheduled for discovery' }
    return await each(visit, form, words, ({ device_id }) => visit.services.devices.requestDiscovery(device_id))
  },

  async poll(visit, form) {
    requireGate(visit, 'Device.update')
    return await each(visit, form, { one: 'was polled', many: 'were polled' }, async ({ device_id }) => {
      const { outcome } = await visit.services.devices.pollNow(visit.actor, String(device_id))
      if (outcome === 'unreachable') throw invalid('it does not answer')
      if (outcome === 'failed') throw invalid('the poll failed; its Capture tab shows why')
    })
  },

  async maintenance(visit, form) {
    requireGate(visit, 'Device.update')
    const request = {
      title: null,
      behavior: null,
      notes: (form.get('notes') ?? '').trim(),
      start: null,
      duration: (form.get('duration') ?? '').trim(),
    }
    const words = { one: 'is under maintenance', many: 'are under maintenance' }
    return await each(visit, form, words, ({ device_id, hostname }) =>
      visit.services.maintenance.schedule(visit.actor, { kind: 'device', id: device_id, name: hostname }, request),
    )
  },

  async group(visit, form) {
    requireGate(visit, 'DeviceGroup.update')
    const { deviceGroups } = visit.services
    const name = (form.get('group') ?? '').trim()
    if (name === '') throw invalid('Enter the name of a group')
    const group = await deviceGroups.find(visit.actor, name)
    if (group === null) throw invalid(`There is no device group ${name}`)
    if (group.type === 'dynamic') throw invalid(`The members of ${group.name} are determined by its rule`)
    const words = { one: `is in group ${group.name}`, many: `are in group ${group.name}` }
    return await each(visit, form, words, ({ device_id }) =>
      refusalsAsFormErrors(() => deviceGroups.add(visit.actor, String(group.id), { devices: [device_id] })),
    )
  },

  async delete(visit, form) {
    requireGate(visit, 'Device.delete')
    const ids = devicesOf(form)
    if ((form.get('confirm') ?? '').trim() !== String(ids.length))
      throw invalid(`${devices(ids.length)} are selected; the number does not match, so nothing was deleted`)
    return await each(visit, form, { one: 'was deleted', many: 'were deleted' }, ({ device_id }) =>
      visit.services.devices.delete(visit.actor, String(device_id)),
    )
  },
}
