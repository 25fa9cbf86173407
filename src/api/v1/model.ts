import { t } from 'elysia'

/** Refusals of v1 (JSON:API). */
export const ErrorList = t.NoValidate(
  t.Object({
    errors: t.Array(t.Object({ status: t.String(), title: t.String(), detail: t.Optional(t.String()) })),
  }),
)

/** No valid bearer token. */
export const Unauthenticated = t.NoValidate(t.Object({ message: t.String() }))
