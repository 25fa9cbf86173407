import type { Actor } from '../../core/base/actor.ts'
import { notFound } from '../../core/base/errors.ts'
import type { Services } from '../../core/services.ts'
import { jsonApi } from '../respond.ts'
import { setV1Operation, v1Actor } from './client.ts'
import { presentV1Error, v1Unauthenticated } from './present-error.ts'

/** Who asks, and the request. */
export interface Asked {
  readonly bearer: string | undefined
  readonly request: Request
  /** Of the path. One whose escapes are no UTF-8 is undefined. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** Runs an operation for the caller of a request. Answers with what `work` returns, or with what it refuses. */
export type Run = (operationId: string, asked: Asked, work: (actor: Actor) => Promise<unknown>) => Promise<Response>

export function v1Run(services: Pick<Services, 'auth' | 'sessions' | 'config' | 'log'>): Run {
  return async (operationId, { bearer, request, params = {} }, work) => {
    setV1Operation(request, operationId)
    try {
      const actor = await v1Actor(services, bearer, request)
      if (actor === null) return v1Unauthenticated()
      if (Object.values(params).some((value) => typeof value !== 'string')) throw notFound('no object has this path')
      const answer = await work(actor)
      return answer instanceof Response ? answer : jsonApi(answer)
    } catch (error) {
      return presentV1Error(error, request, services.log)
    }
  }
}
