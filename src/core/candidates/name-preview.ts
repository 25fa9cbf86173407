import { slices } from '../../lib/slices.ts'
import { type NameBy, nameOf } from './names.ts'
import type { Addable } from './read-candidates.ts'
import type { Reverse } from './reverse.ts'

/** Names that a candidate would have, by the way it is named. null: there is no such name. */
export interface NamePreview {
  readonly candidateId: number
  readonly names: Readonly<Record<NameBy, string | null>>
}

/** Names looked up in the DNS at the same time. */
const LOOK_UPS = 16

/** The names that candidates would have. `domain`: setting mydomain. */
export async function previewNames(
  candidates: readonly Addable[],
  domain: string,
  reverse: Reverse,
): Promise<NamePreview[]> {
  const one = async ({ id, address, sys_name, heard_name }: Addable): Promise<NamePreview> => {
    const parts = {
      address,
      sysName: sys_name ?? heard_name,
      reverse: address === null ? null : await reverse(address),
    }
    const named = (by: NameBy) => nameOf(parts, by, domain)
    return { candidateId: id, names: { dns: named('dns'), sysname: named('sysname'), address: named('address') } }
  }
  const previews: NamePreview[] = []
  for (const some of slices(candidates, LOOK_UPS)) previews.push(...(await Promise.all(some.map(one))))
  return previews
}
