import { t } from 'elysia'

/** Errors of JSON:API. */
export const ErrorList = t.NoValidate(
  t.Object({
    errors: t.Array(t.Object({ status: t.String(), title: t.String(), detail: t.Optional(t.String()) })),
  }),
)
export const Unauthenticated = t.NoValidate(t.Object({ message: t.String() }))
