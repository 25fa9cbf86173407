import type { Dialect } from '../../../core/base/actor.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { DeviceGroupRecord, DeviceGroupService } from '../../../core/groups/device-groups.ts'
import type { DeviceGroup } from '../groups/model.ts'

/**
 * A group for clients, with rules as an object. The documentation shows an extra member `joins` in the rules, which lists
 * how their tables are joined. Dialect `librenms` omits it, because existing clients compare the rules with what they sent.
 */
export function presentDeviceGroup(
  { id, name, desc, pattern, type, rules }: DeviceGroupRecord,
  dialect: Dialect,
  groups: Pick<DeviceGroupService, 'joins'>,
): DeviceGroup {
  const parsed = rulesOf(rules)
  const bare = parsed === null || 'joins' in parsed || dialect === 'librenms'
  return { id, name, desc, pattern, type, rules: bare ? parsed : { ...parsed, joins: groups.joins(parsed) } }
}

function rulesOf(rules: string | null): Record<string, unknown> | null {
  const parsed: unknown = rules === null ? null : JSON.parse(rules)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
}

/** The members of a JSON object body. Throws 400 for anything else. */
export function objectBody(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid("We couldn't parse the provided json. Syntax error")
  }
  return { ...body }
}
