import { type Actor, isAdmin } from '../../base/actor.ts'
import { forbidden, invalid } from '../../base/errors.ts'
import { requireGrants } from '../../base/grants-check.ts'
import type { Store } from '../../database/client.ts'
import type { Field } from './fields.ts'
import { type Grouping, groupingOf } from './grouping.ts'
import type { Transport } from './kind.ts'
import { KINDS, kindOf } from './kinds.ts'
import type { SendingChanges, ShownSending } from './sending.ts'
import type { DeadLetter, ShownTransport, TransportDraft, TransportService, TransportTest } from './service.ts'
import { listTransportGroups, listTransports, mapTransport } from './write.ts'

export type { DeadLetter, SendingChanges, ShownSending, ShownTransport, TransportTest }

/** A transport or group by which a rule can send notifications. */
export interface RuleTransport {
  readonly type: 'single' | 'group'
  readonly id: number
  readonly name: string
  /** '' for a group. */
  readonly kind: string
  readonly isDefault: boolean
  readonly isUsed: boolean
}
export type RuleTransports = readonly RuleTransport[]

/** A setting of a kind of transport, for a form. */
export interface KindField {
  readonly name: string
  readonly type: Field['type']
  readonly about: string
  readonly required: boolean
  readonly secret: boolean
  /** Another name that the setting may have in a stored transport; null: none. */
  readonly was: string | null
  readonly choices: readonly string[]
  /** The default as text; '' if there is none. */
  readonly default: string
}

export interface TransportKind {
  readonly name: string
  readonly title: string
  readonly about: string
  /** Whether it sends what happens at the same time as one message. */
  readonly grouping: Grouping
  readonly fields: readonly KindField[]
}

/** All kinds of transport with their settings. */
export const transportKinds = (): TransportKind[] => KINDS.map(described)

/** The kind by our name or that of LibreNMS, regardless of case; null: there is none. */
export function transportKind(name: string | null): TransportKind | null {
  const kind = kindOf(name ?? '')
  return kind === null ? null : described(kind)
}

const described = ({ name, title, about, fields }: Transport): TransportKind => ({
  name,
  title,
  about,
  grouping: groupingOf(name),
  fields: Object.entries(fields).map(([field, declared]) => ({
    name: field,
    type: declared.type,
    about: declared.about,
    required: declared.required === true,
    secret: declared.secret === true,
    was: declared.was ?? null,
    choices: declared.type === 'choice' ? declared.choices : [],
    default: 'default' in declared ? String(declared.default ?? '') : '',
  })),
})

/** Transports for the web pages: administrators change them; actors who see all rules see them without secrets. */
export function createTransportAdmin({
  store,
  transports,
}: {
  readonly store: Store
  readonly transports: TransportService
}) {
  function requireAdmin(actor: Actor): void {
    if (!isAdmin(actor)) throw forbidden('Only an administrator may change transports')
  }

  return {
    /** All transports, with secrets hidden. The caller has to check the permission. */
    list: (): Promise<ShownTransport[]> => transports.list(),

    /**
     * Notifications about devices that the actor may see which were given up, newest first. The caller has to check the
     * permission.
     */
    dead: (actor: Actor): Promise<DeadLetter[]> => transports.dead(actor),

    /** Transports and groups, and whether the rule uses them; null is a new rule, which uses none. */
    async ofRule(ruleId: number | null): Promise<RuleTransports> {
      const [singles, groups] = await Promise.all([listTransports(store), listTransportGroups(store)])
      const uses = (rules: readonly number[]) => ruleId !== null && rules.includes(ruleId)
      return [
        ...groups.map((group) => ({
          type: 'group' as const,
          id: group.transport_group_id,
          name: group.transport_group_name,
          kind: '',
          isDefault: false,
          isUsed: uses(group.rules),
        })),
        ...singles.map((one) => ({
          type: 'single' as const,
          id: one.transport_id,
          name: one.transport_name,
          kind: one.transport_type,
          isDefault: one.is_default === 1,
          isUsed: uses(one.rules),
        })),
      ]
    },

    /** Adds transports to a rule or removes them. Throws `forbidden` for a rule that exceeds the actor's grants. */
    async mapRule(actor: Actor, ruleId: number, used: readonly (readonly [RuleTransport, boolean])[]): Promise<void> {
      await requireGrants(store, actor, { rules: [ruleId] })
      for (const [{ type, id, isUsed }, isWanted] of used)
        if (isUsed !== isWanted) await mapTransport(store, { type, id }, [ruleId], isWanted)
    },

    /** Stores a transport and returns its id. Throws `forbidden`, and what the transport service throws. */
    async add(actor: Actor, draft: TransportDraft): Promise<number> {
      requireAdmin(actor)
      return await transports.add(draft, actor)
    },

    /**
     * Replaces the settings of a transport. '' removes a setting, but a secret left empty is kept unless it is in
     * `cleared`. Throws `forbidden`, and what the transport service throws.
     */
    async change(
      actor: Actor,
      id: number,
      given: {
        readonly settings: Readonly<Record<string, string>>
        readonly cleared: ReadonlySet<string>
        readonly isDefault: boolean
      },
    ): Promise<void> {
      requireAdmin(actor)
      const stored = (await transports.list()).find((one) => one.id === id)
      const kind = kindOf(stored?.kind ?? '')
      if (stored === undefined || kind === null) throw invalid('There is no such kind of transport')
      const kept = Object.entries(given.settings).filter(
        ([name, value]) =>
          // a value returned as it was shown is unchanged; parts of it may be masked
          value !== stored.settings[name] &&
          (value !== '' || kind.fields[name]?.secret !== true || given.cleared.has(name)),
      )
      await transports.change(String(id), Object.fromEntries(kept), given.isDefault, actor)
    },

    /** Changes how a transport sends. Throws `forbidden`, `not_found`, `invalid`. */
    async limit(actor: Actor, id: number, changes: SendingChanges): Promise<void> {
      requireAdmin(actor)
      await transports.limit(String(id), changes, actor)
    },

    /** Deletes a transport and its notifications. Throws `forbidden`, `not_found`. */
    async remove(actor: Actor, id: number): Promise<void> {
      requireAdmin(actor)
      await transports.remove(String(id), actor)
    },

    /** Sends a test notification now. Throws `forbidden`, `not_found`. */
    async test(actor: Actor, id: number): Promise<TransportTest> {
      requireAdmin(actor)
      return await transports.test(String(id))
    },

    /** Sends given-up notifications again (null: all); returns their number. Throws `forbidden`. */
    async resend(actor: Actor, ids: readonly number[] | null): Promise<number> {
      requireAdmin(actor)
      return await transports.resend(ids)
    },
  }
}

export type TransportAdmin = ReturnType<typeof createTransportAdmin>
