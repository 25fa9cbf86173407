import type { Settings } from '../config/schema.ts'

/** What a process does besides being the leader in its turn. */
export interface Roles {
  /** Serves the API and the pages. */
  readonly api: boolean
  /** Polls devices. */
  readonly poller: boolean
  /** Receives syslog messages and traps. */
  readonly ingest: boolean
  /** Names of the roles it has, in this order. */
  readonly names: readonly string[]
}

/** Roles named by setting `role`; `all` stands for all of them. */
export function rolesOf(settings: Pick<Settings, 'get'>): Roles {
  const wanted = settings.get('role')
  const has = (role: string): boolean => wanted.includes('all') || wanted.includes(role)
  const names = ['api', 'poller', 'ingest'].filter(has)
  return { api: has('api'), poller: has('poller'), ingest: has('ingest'), names }
}
