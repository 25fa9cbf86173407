/** Timeout of Oxidized and maximum size of its answer; a configuration is at most a few megabytes of text. */
const TIMEOUT_MS = 10_000
const MAX_OCTETS = 16 * 1024 * 1024

/** A node whose configuration Oxidized found. */
export interface FoundNode {
  readonly node: string
  readonly full_name: string
}

/**
 * The configuration of a node from Oxidized at URL `base`. Null: no answer in time, answer too long, or no such node.
 * Source: oxidized-web, `/node/fetch`.
 */
export async function fetchConfig(base: string, node: string, group: string | null): Promise<string | null> {
  const path = [...(group === null || group === '' ? [] : [group]), node].map(encodeURIComponent).join('/')
  const text = await ask(base, `/node/fetch/${path}`, {})
  // an unknown node gets this text with status 200
  return text === null || text === 'node not found' ? null : text
}

/** Nodes whose configuration contains the text. null: no usable answer. Source: oxidized-web, `/nodes/conf_search`. */
export async function searchConfigs(base: string, search: string): Promise<FoundNode[] | null> {
  const body = new URLSearchParams({ search_in_conf_textbox: search })
  const text = await ask(base, '/nodes/conf_search?format=json', { method: 'POST', body })
  const list = text === null ? null : parse(text)
  return Array.isArray(list) ? list.flatMap(found) : null
}

function found(item: unknown): FoundNode[] {
  if (typeof item !== 'object' || item === null || !('node' in item) || typeof item.node !== 'string') return []
  const name = 'full_name' in item && typeof item.full_name === 'string' ? item.full_name : item.node
  return [{ node: item.node, full_name: name }]
}

async function ask(base: string, path: string, init: RequestInit): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(base.replace(/\/+$/, '') + path, { ...init, signal, redirect: 'error' })
    if (!answer.ok || !answer.body) return null
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of answer.body) {
      length += chunk.byteLength
      if (length > MAX_OCTETS) return null
      chunks.push(chunk)
    }
    return length === 0 ? null : Buffer.concat(chunks).toString('utf8')
  } catch {
    return null // refused, truncated or too slow: "no data" to the client
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // an HTML page instead of the list
  }
}
