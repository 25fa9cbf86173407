import { createPinger, type Pinger } from '@portlight/icmp/echo.ts'
import { createTransport, type Transport } from '@portlight/snmp/transport.ts'
import { unreachable } from '../../../lib/unreachable.ts'
import { createResolver } from '../../../poller/resolve.ts'
import type { CheckPlan } from '../plan.ts'
import type { Probe } from '../probe.ts'
import { ConnectionError } from './builtin/connection.ts'
import { checkDns } from './builtin/dns.ts'
import { checkHttp } from './builtin/http.ts'
import { checkIcmp } from './builtin/icmp.ts'
import { answerOf } from './builtin/message.ts'
import { checkNtp } from './builtin/ntp.ts'
import { checkSelf } from './builtin/self.ts'
import { checkSnmp } from './builtin/snmp.ts'
import { checkStream } from './builtin/stream.ts'
import { runPlugin } from './plugin.ts'
import type { CheckJob } from './protocol.ts'
import { type CheckResult, resultOf } from './result.ts'

/** Runs checks: starts plugins, and makes built-in checks over its own sockets. */
export interface Runner {
  /** Finishes by the job's time limit. Never throws. */
  run(job: CheckJob): Promise<CheckResult>
  /** Kills running plugins and closes the sockets. */
  close(): void
}

export function createRunner(): Runner {
  const resolver = createResolver()
  const active = new Set<() => void>()
  let pinger: Promise<Pinger> | null = null
  let transport: Promise<Transport> | null = null

  async function builtin({ probe, address }: Extract<CheckPlan, { kind: 'builtin' }>, job: CheckJob) {
    const timeoutMs = Math.min(probe.timeoutMs, job.timeoutMs)
    const deadlineMs = performance.now() + timeoutMs
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => late.resolve(null), timeoutMs)
    const ip = await Promise.race([resolver.resolve(address, probe.family ?? 'any'), late.promise])
    clearTimeout(timer)
    if (ip === null) return resultOf(2, `${answerOf(probe.type, 2)}: ${address} has no address`)
    return await made(probe, ip, deadlineMs, job)
  }

  async function made(probe: Probe, ip: string, deadlineMs: number, { agent }: CheckJob): Promise<CheckResult> {
    const leftMs = Math.max(1, deadlineMs - performance.now())
    switch (probe.kind) {
      case 'icmp':
        pinger ??= createPinger()
        return await checkIcmp(probe, ip, leftMs, await pinger)
      case 'stream':
        return await checkStream(probe, ip, deadlineMs)
      case 'http':
        return await checkHttp(probe, ip, deadlineMs)
      case 'dns':
        return await checkDns(probe, ip, deadlineMs)
      case 'ntp':
        return await checkNtp(probe, ip, deadlineMs)
      case 'self':
        return await checkSelf(probe, ip, deadlineMs)
      case 'snmp': {
        if (agent === null) return resultOf(3, 'the device is unknown')
        transport ??= createTransport({ inflight: 64, sockets: 1, receiveBufferOctets: 1_048_576 })
        const target = { ...agent, address: ip, transport: ip.includes(':') ? ('udp6' as const) : ('udp' as const) }
        return await checkSnmp(probe, target, leftMs, await transport)
      }
      default:
        return unreachable(probe)
    }
  }

  return {
    async run(job) {
      const { plan } = job
      try {
        if (plan.kind === 'refused') return resultOf(3, plan.reason)
        if (plan.kind === 'plugin') return await runPlugin({ ...plan, timeoutMs: job.timeoutMs }, active)
        return await builtin(plan, job)
      } catch (error) {
        const type = plan.kind === 'builtin' ? plan.probe.type : ''
        if (error instanceof ConnectionError) return resultOf(2, `${answerOf(type, 2)}: ${error.message}`)
        return resultOf(3, `${answerOf(type, 3)}: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    close() {
      for (const kill of active) kill()
      pinger?.then((opened) => opened.close()).catch(() => undefined)
      transport?.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}
