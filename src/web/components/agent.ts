import { plain } from './values.tsx'

/** In order of precedence: a User-Agent also contains the names of browsers it claims to be compatible with. */
const BROWSERS = ['Firefox', 'Edg', 'OPR', 'curl', 'Chrome', 'Safari']
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux']
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }

/** Browser and operating system from a User-Agent, as far as known: `Firefox on Linux`. */
export function agentWord(agent: string): string {
  const words = [BROWSERS.find((name) => agent.includes(`${name}/`)), SYSTEMS.find((name) => agent.includes(name))]
  const known = words.flatMap((word) => (word === undefined ? [] : [NAMES[word] ?? word]))
  return known.join(' on ') || plain(agent.slice(0, 60)) || 'unknown browser'
}
