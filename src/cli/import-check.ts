import { CliError } from './errors.ts'

/** An API and a token for it. */
export interface ApiAccess {
  readonly url: string
  readonly token: string
}

/** What of a list differs between both. */
export interface Compared {
  readonly list: string
  readonly there: number
  readonly here: number
  /** Ids there that are missing here. */
  readonly missing: readonly string[]
  /** Ids here that are not there. */
  readonly added: readonly string[]
  readonly different: readonly {
    readonly id: string
    readonly member: string
    readonly there: unknown
    readonly here: unknown
  }[]
}

/** Lists, the member that has their rows, their ids, and the members that have to be equal. */
const LISTS = [
  {
    path: 'devices',
    member: 'devices',
    id: 'device_id',
    same: ['hostname', 'snmpver', 'port', 'location', 'disabled', 'ignore', 'os'],
  },
  {
    path: 'ports?columns=port_id,device_id,ifName,ifIndex,ifAlias,deleted',
    member: 'ports',
    id: 'port_id',
    same: ['device_id', 'ifName', 'ifIndex', 'ifAlias', 'deleted'],
  },
  {
    path: 'bills',
    member: 'bills',
    id: 'bill_id',
    same: ['bill_name', 'bill_type', 'bill_day', 'bill_cdr', 'bill_quota'],
  },
  { path: 'rules', member: 'rules', id: 'id', same: ['name', 'severity', 'disabled'] },
  { path: 'devicegroups', member: 'groups', id: 'id', same: ['name', 'type'] },
] as const

const TIMEOUT_MS = 120_000
/** Differences of a list that are kept. */
const MAX_DIFFERENCES = 1000

/** Asks both APIs for the lists and compares their records. Throws CliError: one does not answer, or refuses the token. */
export async function compareApis(there: ApiAccess, here: ApiAccess): Promise<readonly Compared[]> {
  const found: Compared[] = []
  for (const { path, member, id, same } of LISTS) {
    const [theirs, ours] = await Promise.all([rowsOf(there, path, member, id), rowsOf(here, path, member, id)])
    const different: { id: string; member: string; there: unknown; here: unknown }[] = []
    for (const [key, row] of theirs) {
      const own = ours.get(key)
      if (own === undefined) continue
      for (const name of same) {
        if (String(row[name] ?? '') !== String(own[name] ?? '') && different.length < MAX_DIFFERENCES)
          different.push({ id: key, member: name, there: row[name] ?? null, here: own[name] ?? null })
      }
    }
    found.push({
      list: member,
      there: theirs.size,
      here: ours.size,
      missing: [...theirs.keys()].filter((key) => !ours.has(key)),
      added: [...ours.keys()].filter((key) => !theirs.has(key)),
      different,
    })
  }
  return found
}

type Rows = ReadonlyMap<string, Readonly<Record<string, unknown>>>

async function rowsOf({ url, token }: ApiAccess, path: string, member: string, id: string): Promise<Rows> {
  const address = `${url.replace(/\/+$/, '')}/api/v0/${path}`
  let answer: Response
  try {
    answer = await fetch(address, {
      headers: { 'X-Auth-Token': token },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
  } catch (error) {
    throw new CliError(`${address}: ${(error as Error).message}`)
  }
  // An empty list is an error to some versions.
  if (answer.status === 404) return new Map()
  if (!answer.ok) throw new CliError(`${address}: status ${answer.status}`)
  const body = (await answer.json().catch(() => null)) as Readonly<Record<string, unknown>> | null
  const rows = body?.[member]
  if (!Array.isArray(rows)) throw new CliError(`${address}: the answer has no ${member}`)
  return new Map(rows.map((row: Readonly<Record<string, unknown>>) => [String(row[id]), row]))
}

/** The comparison in lines; empty lists of differences mean that both agree. */
export function describeComparison(compared: readonly Compared[]): readonly string[] {
  const some = (ids: readonly string[]): string =>
    `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''}`
  return compared.flatMap(({ list, there, here, missing, added, different }) => [
    `${list}: ${there} there, ${here} here, ${different.length} differences`,
    ...(missing.length > 0 ? [`  missing here: ${some(missing)}`] : []),
    ...(added.length > 0 ? [`  only here: ${some(added)}`] : []),
    ...different
      .slice(0, 20)
      .map((one) => `  ${one.id} ${one.member}: ${JSON.stringify(one.there)} there, ${JSON.stringify(one.here)} here`),
  ])
}
