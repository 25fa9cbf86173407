import { t } from '../elysia.ts'
import { whole } from '../integer.ts'

/** Refusals of v1 (JSON:API). */
export const ErrorList = t.NoValidate(
  t.Object(
    {
      errors: t.Array(
        t.Object({ status: t.String(), title: t.String(), detail: t.Optional(t.String()) }, { title: 'JsonApiError' }),
      ),
    },
    { title: 'ErrorList' },
  ),
)

/** No valid bearer token. */
export const Unauthenticated = t.NoValidate(t.Object({ message: t.String() }))

/** Error responses that operations on objects have in common. */
export const REFUSALS = {
  400: ErrorList,
  401: Unauthenticated,
  403: ErrorList,
  404: ErrorList,
  415: ErrorList,
  429: ErrorList,
  503: ErrorList,
}

/** Refusals of operations that read a body. */
export const WRITE_REFUSALS = { 413: ErrorList, ...REFUSALS }

/** The path of one object. */
export const IdPath = t.NoValidate(t.Object({ id: t.String() }))

/** How many objects an operation changed. */
export const Changed = t.NoValidate(t.Object({ meta: t.Object({ changed: whole() }) }))

/** What the document says of an operation. `gate`: the permission, or the role, that it needs. */
export function described(operationId: string, summary: string, gate: string) {
  return { operationId, summary, tags: ['v1'], security: [{ bearer: [] }], 'x-gate': gate }
}
