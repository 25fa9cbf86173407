/**
 * The names that a port may have on its device, given how it names itself to neighbours. RouterOS puts the bridge and
 * bond in front: `bridge/uplink/sfp-sfpplus3` may be `uplink/sfp-sfpplus3` or `sfp-sfpplus3`. The likeliest first.
 */
export function namesOfPort(text: string): readonly string[] {
  const parts = text.split('/')
  const names = [text]
  // the parts of `Gi1/0/3` are no names
  for (let from = 1; from < parts.length && from < MAX_PARTS; from++)
    if (/^[A-Za-z]{2}/.test(parts[from] ?? '')) names.push(parts.slice(from).join('/'))
  return names.filter((name) => name !== '')
}

const MAX_PARTS = 5
