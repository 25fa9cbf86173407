import { cpus } from 'node:os'
import type { Settings } from '../config/schema.ts'
import type { Log } from '../observe/log.ts'
import { createPool, type Pool } from './pool.ts'
import type { SnmpLimits } from './protocol.ts'

/**
 * Starts the poller's worker threads: the number in `poller.workers`, or one, with more added under load, up to one per
 * core. They take a quarter of a second to load, so `serve` starts them before its database.
 */
export function startPool(settings: Settings, log: Log): Pool {
  const workers = settings.get('poller.workers')
  return createPool(
    { inflight: settings.get('poller.inflight'), logFormat: settings.get('log.format'), limits: limitsOf(settings) },
    { min: workers || 1, max: workers || cpus().length, stallMs: () => settings.get('poller.stall') * 1000, log },
  )
}

export function limitsOf(settings: Settings): SnmpLimits {
  return {
    timeoutMs: settings.get('snmp.timeout') * 1000,
    retries: settings.get('snmp.retries'),
    maxRepetitions: settings.get('snmp.max_repeaters'),
    maxRows: settings.get('discovery.max_rows'),
    maxPorts: settings.get('discovery.max_ports'),
    maxOctets: settings.get('discovery.max_octets'),
  }
}
