import type { Store } from '../database/client.ts'

/** Times up to this much ahead may be of another machine whose clock is not quite right, minutes. */
const MARGIN_MIN = 10
/** The longest pause before a notification is tried again, and a tenth more. */
const LONGEST_RETRY_MIN = 70

const AHEAD = `now() + interval '${MARGIN_MIN} minutes'`
/** A time that has not come yet becomes now; null stays. */
const atMost = (column: string): string => `${column} = case when ${column} > now() then now() else ${column} end`
const anyAhead = (columns: readonly string[]): string => `greatest(${columns.join()}) > ${AHEAD}`
const held = (retried: string): string =>
  `claimed_at is null and (${retried} = 0 and next_at > ${AHEAD} or next_at > now() + interval '${LONGEST_RETRY_MIN} minutes')`

const TRANSPORT_TIMES = ['since', 'failed_at', 'told_at', 'last_told_at']
const LEARNED_TIMES = ['usual_at', 'trend_at', 'end_at']
const SCAN_TIMES = ['added_at', 'started_at', 'heard_at']
const SECONDS_AHEAD = `extract(epoch from ${AHEAD})::bigint`

/**
 * What is stored with a time that cannot have come yet, because the clock was ahead when it was stored, and what it is
 * then: whatever waits for such a time would wait as long as the clock was ahead. What people choose, such as
 * maintenance, mutes and expiries, is not among it.
 */
const CORRECTIONS: Readonly<Record<string, string>> = {
  notifications: `update alert_outbox set next_at = now(), ${atMost('created_at')}
    where sent_at is null and dead_at is null and ${held('attempts')}`,
  messages: `update alert_messages set next_at = now(), ${atMost('formed_at')} where ended_at is null and ${held('attempts')}`,
  transports: `update alert_paths set ${TRANSPORT_TIMES.map(atMost).join()} where ${anyAhead(TRANSPORT_TIMES)}`,
  // the engine decides anew when, by times that are not ahead
  alerts: `update alerts set next_at = now() where next_at > ${AHEAD} and (${anyAhead(['"timestamp"', 'notified_at', 'began_at'])}
    or exists (select from faults f where f.alert_id = alerts.id and f.live = 1 and ${anyAhead(['f.began_at', 'f.ended_at', 'f.told_at'])}))`,
  scans: `update scans set ${SCAN_TIMES.map(atMost).join()} where ${anyAhead(SCAN_TIMES)}`,
  learned: `update learned_values set ${LEARNED_TIMES.map((at) => `${at} = case when ${at} > ${AHEAD} then now() - interval '1 day' else ${at} end`).join()}
    where ${anyAhead(LEARNED_TIMES)}`,
  candidates: `update candidates set adding_since = null where adding_since > ${AHEAD}`,
  sessions: `update sessions set ${['created_at', 'seen_at'].map(atMost).join()} where ${anyAhead(['created_at', 'seen_at'])}`,
  ...outages('device_outages'),
  ...outages('device_unreachable'),
}

/** An outage that is over and began in the future is of an unknown time: it is removed, as samples are. */
function outages(table: string): Record<string, string> {
  return {
    [`${table} that are over`]: `delete from ${table} where up_again is not null and going_down > ${SECONDS_AHEAD}`,
    [`${table} that ended`]: `update ${table} set up_again = floor(extract(epoch from now()))::bigint where up_again > ${SECONDS_AHEAD}`,
    [`${table} that last`]: `update ${table} o set going_down = floor(extract(epoch from now()))::bigint
      where up_again is null and going_down > ${SECONDS_AHEAD} and not exists (select from ${table} x
        where x.device_id = o.device_id and x.going_down = floor(extract(epoch from now()))::bigint)`,
  }
}

/**
 * Corrects what is stored with times more than MARGIN_MIN after now by the database's clock. Returns how many rows. Throws
 * StoreError.
 */
export async function correctTimesAhead({ sql }: Store): Promise<number> {
  let corrected = 0
  for (const statement of Object.values(CORRECTIONS)) corrected += (await sql.unsafe(statement)).count
  return corrected
}
