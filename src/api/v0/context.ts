import { isAllowed, isChange, type Permission } from '../../core/base/permissions.ts'
import { readBody } from '../body.ts'
import { Elysia, ElysiaCustomStatusResponse } from '../elysia.ts'
import { V0 } from '../path.ts'
import { factsOf } from '../request-context.ts'
import { json } from '../respond.ts'
import { GateClosed } from './present-error.ts'

/**
 * Shared by every route group of v0: adds `actor` and `dialect` to the context, parses the body as JSON whatever its
 * content type, trims query values and drops empty ones, and sends plain values as JSON.
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

/** Description of an operation, without its models. */
export interface Operation {
  /** operationId; unique. */
  readonly id: string
  /** Name in the documentation if several variants of an operation share it. */
  readonly documented?: string
  /** Name in the route index if it differs from the documented one. */
  readonly route?: string
  readonly gate: Permission
  readonly summary: string
  /** Other names in the route index. */
  readonly also?: readonly string[]
  /** The documented path if its parameter names differ; the router allows only one name per position. */
  readonly path?: string
  /** Set where a GET starts something, which a read-only token may not do. */
  readonly starts?: boolean
}

/** The route options that identify an operation and restrict who may call it. */
export function operation({ id, documented = id, route = documented, gate, summary, path, also, starts }: Operation) {
  return {
    detail: {
      operationId: id,
      summary,
      'x-operation': documented,
      'x-route-name': route,
      'x-gate': gate,
      ...(path !== undefined && { 'x-path': V0 + path }),
      ...(also !== undefined && { 'x-also': also }),
      ...(starts === true && { 'x-starts': true }),
    },
    // Runs before validation, so that a request refused there is still counted for its operation.
    transform({ request }: { request: Request }): void {
      factsOf(request).operation = id
    },
    beforeHandle({ request }: { request: Request }): void {
      const { actor, settings } = factsOf(request)
      if (!isAllowed(actor, gate, settings)) throw new GateClosed()
      if (actor.readOnly && (starts === true || isChange(request.method, gate))) throw new GateClosed()
    },
  }
}
