import { t } from 'elysia'
import type { Dialect } from '../../domain/actor.ts'

/**
 * Marks a model as the documentation of an answer or input: types are checked when the program is compiled, bodies by
 * the tests. At run time nothing is checked again.
 */
export const documented = t.NoValidate

export const Ok = t.Literal('ok')

/** Every refusal of v0 but 401, 403 by the gate and 500, which have `message` alone. */
export const ErrorModel = documented(
  t.Object({
    status: t.Optional(t.Literal('error')),
    message: t.Union([t.String(), t.Record(t.String(), t.Array(t.String()))]),
  }),
)

/**
 * The five answers that the documentation shows as a list with one object, and LibreNMS sends as the object. Serves
 * update_device_field, get_device_groups, get_devicegroups, get_devices_by_group, get_port_groups, rename_device.
 */
export function wrapped<T>(dialect: Dialect, body: T): T | T[] {
  return dialect === 'documented' ? [body] : body
}

/** Whether a flag of the query is set: present with a value other than `0`. The text `false` counts as set. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0'
}
