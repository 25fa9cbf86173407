/** A condition of the builder. */
export const rule = (field: string, operator: string, value: unknown) => ({ field, operator, value })
const UP = rule('macros.device_up', 'equal', '1')

/** Typical rules, used in turn; the number makes each different. */
const RULES: readonly ((r: number) => readonly object[])[] = [
  (r) => [rule('macros.device_down', 'equal', '1'), rule('devices.hostname', 'not_begins_with', `lab${r}`)],
  (r) => [
    rule('ports.ifOperStatus', 'equal', 'down'),
    rule('ports.ifAdminStatus', 'equal', 'up'),
    rule('ports.ifAlias', 'not_contains', `spare${r}`),
  ],
  (r) => [
    rule('sensors.sensor_current', 'greater', '`sensors.sensor_limit`'),
    rule('sensors.sensor_class', 'equal', 'temperature'),
    rule('sensors.sensor_current', 'greater', r % 40),
    UP,
  ],
  (r) => [rule('processors.processor_usage', 'greater', 95 + (r % 3)), UP],
  (r) => [rule('storage.storage_perc', 'greater_or_equal', 96 + (r % 3)), UP],
  (r) => [rule('devices.uptime', 'less', 300 + r), UP],
  (r) => [rule('devices.os', 'equal', 'junos'), rule('devices.hardware', 'contains', `MX${r}`)],
  (r) => [rule('devices.last_polled', 'less', '`macros.past_15m`'), rule('devices.hostname', 'not_equal', `x${r}`)],
]

/** The builder's JSON of rule `r`, from 0. */
export const builderOf = (r: number): string =>
  JSON.stringify({ condition: 'AND', rules: RULES[r % RULES.length]?.(r) })
