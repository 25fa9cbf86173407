import { Elysia, ElysiaCustomStatusResponse } from 'elysia'
import { type Gate, passes } from '../../domain/gates.ts'
import { V0 } from '../areas.ts'
import { readBody } from '../body.ts'
import { factsOf } from '../facts.ts'
import { json } from '../respond.ts'
import { GateClosed } from './present-error.ts'

/**
 * What every route group of v0 uses: `actor` and `dialect` in the context, the body as JSON whatever its type, query
 * values trimmed with empty ones taken away, plain values answered as JSON.
 */
export const v0Context = new Elysia({ name: 'v0.context' })
  .onParse({ as: 'scoped' }, async ({ request }) => {
    const body = await readBody(request, factsOf(request).settings.get('api.max_body'))
    return body.kind === 'read' ? body.json : null
  })
  .onTransform({ as: 'scoped' }, ({ query }) => {
    for (const name in query) {
      const value = query[name]?.trim()
      if (value) query[name] = value
      else delete query[name]
    }
  })
  .resolve({ as: 'scoped' }, ({ request }) => {
    const { actor, dialect } = factsOf(request)
    return { actor, dialect }
  })
  .mapResponse({ as: 'scoped' }, ({ responseValue }) => {
    if (responseValue instanceof Response) return responseValue
    if (responseValue instanceof ElysiaCustomStatusResponse)
      return json(responseValue.response, Number(responseValue.code))
    return json(responseValue)
  })

/** What is said of an operation beside its models. */
export interface Operation {
  /** operationId; unique. */
  readonly id: string
  /** Name in the documentation where forms of one operation share it. */
  readonly documented?: string
  /** Name in the route index where it differs from the documented one. */
  readonly route?: string
  readonly gate: Gate
  readonly summary: string
  /** Further names in the route index. */
  readonly also?: readonly string[]
  /** The path as it is documented, where the router wants another name for a parameter: it takes one in one place. */
  readonly path?: string
}

/** The members of a route's options that say what the operation is and who may call it. */
export function operation({ id, documented = id, route = documented, gate, summary, path, also }: Operation) {
  return {
    detail: {
      operationId: id,
      summary,
      'x-operation': documented,
      'x-route-name': route,
      'x-gate': gate,
      ...(path !== undefined && { 'x-path': V0 + path }),
      ...(also !== undefined && { 'x-also': also }),
    },
    beforeHandle({ request }: { request: Request }): void {
      const { actor, settings } = factsOf(request)
      if (!passes(actor, gate, settings)) throw new GateClosed()
    },
  }
}
