import type { Settings } from '../../../config/schema.ts'
import { type Actor, isAdmin, scopeOf } from '../../base/actor.ts'
import { recordChange } from '../../base/change-audit.ts'
import { differences } from '../../base/differences.ts'
import { conflict, forbidden, invalid, notFound } from '../../base/errors.ts'
import { isAllowed } from '../../base/permissions.ts'
import type { Store } from '../../database/client.ts'
import { toStoreError } from '../../database/errors.ts'
import { listAlertRules } from '../rules/read.ts'
import { type Operation, problemsOf, type Segment, type Target, targetText } from './operation.ts'
import { listOperations, operationNamed, targetNames, type UsedOperation } from './read.ts'
import { beginnings, segmentsOf } from './steps.ts'
import { whenText } from './words.ts'
import { addOperation, deleteOperation, replaceOperation } from './write.ts'

export type { Operation, Segment, Target }

/** A target with its name. */
export interface NamedTarget extends Target {
  /** As API v0 writes it: `3`, `g2`, `s4`. */
  readonly text: string
  readonly name: string
  /** Kind of the transport; '' for groups and schedules. */
  readonly kind: string
}

/** An operation for display. */
export interface ShownOperation extends UsedOperation {
  readonly segments: readonly ShownSegment[]
}
export interface ShownSegment extends Segment {
  readonly id: number
  readonly position: number
  readonly targets: readonly NamedTarget[]
  /** When it notifies, in words. */
  readonly when: string
}

/** Schedules of people on call by name. */
export type Schedules = () => Promise<readonly { readonly id: number; readonly name: string }[]>

export interface OperationDeps {
  readonly store: Store
  readonly settings: Settings
  readonly schedules?: Schedules
}

/** Maximum number of operations. */
const MAX_OPERATIONS = 1000

/** Operations: administrators change them, actors who see transports see them. */
export function createOperationService({ store, settings, schedules = async () => [] }: OperationDeps) {
  async function names() {
    const [known, onCall] = await Promise.all([targetNames(store), schedules()])
    const all = new Map(known)
    for (const { id, name } of onCall) all.set(targetText({ type: 'on_call', id }), { name, kind: '' })
    return all
  }

  function requireAdmin(actor: Actor): void {
    if (!isAdmin(actor)) throw forbidden('Only an administrator may change operations')
  }

  function requireView(actor: Actor): void {
    if (!isAllowed(actor, 'AlertTemplate.viewAny', settings)) throw forbidden('This action is unauthorized.')
  }

  async function shown(operations: readonly UsedOperation[]): Promise<ShownOperation[]> {
    const known = await names()
    const defaults = (one: Operation) => [one.stepDurationS, settings.get('alert.step_duration')]
    return operations.map((one) => {
      const when = new Map<Segment, string>()
      for (const phase of ['problem', 'recovery', 'update'] as const) {
        const own = one.segments.filter((segment) => segment.phase === phase)
        const timed = segmentsOf(one.segments, phase, defaults(one))
        const begins = beginnings(timed)
        for (const [i, segment] of own.entries()) when.set(segment, whenText(timed[i] ?? segment, begins[i] ?? 0))
      }
      return {
        ...one,
        segments: one.segments.map((segment) => ({
          ...segment,
          when: when.get(segment) ?? '',
          targets: segment.targets.map((target) => named(target, known)),
        })),
      }
    })
  }

  /** Throws `invalid` for an operation with problems or with targets that do not exist. */
  async function requireSound(operation: Operation): Promise<void> {
    const problems = problemsOf(operation)
    if (problems.length > 0) throw invalid(problems.slice(0, 5).join('; '))
    await requireTargets(operation.segments)
  }

  /** Throws `invalid` for targets that do not exist. */
  async function requireTargets(segments: readonly Segment[]): Promise<void> {
    const known = await names()
    for (const target of segments.flatMap(({ targets }) => targets))
      if (!known.has(targetText(target))) throw invalid(`There is no ${TYPE_NAMES[target.type]} ${target.id}`)
  }

  async function get(id: number): Promise<UsedOperation> {
    const [found] = await listOperations(store, id)
    if (found === undefined) throw notFound(`There is no operation ${id}`)
    return found
  }

  /** Names are for people: an import may bring one twice. Throws `conflict` if another operation has it. */
  async function requireFree(name: string, id: number | null): Promise<void> {
    const owner = await operationNamed(store, name, id)
    if (owner !== null) throw conflict(`There already is an operation ${name}`)
  }

  /** Rules outside the actor's scope are left out. */
  async function visible(actor: Actor, operations: readonly UsedOperation[]): Promise<readonly UsedOperation[]> {
    const scope = scopeOf(actor)
    if (scope.kind === 'all') return operations
    const ids = new Set((await listAlertRules(store, scope)).map(({ id }) => id))
    return operations.map((one) => ({ ...one, rules: one.rules.filter((id) => ids.has(id)) }))
  }

  return {
    requireTargets,

    /** All operations by name. Throws `forbidden`. */
    async list(actor: Actor): Promise<ShownOperation[]> {
      requireView(actor)
      return await shown(await visible(actor, await listOperations(store)))
    },

    /** One operation. Throws `forbidden`, `not_found`. */
    async get(actor: Actor, id: number): Promise<ShownOperation> {
      requireView(actor)
      const [found] = await shown(await visible(actor, [await get(id)]))
      if (found === undefined) throw notFound(`There is no operation ${id}`)
      return found
    },

    /**
     * The operations of rules, for whoever may see the rules. Targets are left out for actors who see no transports:
     * neither those of rules they may change nor all.
     */
    async ofRules(actor: Actor): Promise<ShownOperation[]> {
      const gates = ['AlertTemplate.viewAny', 'AlertRule.create', 'AlertRule.update'] as const
      const mayName = gates.some((gate) => isAllowed(actor, gate, settings))
      const all = await shown(await visible(actor, await listOperations(store)))
      if (mayName) return all
      return all.map((one) => ({ ...one, segments: one.segments.map((segment) => ({ ...segment, targets: [] })) }))
    },

    /** Names and ids, for whoever may give a rule an operation; the caller has to check the permission. */
    async names(): Promise<readonly { readonly id: number; readonly name: string }[]> {
      return (await listOperations(store)).map(({ id, name }) => ({ id, name }))
    },

    /** What a segment can notify, groups first; the caller has to check the permission. */
    async targets(): Promise<readonly NamedTarget[]> {
      const order = { group: 0, on_call: 1, single: 2 }
      return [...(await names())]
        .map(([text, { name, kind }]): NamedTarget => {
          const type = text.startsWith('g') ? 'group' : text.startsWith('s') ? 'on_call' : 'single'
          return { type, id: Number(text.replace(/^\D/, '')), text, name, kind }
        })
        .toSorted((a, b) => order[a.type] - order[b.type] || a.name.localeCompare(b.name))
    },

    /** Stores an operation; returns its id. Throws `forbidden`, `invalid`, `conflict`. */
    async add(actor: Actor, operation: Operation): Promise<number> {
      requireAdmin(actor)
      await requireSound(operation)
      if ((await listOperations(store)).length >= MAX_OPERATIONS)
        throw invalid(`There are ${MAX_OPERATIONS} operations already, which is the most; delete one that no rule uses`)
      await requireFree(operation.name, null)
      const id = await addOperation(store, operation)
      await recordChange(store, actor, 'transport', operation.name, `Operation ${operation.name} added`)
      return id
    },

    /** Replaces an operation, for all rules that use it. Throws as `add`, and `not_found`. */
    async replace(actor: Actor, id: number, operation: Operation): Promise<void> {
      requireAdmin(actor)
      const before = await get(id)
      await requireSound(operation)
      await requireFree(operation.name, id)
      if (!(await replaceOperation(store, id, operation))) throw notFound(`There is no operation ${id}`)
      const what = differences(audited(before), audited(operation))
      if (what !== '') await recordChange(store, actor, 'transport', before.name, `Operation ${before.name}: ${what}`)
    },

    /** Deletes an operation that no rule uses. Throws `forbidden`, `not_found`, `conflict`. */
    async remove(actor: Actor, id: number): Promise<void> {
      requireAdmin(actor)
      const before = await get(id)
      const inUse = () =>
        conflict(`Operation ${before.name} is used by alert rules ${before.rules.slice(0, 20).join(', ')}`)
      if (before.rules.length > 0) throw inUse()
      const gone = await deleteOperation(store, id).catch((error: unknown) => {
        throw toStoreError(error).code === '23503' ? inUse() : error
      })
      if (!gone) throw inUse()
      await recordChange(store, actor, 'transport', before.name, `Operation ${before.name} deleted`)
    },
  }
}

const TYPE_NAMES = { single: 'transport', group: 'transport group', on_call: 'on-call schedule' } as const

function named(target: Target, known: ReadonlyMap<string, { name: string; kind: string }>): NamedTarget {
  const text = targetText(target)
  const found = known.get(text)
  return {
    ...target,
    text,
    name: found?.name ?? `${TYPE_NAMES[target.type]} ${target.id}, which is gone`,
    kind: found?.kind ?? '',
  }
}

/** An operation as the audit compares it. */
function audited({ name, stepDurationS, suppressed, segments }: Operation) {
  return {
    name,
    step: stepDurationS,
    suppressed,
    segments: segments
      .map(
        ({ phase, from, to, startS, durationS, targets }) =>
          `${phase} ${from}-${to ?? ''} +${startS} s, ${durationS} s: ${targets.map(targetText).join(' ')}`,
      )
      .join(' | '),
  }
}

export type OperationService = ReturnType<typeof createOperationService>
