import { invalid, toDomainError } from '../../../core/base/errors.ts'
import type { Accepted, AcceptOptions, Candidate } from '../../../core/candidates/candidate.ts'
import { tickedIds } from '../../id.ts'
import type { Form, PageRequest } from '../../page.ts'
import { wholeOf } from '../add-device/request.ts'
import type { Work } from '../add-devices/answer.ts'
import type { Row } from '../add-devices/view.tsx'
import { MAX_CHOSEN } from './chosen.ts'
import { nameRuleOf } from './names.tsx'

/** Candidates that are added at the same time. */
const AT_ONCE = 8

/** Which candidates are meant: those with these ids, or those of a scan that wait. */
export type Chosen = { readonly ids: readonly number[] } | { readonly scanId: number }

/** The candidates that are meant and that the actor may see, at most MAX_CHOSEN. */
export async function candidatesOf({ services, actor }: PageRequest, chosen: Chosen): Promise<Candidate[]> {
  if ('scanId' in chosen) {
    const query = { scanId: chosen.scanId, order: 'address' as const, limit: MAX_CHOSEN }
    return [...(await services.candidates.list(actor, query)).rows]
  }
  if (chosen.ids.length === 0) return []
  const query = { state: 'all' as const, ids: chosen.ids.slice(0, MAX_CHOSEN), limit: MAX_CHOSEN }
  return [...(await services.candidates.list(actor, query)).rows]
}

/** What a form says of how candidates are added. Throws `invalid` with the form's labels. */
export function optionsOf(form: Form): AcceptOptions {
  const text = (name: string) => form.get(name)?.trim() || undefined
  const groups = tickedIds(form.keys(), 'group')
  return {
    nameBy: nameRuleOf(form.get('name')),
    hostname: text('hostname'),
    pollerGroup: wholeOf(form, 'poller_group', 'Poller group', 0, 999_999_999),
    location: text('location'),
    deviceGroups: groups.length === 0 ? undefined : groups,
    pingOnly: form.get('ping_only') === '1' ? true : undefined,
  }
}

/** Accepts candidates, with a row for each as it is done. */
export const acceptWork =
  (chosen: Chosen): Work =>
  async (visit, form, { row, total, end }) => {
    const options = optionsOf(form)
    const candidates = await candidatesOf(visit, chosen)
    if (candidates.length === 0) throw invalid('None of them waits any more')
    total(candidates.length)
    let added = 0
    const left = candidates.values()
    const run = async () => {
      for (const candidate of left) {
        const result = await acceptOne(visit, candidate, options)
        if (result.deviceId !== null) added++
        row(rowOf(candidate, result))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, run))
    const kept = candidates.length - added
    end(`${added} added${kept === 0 ? '' : `, ${kept} not added: they stay in Found`}.`)
  }

/** A refusal that is for this candidate alone, such as that it is gone, is its result. */
async function acceptOne(
  { services, actor }: PageRequest,
  { id }: Candidate,
  options: AcceptOptions,
): Promise<Accepted> {
  const none = { candidateId: id, deviceId: null, state: 'found' } as const
  try {
    const [result] = await services.candidates.accept(actor, [id], options)
    return result ?? { ...none, problem: 'It does not wait any more' }
  } catch (error) {
    const known = toDomainError(error)
    if (known === null || known.code === 'unavailable') throw error
    return { ...none, problem: known.message }
  }
}

function rowOf({ name, address }: Candidate, result: Accepted): Row {
  const what = address === null || address === name ? name : `${name}, ${address}`
  const { deviceId, problem, state } = result
  const to = deviceId === null ? null : `/device/${deviceId}`
  if (problem !== null) return { what, text: problem, state: 'no', to }
  return {
    what,
    text: state === 'known' ? 'monitored already' : 'added',
    state: state === 'known' ? 'skipped' : 'ok',
    to,
  }
}
