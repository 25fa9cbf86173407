import pino, { type Logger } from 'pino'

export type Log = Logger

/** Members whose values never reach a log line, at the top level and one or two levels down. */
const SECRETS = ['community', 'authpass', 'cryptopass', 'token', 'password', 'authorization', 'secret']

/**
 * The process's root logger: one JSON line per event on stderr, secrets replaced by `[redacted]`.
 * A component takes `log.child({ component: 'poller' })`. `level` is one of pino's (`info` by default; `silent` in tests).
 */
export function createLog(level = 'info'): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((s) => [s, `*.${s}`, `*.*.${s}`]), censor: '[redacted]' },
    },
    pino.destination({ dest: 2, sync: true }),
  )
}
