import type { Store } from './client.ts'

/** HOST:PORT at which the database server accepts TCP connections, the first of several; '': it accepts none. */
export async function listenAddress({ sql }: Store): Promise<string> {
  const [row] = await sql<{ hosts: string; port: string }[]>`
      select current_setting('listen_addresses') as hosts, current_setting('port') as port`
  const host = (row?.hosts ?? '').split(',', 1)[0]?.trim() ?? ''
  if (host === '') return ''
  return `${host === '*' ? '0.0.0.0' : host}:${row?.port ?? ''}`
}
