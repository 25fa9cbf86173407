import type { Actor } from '../../core/base/actor.ts'
import { invalid } from '../../core/base/errors.ts'
import type { Services } from '../../core/services.ts'
import { members, readBody } from '../body.ts'
import { bodyTooLarge } from './present-error.ts'
import type { Asked, Run } from './run.ts'

/** Parses bodies; one that cannot be read is null, and the operation says why. */
export function v1Parse({ config }: Pick<Services, 'config'>) {
  return async ({ request }: { readonly request: Request }): Promise<unknown> => {
    const body = await readBody(request, config.get('api.max_body'))
    return body.kind === 'read' ? body.json : null
  }
}

/** Runs an operation with the attributes of the body, which is about objects of a type. */
export type Change = (
  operationId: string,
  type: string,
  asked: Asked,
  work: (actor: Actor, attributes: Readonly<Record<string, unknown>>) => Promise<unknown>,
) => Promise<Response>

export function v1Change({ config }: Pick<Services, 'config'>, run: Run): Change {
  return async (operationId, type, asked, work) => {
    const body = await readBody(asked.request, config.get('api.max_body'))
    if (body.kind === 'too-large') return bodyTooLarge()
    return await run(operationId, asked, async (actor) => {
      if (body.kind !== 'read') throw invalid('The body is not valid JSON')
      const data = members(members(body.json)['data'])
      if (data['type'] !== type) throw invalid(`'data.type' is not '${type}'`)
      return await work(actor, members(data['attributes']))
    })
  }
}
