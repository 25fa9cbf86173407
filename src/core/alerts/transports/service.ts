import type { Settings } from '../../../config/schema.ts'
import type { Log } from '../../../observe/log.ts'
import { type Actor, SYSTEM, scopeOf } from '../../base/actor.ts'
import { recordChange } from '../../base/change-audit.ts'
import { differences } from '../../base/differences.ts'
import { conflict, invalid, notFound } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { noteWorks } from '../messages/write-transport-health.ts'
import { createPushSubscriptions } from '../push/push-subscriptions.ts'
import { absentIds } from '../rules/read.ts'
import { createTrapEngine, ownEngineId } from '../trap-engine.ts'
import { type DeadLetter, deadLetters, resendDeadLetters } from '../write-outbox.ts'
import { createDeliver, type Deliver } from './deliver.ts'
import { createExchangeLog, type Exchange } from './exchange.ts'
import { createTransportGroups, groupNamed } from './groups.ts'
import { hasNoServer } from './kinds/mail.ts'
import { KINDS, kindOf, shownTransport } from './kinds.ts'
import { requireName } from './name.ts'
import type { Delivery, Transport } from './notification.ts'
import { sampleNotification } from './sample.ts'
import { createTransportLimits, type ShownSending, shownSending } from './sending.ts'
import {
  deleteTransport,
  insertTransport,
  listTransports,
  mapTransport,
  type TransportRow,
  type TransportTarget,
  updateTransport,
} from './write.ts'

export type { DeadLetter }

/** A transport for display. */
export interface ShownTransport {
  readonly id: number
  readonly name: string
  readonly kind: string
  readonly default: boolean
  /** Secrets are shown as ***. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Reasons it cannot send; empty: none is known. */
  readonly problems: readonly string[]
  /** Whether it sends nothing because it is a mail transport without a server, neither its own nor one for all. */
  readonly noServer: boolean
  readonly rules: readonly number[]
  readonly groups: readonly string[]
  readonly waiting: number
  readonly dead: number
  /** Whether it groups, and its rate. */
  readonly sending: ShownSending
  /** It counts as failing; null: it works, as far as known. */
  readonly failing: { readonly since: Date; readonly error: string } | null
}

/** A transport to store. */
export interface TransportDraft {
  readonly kind: string
  readonly name: string
  readonly isDefault: boolean
  readonly settings: Readonly<Record<string, unknown>>
  /** Rules to map to it. */
  readonly rules: readonly number[]
}

/** The outcome of a test. */
export interface TransportTest {
  readonly delivery: Delivery
  readonly tookMs: number
  /** What was sent and what came back, in order, without secrets; empty: nothing was sent. */
  readonly exchanges: readonly Exchange[]
}

/** Maximum number of dead letters in a list. */
const MAX_DEAD_LETTERS = 10_000

export interface TransportServiceDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}

/**
 * Operations on transports, without access checks. `by` is the actor recorded in the audit; default: the command line.
 */
export function createTransportService({ store, settings, log }: TransportServiceDeps) {
  const deliver = createDeliver({
    settings,
    log,
    trapEngine: createTrapEngine(store),
    push: createPushSubscriptions(store),
  })

  /** The transport with this name or id; throws `not_found`. */
  async function named(ref: string): Promise<TransportRow> {
    const rows = await listTransports(store)
    const row =
      rows.find(({ transport_name: name }) => name.toLowerCase() === ref.toLowerCase()) ??
      rows.find(({ transport_id: id }) => String(id) === ref)
    if (row === undefined) throw notFound(`There is no transport ${ref}`)
    return row
  }

  const record = (by: Actor, name: string, message: string) => recordChange(store, by, 'transport', name, message)

  async function requireRules(rules: readonly number[]): Promise<void> {
    const [missing] = await absentIds(store, 'alert_rules', rules)
    if (missing !== undefined) throw notFound(`There is no alert rule ${missing}`)
  }

  return {
    /** All transports in order of id. */
    async list(): Promise<ShownTransport[]> {
      return (await listTransports(store)).map((row) => shown(row, settings))
    },

    /** Stores a transport. Throws `invalid`, `not_found` (rule), `conflict` (name). Returns its id. */
    async add({ kind, name, isDefault, settings: given, rules }: TransportDraft, by: Actor = SYSTEM): Promise<number> {
      requireName(name)
      requireKnown(kind, given)
      const problems = kindOf(kind)?.check(given) ?? []
      if (problems.length > 0) throw invalid(problems.join('; '))
      await requireRules(rules)
      const id = await insertTransport(store, {
        name,
        kind: kind.toLowerCase(),
        isDefault,
        settings: await withEngine(store, kind, given),
      })
      if (id === null) throw conflict(`There already is a transport ${name}`)
      if (rules.length > 0) await mapTransport(store, { type: 'single', id }, rules, true)
      await record(by, name, `Transport ${name} added, kind ${kind.toLowerCase()}`)
      return id
    },

    /** Changes settings of a transport; '' removes one. `isDefault` null: unchanged. Throws `not_found`, `invalid`. */
    async change(
      ref: string,
      changes: Readonly<Record<string, unknown>>,
      isDefault: boolean | null,
      by: Actor = SYSTEM,
    ): Promise<void> {
      const row = await named(ref)
      requireKnown(row.transport_type, changes)
      const merged = Object.fromEntries(
        Object.entries({ ...row.transport_config, ...changes }).filter(([, value]) => value !== ''),
      )
      const problems = kindOf(row.transport_type)?.check(merged) ?? []
      if (problems.length > 0) throw invalid(problems.join('; '))
      const now = {
        settings: await withEngine(store, row.transport_type, merged),
        isDefault: isDefault ?? row.is_default === 1,
      }
      await updateTransport(store, row.transport_id, now)
      const what = differences(
        { ...row.transport_config, default: row.is_default === 1 },
        { ...now.settings, default: now.isDefault },
        hiddenIn(row.transport_type, row.transport_config, now.settings),
      )
      if (what !== '') await record(by, row.transport_name, `Transport ${row.transport_name}: ${what}`)
    },

    /** Deletes a transport and its notifications. Throws `not_found`. */
    async remove(ref: string, by: Actor = SYSTEM): Promise<void> {
      const row = await named(ref)
      await deleteTransport(store, row.transport_id)
      await record(by, row.transport_name, `Transport ${row.transport_name} deleted`)
    },

    /** Sends a test notification now, once. Throws `not_found`. */
    async test(ref: string): Promise<TransportTest> {
      return await testStored(store, deliver, await named(ref))
    },

    /** Maps rules to a transport or group, or unmaps them. Throws `not_found`. */
    async map(ref: string, what: 'transport' | 'group', rules: readonly number[], mapped: boolean): Promise<void> {
      const target: TransportTarget =
        what === 'group'
          ? { type: 'group', id: (await groupNamed(store, ref)).transport_group_id }
          : { type: 'single', id: (await named(ref)).transport_id }
      await requireRules(rules)
      await mapTransport(store, target, rules, mapped)
    },

    ...createTransportGroups(store, named),
    ...createTransportLimits({ store, named, record }),

    /** Notifications about devices that the actor may see which were given up, newest first. */
    async dead(actor: Actor): Promise<DeadLetter[]> {
      return await deadLetters(store, scopeOf(actor), MAX_DEAD_LETTERS)
    },

    /** Sends given-up notifications again (null: all); returns their number. */
    async resend(ids: readonly number[] | null): Promise<number> {
      return await resendDeadLetters(store, ids)
    },
  }
}

/**
 * Adds the engine ID to a v3 trap transport: receivers have to be configured with it, so it must be stored and shown.
 */
async function withEngine(store: Store, kind: string, given: Readonly<Record<string, unknown>>) {
  const unset = given['engine_id'] === undefined || given['engine_id'] === ''
  const needed = kind.toLowerCase() === 'snmptrap' && given['version'] === 'v3' && unset
  return needed ? { ...given, engine_id: await ownEngineId(store) } : given
}

/** Tests a stored transport. One that works is noted; one that fails costs nobody a notification. */
async function testStored(store: Store, deliver: Deliver, row: TransportRow): Promise<TransportTest> {
  const { transport_id: id, transport_name: name, transport_type: kind, transport_config: settings } = row
  const tested = await testTransport(deliver, name, { kind, settings })
  if (tested.delivery.kind === 'delivered') await noteWorks(store, id)
  return tested
}

/** Sends a test notification now, once. `name`: of the transport, for the text. */
export async function testTransport(deliver: Deliver, name: string, transport: Transport): Promise<TransportTest> {
  const log = createExchangeLog(kindOf(transport.kind)?.fields ?? {}, transport.settings)
  const beganMs = performance.now()
  const sample = sampleNotification(name, Date.now())
  const delivery = await deliver(transport, sample, new AbortController().signal, log.note)
  return { delivery, tookMs: performance.now() - beganMs, exchanges: log.exchanges() }
}

export type TransportService = ReturnType<typeof createTransportService>

function shown(row: TransportRow, settings: Settings): ShownTransport {
  const kind = kindOf(row.transport_type)?.name ?? row.transport_type
  return {
    id: row.transport_id,
    name: row.transport_name,
    kind,
    default: row.is_default === 1,
    settings: shownTransport(row.transport_type, row.transport_config),
    problems: kindOf(row.transport_type)?.check(row.transport_config) ?? ['there is no such kind of transport'],
    noServer: kind === 'mail' && hasNoServer(row.transport_config, settings),
    rules: row.rules,
    groups: row.groups,
    waiting: row.waiting,
    dead: row.dead,
    sending: shownSending(row, settings),
    failing: row.failing_since === null ? null : { since: row.failing_since, error: row.failing_error ?? '' },
  }
}

/** Names of settings that are at least partly hidden. */
function hiddenIn(kind: string, ...all: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> {
  return new Set(
    all.flatMap((settings) => {
      const shownSettings = shownTransport(kind, settings)
      return Object.keys(settings).filter((name) => !Bun.deepEquals(shownSettings[name], settings[name]))
    }),
  )
}

/** Throws `invalid` for a kind that does not exist, and for settings that the kind does not have. */
function requireKnown(kind: string, given: Readonly<Record<string, unknown>>): void {
  const declared = kindOf(kind)
  if (declared === null)
    throw invalid(`There is no kind of transport ${kind}; kinds: ${KINDS.map(({ name }) => name).join(', ')}`)
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(declared.fields, name))
  if (unknown.length > 0)
    throw invalid(
      `${declared.name} has no setting ${unknown.join(', ')}; settings: ${Object.keys(declared.fields).join(', ')}`,
    )
}
