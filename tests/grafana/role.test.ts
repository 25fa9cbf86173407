import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Store } from '../../src/core/database/client.ts'
import { fillAll } from './filled.ts'
import { grafanaServers } from './servers.ts'

setDefaultTimeout(600_000)

/** Everything that the role may read or call, one relation or function per line. */
const REACHABLE = (await Bun.file(join(import.meta.dir, 'reachable.txt')).text()).trimEnd().split('\n')

describe.each(grafanaServers())('the role for Grafana on $name', ({ open }) => {
  let store: Store
  let drop: () => Promise<void>
  beforeAll(async () => {
    ;({ store, drop } = await open())
    await fillAll(store, 1000, 'filled', Math.floor(Date.now() / 300_000) * 300, 1)
  })
  afterAll(() => drop())

  test('can access exactly what is on the list', async () => {
    // The catalogues of PostgreSQL and of the extension are public on every server.
    const rows = await store.sql<{ line: string }[]>`
      with own as (
        select n.oid, n.nspname from pg_namespace n
        where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast'))
      select format('%s.%s: %s', o.nspname, c.relname, string_agg(a.attname, ' ' order by a.attnum)) as line
      from own o join pg_class c on c.relnamespace = o.oid join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'v', 'm', 'p', 'f', 'S') and not a.attisdropped
        and (has_table_privilege('portlight_reader', c.oid, 'select, insert, update, delete, truncate, references, trigger')
          or case when c.relkind <> 'S' then has_column_privilege('portlight_reader', c.oid, a.attnum, 'select, insert, update') end
          or case when c.relkind = 'S' then has_sequence_privilege('portlight_reader', c.oid, 'usage, select, update') end)
        and a.attnum > 0
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      group by o.nspname, c.relname
      union all
      select format('%s.%s(%s)', o.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
      from own o join pg_proc p on p.pronamespace = o.oid
      where has_function_privilege('portlight_reader', p.oid, 'execute') and o.nspname <> 'ts_shim' and p.prorettype <> 'trigger'::regtype
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      order by 1`
    const found = rows.map((row) => row.line).toSorted()
    if (process.env['WRITE_REACHABLE'] === '1')
      await Bun.write(join(import.meta.dir, 'reachable.txt'), `${found.join('\n')}\n`)
    expect(found).toEqual(REACHABLE)
  })

  test('cannot create anything, and is not a member of another role', async () => {
    const [row] = await store.sql`
      select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as privileged,
        exists (select from pg_auth_members where member = r.oid) as member,
        (select count(*)::int from pg_namespace n where has_schema_privilege(r.oid, n.oid, 'create')) as schemas
      from pg_roles r where rolname = 'portlight_reader'`
    expect(row).toEqual({ privileged: false, member: false, schemas: 0 })
  })

  test('every view and function works with its privileges and shows no secret', async () => {
    const views = REACHABLE.flatMap((line) => /^(grafana\.\w+):/.exec(line)?.[1] ?? [])
    expect(views.length).toBeGreaterThan(50)
    const shown = await store.sql.begin(async (tx) => {
      await tx`set local role portlight_reader`
      const texts: string[] = []
      for (const view of views) {
        for (const row of await tx.unsafe(`select v::text as text from ${view} v limit 100`))
          texts.push(String(row['text']))
      }
      for (const call of [
        "top_ports(now() - interval '4 days', now(), 3)",
        "port_errors(now() - interval '1 day', now(), 3)",
        "port_series((select array_agg(port_id) from grafana.ports), now() - interval '1 day', now())",
        "total_traffic(null, now() - interval '1 day', now())",
        "p95((select min(port_id) from grafana.ports), now() - interval '1 day', now())",
      ]) {
        const rows = await tx.unsafe(`select v::text as text from grafana.${call} v`)
        expect(rows.length).toBeGreaterThan(0)
        for (const row of rows) texts.push(String(row['text']))
      }
      return texts.join('\n')
    })
    // Proves that the check can fail: texts that are not secret are found.
    expect(shown).toContain('filled ifAlias')
    const secrets = await store.sql<{ column: string }[]>`
      select column_name as column from information_schema.columns where table_schema = 'public'
        and column_name ~ '(community|auth(level|name|pass|algo)|crypto|password|token|secret|key|param|attrib_value)' and data_type = 'text'`
    expect(secrets.map((row) => row.column)).toContain('community')
    for (const { column } of secrets) expect(shown).not.toContain(`filled ${column}`)
  })

  test('names in the schema need no quotes', async () => {
    const rows = await store.sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'grafana' and column_name <> 'time'
        and (quote_ident(column_name) <> column_name or quote_ident(table_name) <> table_name)
      order by 1`
    expect([...rows]).toEqual([])
  })

  test.each(['select community from public.devices', 'select * from ts.port_samples', "select ts.roll('ts.port_1h')"])(
    'refuses %s',
    async (statement) => {
      const denied = store.sql.begin(async (tx) => {
        await tx`set local role portlight_reader`
        await tx.unsafe(statement)
      })
      await expect(denied).rejects.toThrow(/permission denied/)
    },
  )
})
