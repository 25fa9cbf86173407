import { type Actor, isAdmin } from '../../base/actor.ts'
import { recordChange } from '../../base/change-audit.ts'
import { differences } from '../../base/differences.ts'
import { conflict, forbidden, invalid, notFound } from '../../base/errors.ts'
import { toStoreError } from '../../database/errors.ts'
import { type Operation, problemsOf, targetText } from './operation.ts'
import { listOperations, operationNamed } from './read.ts'
import { createOperationViews, type OperationDeps } from './views.ts'
import { addOperation, deleteOperation, replaceOperation } from './write.ts'

export type { NamedTarget, OperationDeps, ShownOperation, ShownSegment } from './views.ts'

/** Maximum number of operations. */
const MAX_OPERATIONS = 1000

/** Operations: administrators change them, actors who see transports see them. */
export function createOperationService(deps: OperationDeps) {
  const { store } = deps
  const { stored: get, ...views } = createOperationViews(deps)

  function requireAdmin(actor: Actor): void {
    if (!isAdmin(actor)) throw forbidden('Only an administrator may change operations')
  }

  /** Throws `invalid` for an operation with problems or with targets that do not exist. */
  async function requireSound(operation: Operation): Promise<void> {
    const problems = problemsOf(operation)
    if (problems.length > 0) throw invalid(problems.slice(0, 5).join('; '))
    await views.requireTargets(operation.segments)
  }

  /** Names are for people: an import may bring one twice. Throws `conflict` if another operation has it. */
  async function requireFree(name: string, id: number | null): Promise<void> {
    const owner = await operationNamed(store, name, id)
    if (owner !== null) throw conflict(`There already is an operation ${name}`)
  }

  return {
    ...views,

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
