import { type Granted, grantedDevicesText } from '../base/scope.ts'
import { BILL_TABLES, RULE_TABLES, type RuleTable } from './read-tables.ts'

/**
 * A table of a rule with only the rows that a user may see: what `from` of the table is for everybody else. The rows
 * are chosen before the rule sees them (`offset 0` keeps PostgreSQL from moving conditions of the rule inside), so that
 * neither the result nor the time or the error of a condition tells anything about other rows.
 */
export function scopedFrom(table: RuleTable, scope: Granted): string {
  return `(select * from ${table.from} where ${isSeen(table, scope)} offset 0) "${table.name}"`
}

function isSeen(table: RuleTable, scope: Granted): string {
  const user = String(Math.trunc(scope.userId))
  const devices = grantedDevicesText(scope, () => user)
  const parts: string[] = []
  if (table.columns.has('device_id')) parts.push(`"${table.name}".device_id in (${devices})`)
  else if (table.parent !== null) {
    const parent = RULE_TABLES.get(table.parent)
    if (parent === undefined) throw new Error(`table ${table.name} has no parent ${table.parent}`)
    parts.push(`exists (select from ${parent.from} where ${table.on} and ${isSeen(parent, scope)})`)
  }
  if (BILL_TABLES.has(table.name))
    parts.push(`"${table.name}".bill_id in (select bill_id from bill_perms where user_id = ${user})`)
  return parts.join(' and ')
}
