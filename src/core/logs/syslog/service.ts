import type { Settings } from '../../../config/schema.ts'
import { type Actor, scopeOf } from '../../base/actor.ts'
import type { Store } from '../../database/client.ts'
import { syslogSenders } from '../read-syslog-senders.ts'
import { insertSyslog } from '../write-syslog.ts'
import { type SyslogMessage, syslogMessage } from './message.ts'
import { spoken } from './program.ts'

export interface SyslogDeps {
  readonly store: Store
  readonly settings: Settings
  readonly now?: () => Date
}

/** The operation that receives syslog messages of devices. */
export function createSyslogService({ store, settings, now = () => new Date() }: SyslogDeps) {
  function isKept(message: SyslogMessage | null): message is SyslogMessage {
    return message !== null && !settings.get('syslog_filter').some((noise) => message.msg.includes(noise))
  }

  return {
    /**
     * Stores messages of known devices, with a single look-up and a single insert. Drops those that match setting
     * `syslog_filter` and those from unknown senders. Returns the number received, including dropped ones.
     */
    async receive(actor: Actor, given: readonly unknown[]): Promise<number> {
      const at = now()
      const names = Object.entries(settings.get('syslog_xlate') as Record<string, string>)
      const translated = new Map(names.map(([name, hostname]) => [name.toLowerCase(), hostname]))
      const messages = given.map((item) => syslogMessage(item, at)).filter(isKept)
      const nameOf = (host: string) => (translated.get(host) ?? host).toLowerCase()
      const senders = await syslogSenders(store, scopeOf(actor), [...new Set(messages.map((m) => nameOf(m.host)))])
      const rows = messages.flatMap((message) => {
        const sender = senders.get(nameOf(message.host))
        if (sender === undefined) return []
        const { host: _, at: time, ...rest } = message
        return [{ ...rest, ...spoken(sender.os, message), device_id: sender.device_id, timestamp: time.toISOString() }]
      })
      await insertSyslog(store, rows)
      return given.length
    },
  }
}

export type SyslogService = ReturnType<typeof createSyslogService>
