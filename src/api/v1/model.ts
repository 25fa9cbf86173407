import { t } from '../elysia.ts'

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
  401: Unauthenticated,
  403: ErrorList,
  404: ErrorList,
  415: ErrorList,
  429: ErrorList,
  503: ErrorList,
}
