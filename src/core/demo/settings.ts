import type { RuleBody } from '../candidates/write-rules.ts'

/** The network of the demo's devices that nobody has added: six addresses, five of them with an agent. */
export const UNKNOWN_NETWORK = '127.42.1.0/29'

/** The demo's example of a rule for found devices. */
export const DEMO_RULE: RuleBody = { action: 'ignore', protocol: 'cdp', platform: '/^Polycom VVX/' }

/**
 * Where the demo's pollers are attached: setting dependencies.attached. This host has no place in the simulated network by
 * itself.
 */
export const DEMO_ATTACHED = 'core-1'

/** Whether a stored value of setting dependencies.attached is the demo's. */
export const isDemoAttached = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 1 && value[0] === DEMO_ATTACHED

/** Hours between scans of the network. The first begins at once. */
const EVERY_HOURS = 24

/** Values of the settings with the demo's network in them. */
export interface NetworkSettings {
  /** Setting nets. */
  readonly nets: readonly string[]
  /** Setting autodiscovery.networks. */
  readonly networks: Readonly<Record<string, unknown>>
}

/** Adds the demo's network, whose agents have this UDP port, to the user's own. */
export function withNetwork({ nets, networks }: NetworkSettings, port: number): NetworkSettings {
  return {
    nets: nets.includes(UNKNOWN_NETWORK) ? nets : [...nets, UNKNOWN_NETWORK],
    networks: { ...networks, [UNKNOWN_NETWORK]: { every_hours: EVERY_HOURS, port } },
  }
}

/** Takes the demo's network away again. */
export function withoutNetwork({ nets, networks }: NetworkSettings): NetworkSettings {
  return {
    nets: nets.filter((network) => network !== UNKNOWN_NETWORK),
    networks: Object.fromEntries(Object.entries(networks).filter(([network]) => network !== UNKNOWN_NETWORK)),
  }
}

/** Reads stored values; what has another form counts as empty. */
export function networkSettings(nets: unknown, networks: unknown): NetworkSettings {
  return {
    nets: Array.isArray(nets) ? nets.map(String) : [],
    networks: typeof networks === 'object' && networks !== null ? { ...networks } : {},
  }
}

/** Whether a rule is the demo's. */
export function isDemoRule({ action, network, os, sysName, platform, protocol }: RuleBody): boolean {
  return (
    action === DEMO_RULE.action &&
    protocol === DEMO_RULE.protocol &&
    platform === DEMO_RULE.platform &&
    (network ?? os ?? sysName) === undefined
  )
}
