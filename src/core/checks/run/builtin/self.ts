import type { SelfProbe } from '../../probe.ts'
import { type CheckResult, resultOf } from '../result.ts'
import { answerOf } from './message.ts'
import { parseScrape, selfState } from './self-state.ts'

/** Maximum size of `/metrics` in bytes, about ten times its usual size. */
const MAX_OCTETS = 4 << 20

/** Reads `/metrics` of a Portlight, this one or another, and checks the parts in the parameters. */
export async function checkSelf(probe: SelfProbe, address: string, deadlineMs: number): Promise<CheckResult> {
  const host = address.includes(':') ? `[${address}]` : address
  const url = `${probe.tls ? 'https' : 'http'}://${host}:${probe.port}/metrics`
  const text = await read(url, AbortSignal.timeout(Math.max(1, deadlineMs - performance.now())))
  if (typeof text !== 'string') return resultOf(2, `${answerOf(probe.type, 2)}: ${text.reason}`)
  const scrape = parseScrape(text)
  if (!scrape.has('portlight_build_info'))
    return resultOf(3, `${answerOf(probe.type, 3)}: another program answers at port ${probe.port}`)
  const states = probe.parts.map((part) => selfState(part, scrape, Date.now() / 1000))
  // unknown is better than critical, and worse than a warning
  const worst = [2, 3, 1, 0].find((status) => states.some((state) => state.status === status))
  const status = worst === 1 || worst === 2 || worst === 3 ? worst : 0
  const said = states.filter((state) => status === 0 || state.status !== 0).map((state) => state.text)
  const measured = states.flatMap((state, i) =>
    state.measured.map((one) => ({
      ...one,
      label: states.length === 1 ? one.label : `${probe.parts[i]}_${one.label}`,
    })),
  )
  return resultOf(status, `${answerOf(probe.type, status)}: ${said.join('; ')}`, measured)
}

async function read(url: string, signal: AbortSignal): Promise<string | { readonly reason: string }> {
  try {
    // The certificate is for the name that clients use; part `certificate` checks whether it is valid.
    const answer = await fetch(url, { signal, redirect: 'manual', tls: { rejectUnauthorized: false } })
    if (answer.status !== 200 || answer.body === null) return { reason: `status ${answer.status}` }
    const parts: Uint8Array[] = []
    let octets = 0
    for await (const part of answer.body) {
      octets += part.length
      if (octets > MAX_OCTETS) return { reason: 'the answer is too long' }
      parts.push(part)
    }
    return Buffer.concat(parts).toString('utf8')
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    return { reason: late ? 'no answer in time' : 'no connection' }
  }
}
