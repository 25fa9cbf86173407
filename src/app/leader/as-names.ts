import type { Store } from '../../core/database/client.ts'
import { unnamedAses, writeAsName } from '../../core/inventory/write-as-names.ts'

/** TXT records of a name, each split into strings; rejects with `code` ENOTFOUND or ENODATA if there are none. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

/** Days after which a name is looked up again. */
const DAYS = 90
/** AS numbers per round, so that the resolver is not flooded. */
const MAX_ASES = 50
const MAX_NAME = 255

/**
 * Looks up and stores the names of the autonomous systems in BGP sessions (AS{number}.asn.cymru.com). An AS without a
 * name is stored with an empty one. If the DNS does not answer, the round ends. Returns the number of AS numbers done.
 * Throws StoreError.
 */
export async function nameAses(store: Store, resolveTxt: ResolveTxt): Promise<number> {
  const asns = await unnamedAses(store, DAYS, MAX_ASES)
  for (const [asked, asn] of asns.entries()) {
    const name = await nameOf(asn, resolveTxt)
    if (name === null) return asked
    await writeAsName(store, asn, name)
  }
  return asns.length
}

/** '': the AS has no name. null: the DNS did not answer. */
async function nameOf(asn: number, resolveTxt: ResolveTxt): Promise<string | null> {
  try {
    const records = await resolveTxt(`AS${asn}.asn.cymru.com`)
    return asName(records[0]?.join('') ?? '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return /NOTFOUND|NODATA/.test(code) ? '' : null
  }
}

/** The last field of `23028 | US | arin | 2002-01-04 | TEAM-CYMRU, US`, without control characters. */
export function asName(record: string): string {
  const fields = record.split('|')
  if (fields.length < 5) return ''
  return fields
    .slice(4)
    .join('|')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_NAME)
}
