import { plain } from './values.tsx'

/** Others name themselves after these, so the first that is found counts. */
const BROWSERS = ['Firefox', 'Edg', 'OPR', 'curl', 'Chrome', 'Safari']
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux']
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }

/** Browser and system of a User-Agent, as far as it says: `Firefox on Linux`. */
export function agentWord(agent: string): string {
  const words = [BROWSERS.find((name) => agent.includes(`${name}/`)), SYSTEMS.find((name) => agent.includes(name))]
  const known = words.flatMap((word) => (word === undefined ? [] : [NAMES[word] ?? word]))
  return known.join(' on ') || plain(agent.slice(0, 60)) || 'unknown browser'
}
