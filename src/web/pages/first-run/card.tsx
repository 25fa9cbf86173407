/** @jsxImportSource #jsx */
import { connectedNetworks } from '../../../core/scans/connected-networks.ts'
import { Button, Field, Form, kept, ofForm } from '../../components/form.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { V3Fields } from '../add-device/credentials.tsx'
import { NetworkBoxes, type OfferedNetwork } from '../scans/networks.tsx'

/** Address of the page with these questions. */
export const FIRST_RUN = '/first-run'

/** Whether the actor is asked for the networks, while no device is monitored. */
export const asksFirst = (visit: PageRequest): boolean =>
  can(visit, 'admin') && visit.services.config.get('web.first_run')

/** Networks to choose from: those of setting nets, ticked, and those that this host is connected to, not ticked. */
export function offeredNetworks({ services }: PageRequest): OfferedNetwork[] {
  const own = services.config.get('nets').map((network) => ({ network, about: 'from setting nets', on: true }))
  const here = connectedNetworks()
    .filter(({ network }) => !own.some((one) => one.network === network))
    .map(({ network, via }) => ({ network, about: `this server is connected to it with ${via}`, on: false }))
  return [...own, ...here]
}

/** The first questions of a new installation: its networks, and how the devices in them may be asked. */
export function FirstQuestions({
  visit: whole,
  offered,
}: {
  readonly visit: PageRequest
  readonly offered: readonly OfferedNetwork[]
}): Html {
  const visit = ofForm(whole, 'begin')
  const old = (name: string, otherwise = '') => kept(visit, name, otherwise)
  return (
    <section class="card">
      <header>
        <h2>Which networks are yours?</h2>
      </header>
      <Form visit={visit} name="begin" to={FIRST_RUN}>
        <p>
          Every address in them is asked by ping and SNMP, at a bounded rate. Nothing outside of them is ever asked, and
          nothing is monitored before you accept it.
        </p>
        {offered.length === 0 ? null : <NetworkBoxes legend="Networks" networks={offered} sent={visit.sent} />}
        <Field
          id="networks"
          label={offered.length === 0 ? 'Networks' : 'Other networks'}
          rows={3}
          value={old('networks')}
          placeholder={'198.51.100.0/24\n203.0.113.0/25'}
          hint="One a line."
        />
        <h3>How may the devices be asked?</h3>
        <Field
          id="community"
          label="SNMP community"
          type="password"
          autocomplete="off"
          hint="Tried before those in setting snmp.community, where it is stored. Empty: only those, which are “public” as long as nothing else is set."
        />
        <details class="more" open={old('authname') !== ''}>
          <summary>SNMPv3 user</summary>
          <div class="stack">
            <V3Fields
              level={old('authlevel', 'authPriv')}
              user={old('authname')}
              auth={old('authalgo', 'SHA')}
              cipher={old('cryptoalgo', 'AES')}
              secret={{ auth: '', priv: '' }}
            />
          </div>
        </details>
        <div class="acts">
          <Button first>Find devices</Button>
          <a class="btn" href="/devices/new">
            Add one by name
          </a>
        </div>
      </Form>
      <footer>
        <Form visit={visit} name="skip" to={FIRST_RUN} line>
          <button class="btn s-s bare" type="submit">
            Do not ask again
          </button>
        </Form>{' '}
        A scan can be started on page Found at any time. To look at a simulated fleet first:{' '}
        <code>portlight serve --demo</code>
      </footer>
    </section>
  )
}
