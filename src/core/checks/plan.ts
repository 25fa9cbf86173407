import { isIP } from 'node:net'
import { splitArguments } from './arguments.ts'
import { builtinProbe } from './builtin.ts'
import type { Probe } from './probe.ts'
import { isServiceType } from './types.ts'

/** How a service is checked. */
export type CheckPlan =
  | { readonly kind: 'builtin'; readonly probe: Probe; readonly address: string }
  /** Path of the program, and its arguments. */
  | { readonly kind: 'plugin'; readonly path: string; readonly args: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }

export interface PlannedService {
  readonly type: string
  /** IP address or host name to check. */
  readonly address: string
  readonly param: string
}

export interface PlanOptions {
  /** What checks a type that both can check. */
  readonly prefer: 'builtin' | 'plugin'
  /** Path of the program `check_TYPE`; null: there is none that may be run. */
  readonly program: string | null
}

/** Plugins that take no host, because they check the machine on which they run, or other results. */
const LOCAL = new Set(
  (
    'apt cluster dbi dhcp disk dummy file_age flexlm game ide_smart load log mailq mrtg mrtgtraf nagios oracle procs ' +
    'sensors swap uptime users'
  ).split(' '),
)
const HOST_OPTION = /^(-H|--host(name)?(=|$))/

/**
 * Decides how a service is checked: by a built-in check if there is one that accepts the parameters, otherwise by the
 * program `check_TYPE`, with `-H ADDRESS` before the parameters. With `prefer: 'plugin'` the program takes precedence.
 */
export function planCheck(service: PlannedService, { prefer, program }: PlanOptions): CheckPlan {
  const { type, address } = service
  if (!isServiceType(type)) return { kind: 'refused', reason: `${JSON.stringify(type)} is not a valid type` }
  if (!isHost(address)) return { kind: 'refused', reason: 'the address is neither an IP address nor a host name' }
  const split = splitArguments(service.param)
  if (split.kind === 'refused') return split
  const list = meantBy(type, address, split.list)
  const plugin: CheckPlan | null =
    program === null ? null : { kind: 'plugin', path: program, args: pluginArguments(type, address, list) }
  const builtin = builtinProbe(type, list)
  if (builtin.kind === 'refused' && builtin.isWrongAnyway) return { kind: 'refused', reason: builtin.reason }
  if (prefer === 'plugin' && plugin !== null) return plugin
  if (builtin.kind === 'probe') return { kind: 'builtin', probe: named(builtin.probe, address), address }
  if (plugin !== null) return plugin
  if (builtin.kind === 'refused') return { kind: 'refused', reason: builtin.reason }
  return { kind: 'refused', reason: `there is no program check_${type} in the plugin folders` }
}

/** Uses the name to which the check connects also as the Host header and the TLS server name. */
function named(probe: Probe, address: string): Probe {
  const name = isIP(address) === 0 ? address : null
  if (probe.kind === 'http') {
    return { ...probe, host: probe.host ?? name, serverName: probe.serverName ?? name }
  }
  return probe.kind === 'stream' ? { ...probe, serverName: probe.serverName ?? name } : probe
}

/** The name that a check of DNS looks up if it is given none, as in LibreNMS. */
const ANY_NAME = 'localhost'

/**
 * Parameters as they are written for LibreNMS, in options: of `dns`, the name to look up without `-H`, or none; of `icmp`,
 * the address of the service once more.
 */
function meantBy(type: string, address: string, list: readonly string[]): readonly string[] {
  const [first, ...rest] = list
  const isBare = first !== undefined && !first.startsWith('-')
  if (type === 'dns') {
    if (isBare && isHost(first)) return ['-H', first, ...rest]
    return list.some((argument) => DNS_NAME_OPTION.test(argument)) ? list : ['-H', ANY_NAME, ...list]
  }
  return (type === 'icmp' || type === 'ping') && isBare && first === address ? rest : list
}
const DNS_NAME_OPTION = /^(-[Hl]|--(hostname|query_address)(=|$))/

function pluginArguments(type: string, address: string, list: readonly string[]): readonly string[] {
  if (LOCAL.has(type)) return list
  // check_dns queries server -s for name -H
  if (type === 'dns' && list.some((argument) => HOST_OPTION.test(argument))) {
    return list.some((argument) => argument.startsWith('-s')) ? list : ['-s', address, ...list]
  }
  // check_http connects to -I and requests site -H
  if (type === 'http' && list.some((argument) => HOST_OPTION.test(argument))) {
    return list.some((argument) => argument.startsWith('-I')) ? list : ['-I', address, ...list]
  }
  return ['-H', address, ...list]
}

/** Whether a text is an IP address or a host name. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/i.test(text))
}
