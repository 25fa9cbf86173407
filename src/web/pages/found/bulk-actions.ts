import { parseNetwork } from '@portlight/addresses/networks.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { Action, Notice } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { tickedCandidates } from './chosen.ts'

const done = (n: number, one: string, many: string): { readonly notice: Notice } => ({
  notice: { tone: 'ok', text: n === 1 ? `1 ${one}.` : `${n} ${many}.` },
})

/** Forms of the list of candidates: what is done with the ticked ones. */
export const bulkActions: Readonly<Record<string, Action>> = {
  async none() {
    throw invalid('Choose an action: use one of the buttons below the list')
  },

  /** Leads to the form with the names that they would get. */
  async choose(_, form) {
    return { to: `/found/accept?ids=${tickedCandidates(form).join(',')}` }
  },

  async ignore(visit, form) {
    const ids = tickedCandidates(form)
    const n = await refusalsAsFormErrors(() => visit.services.candidates.ignore(visit.actor, ids))
    return done(n, 'is ignored from now on', 'are ignored from now on')
  },

  async unignore(visit, form) {
    const ids = tickedCandidates(form)
    const n = await refusalsAsFormErrors(() => visit.services.candidates.unignore(visit.actor, ids))
    return done(n, 'is offered again', 'are offered again')
  },

  async exclude(visit, form) {
    const network = (form.get('network') ?? '').trim()
    if (parseNetwork(network) === null)
      throw invalid(`Exclude network: enter a network such as 198.51.100.0/24, not “${network.slice(0, 60)}”`)
    const whole = await refusalsAsFormErrors(() => visit.services.candidates.excludeNetwork(visit.actor, network))
    return { notice: { tone: 'ok', text: `Nothing in ${whole} is asked from now on.` } }
  },
}
