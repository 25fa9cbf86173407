import type { Dialect } from '../../core/base/actor.ts'
import { t } from '../elysia.ts'

/**
 * Marks a model as documentation only: the compiler checks types, the tests check bodies, and nothing is validated at
 * run time.
 */
export const documented = t.NoValidate

export const Ok = t.Literal('ok')

/** Errors of v0. 401, 403 from the gate, and `Server Error` have only `message`. */
export const ErrorModel = documented(
  t.Object(
    {
      status: t.Optional(t.Literal('error')),
      message: t.Union([t.String(), t.Record(t.String(), t.Array(t.String()))]),
    },
    { title: 'Failure' },
  ),
)

/**
 * Answers that the documentation shows as a list of one object and that LibreNMS sends as the object itself. Serves
 * update_device_field, get_device_groups, get_devicegroups, get_devices_by_group, get_port_groups, rename_device.
 */
export function wrapped<T>(dialect: Dialect, body: T): T | T[] {
  return dialect === 'documented' ? [body] : body
}

/** Whether a query flag is set: present with any value except `0`. `false` counts as set. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0'
}
