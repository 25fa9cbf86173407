import type { Metric } from '../observe/metrics.ts'
import type { PollerStats } from './poller.ts'

/** What polling did since the start, and how it stands now: overload shows as late and skipped polls, lag and queues. */
export function pollerMetrics(stats: PollerStats): Metric[] {
  const { polls, discoveries, runs, pool, writer, changes } = stats
  const counter = (name: string, help: string, value: number): Metric => ({
    name: `portlight_${name}_total`,
    type: 'counter',
    help,
    value,
  })
  const gauge = (name: string, help: string, value: number): Metric => ({
    name: `portlight_${name}`,
    type: 'gauge',
    help,
    value,
  })
  return [
    gauge('devices', 'Devices that are polled by SNMP.', polls.devices),
    counter('polls', 'Polls that ended.', runs.polls),
    counter('polls_silent', 'Polls without an answer.', runs.silent),
    counter('polls_incomplete', 'Polls that were answered in part.', runs.incomplete),
    counter('polls_lost', 'Polls that were lost with their worker, and made again.', runs.lost),
    counter('polls_late', 'Polls that began later than a tenth of their interval after they were due.', polls.late),
    counter(
      'polls_skipped',
      'Intervals in which no poll could begin because the one before was still running.',
      polls.skipped,
    ),
    counter('poll_seconds', 'Time that polls took, all devices together.', runs.tookS),
    gauge('polls_running', 'Polls under way.', polls.running),
    gauge('polls_waiting', 'Polls that are due and wait for room.', polls.waiting),
    gauge('poll_lag_seconds', 'How long the oldest of them is overdue.', polls.lagMs / 1000),
    counter('discoveries', 'Discoveries that ended.', runs.discoveries),
    gauge('discoveries_waiting', 'Discoveries that are due and wait for room.', discoveries.waiting),
    counter('values_cleaned', 'Values from devices that did not fit and were cut or dropped.', runs.cleaned),
    counter('samples_written', 'Sample rows stored.', writer.written),
    counter('samples_dropped', 'Sample rows given up because the buffer was full.', writer.dropped),
    counter('samples_refused', 'Sample rows that the database refused.', writer.refused),
    gauge('samples_waiting', 'Sample rows in memory.', writer.waiting),
    gauge('database_up', '1: samples are written; 0: the database is away.', writer.up ? 1 : 0),
    gauge('changes_waiting', 'Changes of the inventory on their way to the database.', changes.waiting),
    counter('workers_died', 'Worker threads that died and were replaced.', pool.died),
    counter('workers_stalled', 'Worker threads that said nothing for too long and were replaced.', pool.stalled),
    gauge('workers_stuck', 'Threads of stalled workers that have not ended.', pool.stuck),
    gauge(
      'devices_quarantined',
      'Devices that are left alone because their answers stalled a worker.',
      runs.quarantined,
    ),
    counter('floods', 'Senders of floods of datagrams that were named, in the log and in an event.', runs.floods),
    gauge('discoveries_large_waiting', 'Large discoveries that wait for their turn.', runs.largeWaiting),
    ...Object.entries(runs.refused).map(
      ([reason, value]): Metric => ({
        name: 'portlight_counter_pairs_refused_total',
        type: 'counter',
        help: 'Counter pairs that gave no delta.',
        value,
        labels: { reason },
      }),
    ),
    ...runs.durations,
    ...Object.entries(pool.transport).map(([name, value]) => snmpMetric(name, value)),
  ]
}

/** Transport counters by their own names: `octetsIn` becomes portlight_snmp_octets_in_total. */
function snmpMetric(name: string, value: number): Metric {
  const snake = name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
  const isGauge = name === 'inFlight' || name === 'queued'
  return {
    name: `portlight_snmp_${snake}${isGauge ? '' : '_total'}`,
    type: isGauge ? 'gauge' : 'counter',
    help: `SNMP transport: ${name}, all workers.`,
    value,
  }
}
