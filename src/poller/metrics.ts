import { type Metric, metricsNamed } from '../observe/metrics.ts'
import type { PollerStats } from './poller.ts'

/** Counters since the start and current state of polling. Overload shows as late and skipped polls, lag and queues. */
export function pollerMetrics(stats: PollerStats): Metric[] {
  const { polls, discoveries, runs, pool, writer, samples, changes } = stats
  const { counter, gauge } = metricsNamed('portlight_')
  return [
    gauge('devices', 'Devices that are polled by SNMP.', polls.devices),
    counter('polls', 'Polls completed, with or without an answer.', runs.polls),
    counter('polls_silent', 'Polls without an answer.', runs.silent),
    counter('polls_incomplete', 'Polls with missing values.', runs.incomplete),
    counter('polls_lost', 'Polls lost with their worker thread and repeated.', runs.lost),
    counter('polls_late', 'Polls that started more than a tenth of their interval late.', polls.late),
    counter('polls_skipped', 'Intervals skipped because the previous poll was still running.', polls.skipped),
    counter('poll_seconds', 'Total duration of polls.', runs.tookS),
    gauge('polls_running', 'Polls running.', polls.running),
    gauge('polls_waiting', 'Polls that are due and waiting.', polls.waiting),
    gauge('poll_lag_seconds', 'Time by which the oldest waiting poll is overdue.', polls.lagMs / 1000),
    counter('discoveries', 'Discoveries completed.', runs.discoveries),
    gauge('discoveries_waiting', 'Discoveries that are due and waiting.', discoveries.waiting),
    counter(
      'values_cleaned',
      'Values from devices that were truncated or dropped because they did not fit their column.',
      runs.cleaned,
    ),
    ...samples,
    counter('samples_dropped', 'Sample rows dropped because the buffer was full.', writer.dropped),
    counter('samples_refused', 'Sample rows that the database refused.', writer.refused),
    gauge('samples_waiting', 'Sample rows in memory.', writer.waiting),
    gauge('database_up', '1: samples are written; 0: the database is unavailable.', writer.up ? 1 : 0),
    gauge('changes_waiting', 'Inventory changes waiting for the database.', changes.waiting),
    counter('workers_died', 'Worker threads that died and were replaced.', pool.died),
    counter('workers_stalled', 'Worker threads replaced because they did not respond.', pool.stalled),
    gauge('workers_stuck', 'Threads of stalled workers that have not ended.', pool.stuck),
    gauge(
      'devices_quarantined',
      'Devices not polled for a while because a response stalled a worker.',
      runs.quarantined,
    ),
    counter('floods', 'Floods of unexpected datagrams reported in the log and as events.', runs.floods),
    gauge('discoveries_large_waiting', 'Large discoveries waiting for their turn.', runs.largeWaiting),
    ...Object.entries(runs.refused).map(
      ([reason, value]): Metric => ({
        name: 'portlight_counter_pairs_refused_total',
        type: 'counter',
        help: 'Pairs of counter readings without a valid delta.',
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
