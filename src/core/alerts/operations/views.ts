import type { Settings } from '../../../config/schema.ts'
import { type Actor, scopeOf } from '../../base/actor.ts'
import { forbidden, invalid, notFound } from '../../base/errors.ts'
import { isAllowed } from '../../base/permissions.ts'
import type { Store } from '../../database/client.ts'
import { listAlertRules } from '../rules/read.ts'
import { type Operation, PHASES, parseTarget, type Segment, type Target, targetText } from './operation.ts'
import { listOperations, targetNames, type UsedOperation } from './read.ts'
import { beginnings, segmentsOf } from './steps.ts'
import { whenText } from './words.ts'

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

/** Operations as actors who see transports see them. */
export function createOperationViews({ store, settings, schedules = async () => [] }: OperationDeps) {
  async function names() {
    const [known, onCall] = await Promise.all([targetNames(store), schedules()])
    const all = new Map(known)
    for (const { id, name } of onCall) all.set(targetText({ type: 'on_call', id }), { name, kind: '' })
    return all
  }

  function requireView(actor: Actor): void {
    if (!isAllowed(actor, 'AlertTemplate.viewAny', settings)) throw forbidden('This action is unauthorized.')
  }

  async function shown(operations: readonly UsedOperation[]): Promise<ShownOperation[]> {
    const known = await names()
    const defaults = (one: Operation) => [one.stepDurationS, settings.get('alert.step_duration')]
    return operations.map((one) => {
      const when = new Map<Segment, string>()
      for (const phase of PHASES) {
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

  /** Rules outside the actor's scope are left out. */
  async function visible(actor: Actor, operations: readonly UsedOperation[]): Promise<readonly UsedOperation[]> {
    const scope = scopeOf(actor)
    if (scope.kind === 'all') return operations
    const ids = new Set((await listAlertRules(store, scope)).map(({ id }) => id))
    return operations.map((one) => ({ ...one, rules: one.rules.filter((id) => ids.has(id)) }))
  }

  return {
    requireTargets,
    stored: get,

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
        .flatMap(([text, known]) => {
          const target = parseTarget(text)
          return target === null ? [] : [{ ...target, text, ...known }]
        })
        .toSorted((a, b) => order[a.type] - order[b.type] || a.name.localeCompare(b.name))
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
