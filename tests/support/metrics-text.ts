/** A family of metrics, as a scraper reads it. */
export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]?Inf|[-+0-9.e]+)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y

/** Reads Prometheus' text format 0.0.4. Throws at a line that a scraper would refuse. */
export function parseMetrics(text: string): Family[] {
  const families: (Family & { samples: { labels: Record<string, string>; value: number }[] })[] = []
  let help = ''
  const known = new Set<string>()
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line)
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment
      if (kind === 'HELP') {
        help = rest
        continue
      }
      if (known.has(name)) throw new Error(`${name} stands in two places`)
      known.add(name)
      families.push({ name, type: rest, help, samples: [] })
      continue
    }
    const match = SAMPLE.exec(line)
    const family = families.at(-1)
    if (match === null || family === undefined) throw new Error(`not a sample: ${line}`)
    const [, name = '', labelText = '', value = ''] = match
    const own = family.type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name
    if (own !== family.name) throw new Error(`${name} stands below ${family.name}`)
    family.samples.push({ labels: labelsOf(labelText, line), value: Number(value.replace('Inf', 'Infinity')) })
  }
  return families
}

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text)
    if (match === null) throw new Error(`labels cannot be read: ${line}`)
    labels[match[1] ?? ''] = (match[2] ?? '').replaceAll(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c))
  }
  return labels
}
