import type { Store } from '../store/client.ts'
import { unnamedAses, writeAsName } from '../store/writers/as-names.ts'

/** TXT records of a name, each in its parts; rejects with `code` ENOTFOUND or ENODATA where there are none. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

/** A name is asked again after so many days. */
const DAYS = 90
/** AS numbers in one round: a full table's neighbours are named within the hour, and a resolver notices nothing. */
const MOST = 50
const MAX_NAME = 255

/**
 * Asks the DNS for the names of the autonomous systems of BGP sessions (AS{number}.asn.cymru.com), and keeps them. What
 * the DNS does not know is kept as such; where it does not answer, the round ends. Returns how many were asked. Throws
 * StoreError.
 */
export async function nameAses(store: Store, resolveTxt: ResolveTxt): Promise<number> {
  const asns = await unnamedAses(store, DAYS, MOST)
  for (const [asked, asn] of asns.entries()) {
    const name = await nameOf(asn, resolveTxt)
    if (name === null) return asked
    await writeAsName(store, asn, name)
  }
  return asns.length
}

/** '': the AS has none. null: the DNS did not answer. */
async function nameOf(asn: number, resolveTxt: ResolveTxt): Promise<string | null> {
  try {
    const records = await resolveTxt(`AS${asn}.asn.cymru.com`)
    return asName(records[0]?.join('') ?? '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return /NOTFOUND|NODATA/.test(code) ? '' : null
  }
}

/** The last of the fields in `23028 | US | arin | 2002-01-04 | TEAM-CYMRU, US`; control characters are dropped. */
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
