/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import { page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { addressOf } from '../scans/list.tsx'
import { networksOf, type OfferedNetwork } from '../scans/networks.tsx'
import { FIRST_RUN, FirstQuestions, offeredNetworks } from './card.tsx'
import { storeAnswers } from './store.ts'

/** Finds the devices of a new installation: its networks, its credentials, and then the scan. */
export const firstRunPage = page<{ readonly offered: readonly OfferedNetwork[] }>({
  path: FIRST_RUN,
  gate: 'admin',
  load: (visit) => Promise.resolve({ offered: offeredNetworks(visit) }),
  view: ({ offered }, visit) => ({
    title: 'Find your devices',
    crumbs: [{ label: 'Found', href: '/found' }, { label: 'Find your devices' }],
    body: (
      <>
        <div class="head">
          <h1>Find your devices</h1>
        </div>
        <FirstQuestions visit={visit} offered={offered} />
      </>
    ),
  }),
  actions: {
    async begin(visit, form) {
      const networks = networksOf(form)
      if (networks.length === 0) throw invalid('Tick or enter one of your networks first')
      await storeAnswers(visit, form, networks)
      return { to: addressOf(await refusalsAsFormErrors(() => visit.services.scans.start(visit.actor, { networks }))) }
    },

    /** For good: setting web.first_run brings the question back. */
    async skip(visit) {
      await visit.services.admin.setSetting(visit.actor, 'web.first_run', 'false')
      return { to: '/' }
    },
  },
})
