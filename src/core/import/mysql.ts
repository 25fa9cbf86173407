import { SQL } from 'bun'
import { type Cell, type Row, type RowOptions, type Source, SourceError } from './source.ts'

/** Rows per statement. */
const AT_ONCE = 5000

type Rows = readonly Record<string, unknown>[]
interface Connection {
  unsafe(text: string, values?: readonly unknown[]): Promise<Rows>
  release(): void
}

/**
 * Binary columns are selected as hexadecimal text and all others as text, because drivers turn zero dates into invalid
 * ones.
 */
const BINARY = new Set(['binary', 'varbinary', 'blob', 'tinyblob', 'mediumblob', 'longblob'])

/**
 * Opens a database on a MySQL or MariaDB server: `mysql://USER:PASSWORD@HOST:PORT/DATABASE`, with `?socket=PATH` for a
 * Unix socket and `?tls=require` for TLS. Reads in one read-only transaction with a consistent snapshot. Throws
 * SourceError.
 */
export async function openMysql(address: string, password = process.env['MYSQL_PWD'] ?? ''): Promise<Source> {
  const url = URL.parse(address)
  const database = url === null ? '' : decodeURIComponent(url.pathname.slice(1))
  if (url === null || !/^(mysql|mariadb):$/.test(url.protocol) || database === '')
    throw new SourceError('--database: expected mysql://USER:PASSWORD@HOST/DATABASE')
  const socket = url.searchParams.get('socket')
  const sql = new SQL({
    adapter: 'mysql',
    ...(socket === null ? { hostname: url.hostname || '127.0.0.1', port: Number(url.port || 3306) } : { path: socket }),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password) || password,
    database,
    max: 1,
    connectionTimeout: 15,
    ...(url.searchParams.get('tls') === 'require' && { tls: true }),
  })
  const where = socket ?? url.host
  try {
    const connection = (await sql.reserve()) as unknown as Connection
    await connection.unsafe("set time_zone = '+00:00'")
    await connection.unsafe('set session transaction isolation level repeatable read')
    await connection.unsafe('start transaction with consistent snapshot, read only')
    const types = await columnTypes(connection, database)
    const tables = new Map([...types].map(([table, columns]) => [table, [...columns.keys()]]))
    return {
      name: `${where}/${database}`,
      tables,
      zone: await zoneOf(connection),
      rows: (table, options) => rowsOf(connection, types, table, options),
      async close() {
        await connection.unsafe('rollback').catch(() => undefined)
        connection.release()
        await sql.close({ timeout: 2 })
      },
    }
  } catch (error) {
    await sql.close({ timeout: 0 }).catch(() => undefined)
    throw error instanceof SourceError ? error : new SourceError(`${where}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as { message?: string; code?: string }
  return message || code || 'the server cannot be reached'
}

async function columnTypes(connection: Connection, database: string): Promise<Map<string, Map<string, string>>> {
  const rows = await connection.unsafe(
    `select table_name as t, column_name as c, data_type as d from information_schema.columns
     where table_schema = ? order by table_name, ordinal_position`,
    [database],
  )
  const types = new Map<string, Map<string, string>>()
  for (const { t, c, d } of rows) {
    const columns = types.get(String(t)) ?? new Map<string, string>()
    types.set(String(t), columns.set(String(c), String(d).toLowerCase()))
  }
  if (types.size === 0) throw new SourceError(`database ${database} has no tables that this user may read`)
  return types
}

/** UTC, or the server's time zone if it is named by region. Abbreviations such as CEST are not sufficient. */
async function zoneOf(connection: Connection): Promise<string | null> {
  const [row] = await connection.unsafe('select @@global.time_zone as g, @@system_time_zone as s')
  const zone = row?.['g'] === 'SYSTEM' ? String(row['s']) : String(row?.['g'] ?? '')
  if (/^(UTC|\+00:00|Etc\/UTC)$/.test(zone)) return 'UTC'
  return /^[A-Z][a-z]+\/[A-Za-z_/]+$/.test(zone) ? zone : null
}

async function* rowsOf(
  connection: Connection,
  types: ReadonlyMap<string, ReadonlyMap<string, string>>,
  table: string,
  options: RowOptions = {},
): AsyncGenerator<readonly Row[]> {
  const columns = types.get(table)
  if (columns === undefined) return
  const names = [...columns.keys()].filter((name) => options.columns?.includes(name) ?? true)
  const { orderBy } = options
  const list = names.map((name) => {
    const binary = BINARY.has(columns.get(name) ?? '')
    return binary ? `hex(${quoted(name)})` : `cast(${quoted(name)} as char character set utf8mb4)`
  })
  const binary = names.map((name) => BINARY.has(columns.get(name) ?? ''))
  const select = `select ${list.map((sql, i) => `${sql} as c${i}`).join(', ')}${orderBy === undefined ? '' : `, ${quoted(orderBy)} as o`} from ${quoted(table)}`
  let after = options.after ?? null
  for (let skip = 0; ; skip += AT_ONCE) {
    // Pages by key if there is one, because an offset would read all earlier rows again.
    const found =
      orderBy === undefined
        ? await connection.unsafe(`${select} limit ${AT_ONCE} offset ${skip}`)
        : await connection.unsafe(
            `${select}${after === null ? '' : ` where ${quoted(orderBy)} > ${after}`} order by ${quoted(orderBy)} limit ${AT_ONCE}`,
          )
    if (found.length > 0) yield found.map((row) => rowOf(row, names, binary))
    if (found.length < AT_ONCE) return
    if (orderBy !== undefined) after = Number(found.at(-1)?.['o'])
  }
}

function rowOf(row: Record<string, unknown>, names: readonly string[], binary: readonly boolean[]): Row {
  const cells: Record<string, Cell> = {}
  names.forEach((name, i) => {
    const value = row[`c${i}`]
    if (value === null || value === undefined) cells[name] = null
    else cells[name] = binary[i] === true ? Uint8Array.fromHex(String(value)) : String(value)
  })
  return cells
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
