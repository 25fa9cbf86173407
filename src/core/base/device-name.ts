/** What a device is called by. */
export interface NamedDevice {
  readonly hostname: string
  /** Display name; '' for none. */
  readonly display: string
  /** null: unknown. */
  readonly sysName: string | null
}

/** An IPv4 or IPv6 address and nothing else; also understood by PostgreSQL. */
const ADDRESS = '^([0-9]{1,3}([.][0-9]{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]*)$'
const address = new RegExp(ADDRESS, 'i')
/** White space around a name, as btrim of PostgreSQL takes it off. */
const BLANK = /^[ \t\n\r\v\f]+|[ \t\n\r\v\f]+$/g

/**
 * The name of a device in sentences and titles: its display name, else its hostname. A bare
 * address is preceded by the sysName, if it is known: `ups-1 (10.0.0.7)`.
 */
export function calledDevice({ hostname, display, sysName }: NamedDevice): string {
  const name = display === '' ? hostname : display
  const says = sysName?.replace(BLANK, '') ?? ''
  return says === '' || says === name || !address.test(name) ? name : `${says} (${name})`
}

/** The same in SQL, of expressions that are text; the sysName may be null. */
export const calledOf = (hostname: string, display: string, sysName: string): string => {
  const name = `coalesce(nullif(${display}, ''), ${hostname})`
  const says = `btrim(coalesce(${sysName}, ''), E' \\t\\n\\r\\v\\f')`
  return `case when ${says} in ('', ${name}) or ${name} !~* '${ADDRESS}' then ${name} else ${says} || ' (' || ${name} || ')' end`
}

/** The same for an alias of devices. */
export const calledText = (alias: string): string =>
  calledOf(`${alias}.hostname`, `${alias}.display`, `${alias}."sysName"`)
