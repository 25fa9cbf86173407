/** Words that say nothing about what is looked for. */
const STOP = new Set(
  'a an and are as at be but by can did do does for from had has have how i if in into is it its me my of on or our s should so t that the their them then there these this to was we were what when where which who why will with would you your'.split(
    ' ',
  ),
)

/**
 * Words of the field that mean the same to whoever asks, whatever the page calls it: LibreNMS's word, that of a vendor, or
 * the short form. The first of each line stands for all of them.
 */
const ALIKE = [
  'acknowledge ack',
  'answer respond response reply reachable',
  'arrive receive',
  'change edit modify',
  'colour color',
  'container docker podman kubernetes k8s',
  'disk disks drive',
  'graph chart plot',
  'install installation setup deploy',
  'interval frequency',
  'keep kept retain',
  'mail email smtp',
  'maintenance downtime window',
  'mute silence snooze suppress',
  'map topology',
  'neighbour neighbor',
  'no not cannot without missing wrong fail broken unreachable',
  'port interface nic',
  'processor cpu',
  'proxy nginx apache traefik haproxy caddy',
  'remove delete deletion',
  'restore recover recovery',
  'sign login logon signin',
  'slow late lag lagging',
  'token apikey',
  'traffic bandwidth throughput',
  'trap inform',
  'twice duplicate',
  'upgrade update',
  'utilisation utilization usage',
].map((line) => line.split(' '))

const SAME = new Map(ALIKE.flatMap(([first = '', ...rest]) => [first, ...rest].map((one) => [stem(one), stem(first)])))

/** What stands for a word in the index: without its ending, and as the first of those alike; null: it says nothing. */
export function termOf(word: string): string | null {
  const lower = word.toLowerCase()
  if (STOP.has(lower)) return null
  const root = stem(lower)
  return SAME.get(root) ?? root
}

/** Words of a question that names a fault, as they stand in the index. */
const OF_FAULTS = new Set(['no', 'slow', 'error', 'problem', 'unreachable', 'timeout', 'crash'].map(termOf))

/** Whether a question names a fault, which pages about faults then answer best. */
export const isAboutFault = (text: string): boolean =>
  text.split(/[^\p{L}\p{N}]+/u).some((word) => word !== '' && OF_FAULTS.has(termOf(word)))

/** Endings of plurals and verbs, so that `alerts`, `alert` and `alerting` are the same. */
function stem(word: string): string {
  if (word.length < 5) return word.replace(/(?<=[a-z]{2})s$/, '')
  return word.replace(/(?:ies)$/, 'y').replace(/(?<=[a-z]{3})(?:ings?|ers?|ed|es|e|s)$/, '')
}
