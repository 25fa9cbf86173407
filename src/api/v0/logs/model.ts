import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Whole } from '../../nullable.ts'
import { documented, Ok } from '../envelope.ts'

const LocalTime = t.String({ description: 'Y-m-d H:i:s, server time' })
const device = { hostname: Text, sysName: Text }

const Event = t.Object(
  {
    ...device,
    host: t.Union([whole({ description: 'Same as device_id' }), t.Null()]),
    event_id: whole(),
    device_id: Whole,
    datetime: LocalTime,
    message: Text,
    type: Text,
    reference: t.Union([t.String({ description: 'Id of the object concerned' }), t.Null()]),
    username: Text,
    severity: whole({ description: '0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error' }),
  },
  { title: 'EventLogEntry' },
)

const SyslogEntry = t.Object(
  {
    ...device,
    device_id: Whole,
    facility: Text,
    priority: Text,
    level: Text,
    tag: Text,
    timestamp: LocalTime,
    program: Text,
    msg: Text,
    seq: whole(),
  },
  { title: 'SyslogEntry' },
)

const AlertLogEntry = t.Object(
  {
    ...device,
    id: whole(),
    rule_id: whole(),
    device_id: whole(),
    state: whole({ description: '0 recovered, 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed' }),
    details: t.Any({ description: 'Matching rows as an object, or null' }),
    time_logged: LocalTime,
  },
  { title: 'AlertLogEntry' },
)

const AuthEntry = t.Object(
  {
    id: whole(),
    datetime: LocalTime,
    user: t.String(),
    address: t.String(),
    result: t.String(),
  },
  { title: 'AuthLogEntry' },
)

const Word = t.Optional(t.Union([t.String(), t.Number()]))

/** A message as it is sent to syslogsink. */
const SyslogMessage = t.Object(
  {
    host: t.Union([t.String(), t.Number()], { description: 'Name or address of the sender' }),
    msg: t.Union([t.String(), t.Number()]),
    facility: Word,
    priority: Word,
    level: Word,
    severity: t.Optional(t.Union([t.String(), t.Number()], { description: 'Used without level' })),
    program: Word,
    tag: Word,
    timestamp: t.Optional(
      t.Union([t.String(), t.Number()], {
        description:
          'ISO 8601, Y-m-d H:i:s in server time, or epoch seconds; may also be named @timestamp; default: now',
      }),
    ),
  },
  { title: 'SyslogMessage' },
)

const page = { status: Ok, message: t.Literal(''), count: whole(), total: whole({ description: 'Rows on all pages' }) }

const paging = {
  start: t.Optional(
    t.String({ description: 'Page, from 0; in dialect librenms the number of rows to skip. Default 0' }),
  ),
  limit: t.Optional(t.String({ description: 'Rows per page; default 50, at most 100000' })),
  from: t.Optional(t.String({ description: 'Digits: lowest id; otherwise earliest time, Y-m-d H:i:s' })),
  to: t.Optional(t.String({ description: 'Digits: highest id; otherwise latest time' })),
  sortorder: t.Optional(t.String({ description: 'DESC: newest first; anything else: oldest first' })),
}

export const LogModel = {
  hostname: documented(t.Object({ hostname: t.String({ description: 'Hostname, numeric device id, or address' }) })),
  query: documented(t.Object(paging)),
  searched: documented(
    t.Object({
      ...paging,
      search: t.Optional(
        t.String({ description: 'Only rows whose text contains this, regardless of case; at most 256 characters' }),
      ),
    }),
  ),
  eventlog: documented(t.Object({ ...page, logs: t.Array(Event) })),
  syslog: documented(t.Object({ ...page, logs: t.Array(SyslogEntry) })),
  alertlog: documented(t.Object({ ...page, logs: t.Array(AlertLogEntry) })),
  authlog: documented(t.Object({ ...page, logs: t.Array(AuthEntry) })),
  addEvent: documented(
    t.Object({
      text: t.String(),
      severity: t.Optional(
        t.Union([whole(), t.String()], { description: '1 ok, 2 info (default), 3 notice, 4 warning, 5 error' }),
      ),
      type: t.Optional(t.String({ description: 'Default API' })),
      reference: t.Optional(t.String()),
    }),
  ),
  message: documented(t.Object({ status: Ok, message: t.String() })),
  sink: documented(t.Union([SyslogMessage, t.Array(SyslogMessage)], { description: 'A message or a list of them' })),
}
