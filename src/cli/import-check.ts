import { CliError } from './errors.ts'

/** An API and a token for it. */
export interface ApiAccess {
  readonly url: string
  readonly token: string
}

/** How a list differs between the two APIs. */
export interface Compared {
  readonly list: string
  readonly there: number
  readonly here: number
  /** Ids there that are missing here. */
  readonly missing: readonly string[]
  /** Ids here that are missing there. */
  readonly added: readonly string[]
  /** Number of records that differ; `different` has an entry for each member that does. */
  readonly records: number
  readonly different: readonly {
    readonly id: string
    readonly member: string
    readonly there: unknown
    readonly here: unknown
  }[]
}

interface List {
  readonly path: string
  /** Member of the response that has the rows; a list of lists is flattened. */
  readonly member: string
  readonly id: string
  /** Members that must be equal. */
  readonly same: readonly string[]
  /** What the user can do about missing, added and different records. */
  readonly advice: { readonly missing: string; readonly added: string; readonly different: string }
}

const AGAIN = 'import again; this adds what is new there'
const FOUND = 'discovery found them; nothing to do, unless they duplicate what was imported'

const LISTS: readonly List[] = [
  {
    path: 'devices',
    member: 'devices',
    id: 'device_id',
    same: ['hostname', 'snmpver', 'port', 'location', 'disabled', 'ignore', 'os'],
    advice: {
      missing: AGAIN,
      added: 'they were added only here',
      different:
        'os: compare `device explain` with the device there; other fields: one side was changed since the import',
    },
  },
  {
    path: 'ports?columns=port_id,device_id,ifName,ifIndex,ifAlias,deleted',
    member: 'ports',
    id: 'port_id',
    same: ['device_id', 'ifName', 'ifIndex', 'ifAlias', 'deleted'],
    advice: {
      missing: AGAIN,
      added: `${FOUND}; compare the filters of ports (bad_if and the like)`,
      different: 'run discovery of the device on both sides, then compare again',
    },
  },
  {
    path: 'resources/sensors',
    member: 'sensors',
    id: 'sensor_id',
    same: ['device_id', 'sensor_class', 'sensor_descr', 'sensor_limit', 'sensor_limit_low'],
    advice: {
      missing: 'discovery did not find them and deleted them: see `definitions check` and `definitions.prefer`',
      added: FOUND,
      different: 'with `definitions.prefer` at `loaded` descriptions and limits are the same as there',
    },
  },
  {
    path: 'devicegroups',
    member: 'groups',
    id: 'id',
    same: ['name', 'type'],
    advice: {
      missing: AGAIN,
      added: 'they were added only here',
      different: 'one side was changed since the import',
    },
  },
  {
    path: 'bills',
    member: 'bills',
    id: 'bill_id',
    same: ['bill_name', 'bill_type', 'bill_day', 'bill_cdr', 'bill_quota'],
    advice: {
      missing: AGAIN,
      added: 'they were added only here',
      different: 'change one of them before the period ends, or it will be billed by the values here',
    },
  },
  {
    path: 'rules',
    member: 'rules',
    id: 'id',
    same: ['name', 'severity', 'disabled'],
    advice: {
      missing: AGAIN,
      added: 'they were added only here',
      different: 'if disabled here, the notes of the rule say why it cannot run: rewrite its condition',
    },
  },
  {
    path: 'services',
    member: 'services',
    id: 'service_id',
    same: ['device_id', 'service_type', 'service_desc', 'service_param', 'service_ip', 'service_disabled'],
    advice: {
      missing: AGAIN,
      added: 'they were added only here',
      different: 'one side was changed since the import',
    },
  },
]

const TIMEOUT_MS = 120_000
/** Differences kept for each list. */
const MAX_DIFFERENCES = 1000

/** Reads the lists from both APIs and compares them. Throws CliError if one does not answer or refuses the token. */
export async function compareApis(there: ApiAccess, here: ApiAccess): Promise<readonly Compared[]> {
  const found: Compared[] = []
  for (const { path, member, id, same } of LISTS) {
    const [theirs, ours] = await Promise.all([rowsOf(there, path, member, id), rowsOf(here, path, member, id)])
    const different: { id: string; member: string; there: unknown; here: unknown }[] = []
    let records = 0
    for (const [key, row] of theirs) {
      const own = ours.get(key)
      if (own === undefined) continue
      const members = same.filter((name) => plain(row[name]) !== plain(own[name]))
      if (members.length > 0) records++
      for (const name of members)
        if (different.length < MAX_DIFFERENCES)
          different.push({ id: key, member: name, there: row[name] ?? null, here: own[name] ?? null })
    }
    found.push({
      list: member,
      there: theirs.size,
      here: ours.size,
      missing: [...theirs.keys()].filter((key) => !ours.has(key)),
      added: [...ours.keys()].filter((key) => !theirs.has(key)),
      records,
      different,
    })
  }
  return found
}

/** A value as text, in one form for equal values: 1, "1.0" and true are all `1`. */
function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = String(value ?? '').trim()
  return /^-?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text
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
  // Some versions answer 404 for an empty list.
  if (answer.status === 404) return new Map()
  if (!answer.ok) throw new CliError(`${address}: status ${answer.status}`)
  const body = (await answer.json().catch(() => null)) as Readonly<Record<string, unknown>> | null
  const rows = body?.[member]
  if (!Array.isArray(rows)) throw new CliError(`${address}: the answer has no ${member}`)
  return new Map(rows.flat().map((row: Readonly<Record<string, unknown>>) => [String(row[id]), row]))
}

/** Differences shown for each list. */
const SHOWN = 20

/** The comparison as lines of text: first what differs, then what to do about it. */
export function describeComparison(compared: readonly Compared[]): readonly string[] {
  const some = (ids: readonly string[]): string =>
    `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''}`
  const lines = compared.flatMap(({ list, there, here, missing, added, records, different }) => [
    `${list}: ${there} there, ${here} here, ${there - missing.length - records} the same, ${records} different, ${missing.length} missing here, ${added.length} only here`,
    ...(missing.length > 0 ? [`  missing here: ${some(missing)}`] : []),
    ...(added.length > 0 ? [`  only here: ${some(added)}`] : []),
    ...different
      .slice(0, SHOWN)
      .map((one) => `  ${one.id} ${one.member}: ${JSON.stringify(one.there)} there, ${JSON.stringify(one.here)} here`),
    ...(different.length > SHOWN ? [`  and ${different.length - SHOWN} more differences`] : []),
  ])
  const todo = compared.flatMap(({ list, missing, added, records }) => {
    const advice = LISTS.find(({ member }) => member === list)?.advice
    if (advice === undefined) return []
    return [
      ...(missing.length > 0 ? [`  ${missing.length} ${list} missing here: ${advice.missing}`] : []),
      ...(records > 0 ? [`  ${records} ${list} different: ${advice.different}`] : []),
      ...(added.length > 0 ? [`  ${added.length} ${list} only here: ${advice.added}`] : []),
    ]
  })
  return [...lines, ...(todo.length === 0 ? ['no differences'] : ['what to do:', ...todo])]
}
