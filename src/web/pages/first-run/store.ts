import type { SettingName } from '../../../config/schema.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { Form, PageRequest } from '../../page.ts'
import { isFree, storeList } from '../scans/settings.ts'

/**
 * Stores what the form says of credentials and networks, in front of what the settings have, and waits until this
 * process follows it. Throws `invalid` with the form's labels.
 */
export async function storeAnswers(visit: PageRequest, form: Form, networks: readonly string[]): Promise<void> {
  const { config } = visit.services
  const user = userOf(form)
  const community = form.get('community') ?? ''
  const nets = [...new Set([...config.get('nets'), ...networks])]
  if (nets.length > config.get('nets').length) {
    if (!isFree(visit, 'nets'))
      throw invalid(
        `Setting nets is fixed by the configuration of this process and does not have ${networks.join(', ')}. Add it there, or choose other networks`,
      )
    await storeList(visit, 'nets', nets)
  }
  const communities = config.get('snmp.community')
  if (community !== '' && !communities.includes(community)) {
    requireFree(visit, 'snmp.community')
    await storeList(visit, 'snmp.community', [community, ...communities])
  }
  if (user !== null) {
    requireFree(visit, 'snmp.v3')
    const known = config.get('snmp.v3')
    await storeList(visit, 'snmp.v3', [user, ...(Array.isArray(known) ? known : [])])
  }
}

function requireFree(visit: PageRequest, name: SettingName): void {
  if (!isFree(visit, name))
    throw invalid(`Setting ${name} is fixed by the configuration of this process. Leave the field empty`)
}

/** The SNMPv3 user of the form; null: none is entered. Throws `invalid`. */
function userOf(form: Form): Readonly<Record<string, string>> | null {
  const authname = (form.get('authname') ?? '').trim()
  if (authname === '') return null
  const authlevel = form.get('authlevel') ?? 'authPriv'
  const [authpass, cryptopass] = [form.get('authpass') ?? '', form.get('cryptopass') ?? '']
  if (authlevel !== 'noAuthNoPriv' && authpass === '')
    throw invalid(`SNMPv3 ${authlevel}: enter the authentication password`)
  if (authlevel === 'authPriv' && cryptopass === '') throw invalid('SNMPv3 authPriv: enter the privacy password')
  const [authalgo, cryptoalgo] = [form.get('authalgo') ?? 'SHA', form.get('cryptoalgo') ?? 'AES']
  return { authlevel, authname, authpass, authalgo, cryptopass, cryptoalgo }
}
