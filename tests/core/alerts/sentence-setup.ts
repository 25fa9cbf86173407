import { RULE_PRESETS } from '../../../src/core/alerts/rules/presets.ts'
import { faultSentence, type SentenceRule, sentenceRule } from '../../../src/core/alerts/sentences/sentence.ts'

export const NOW = new Date(2026, 10, 26, 14, 30).getTime()
export const BEGAN = new Date(2026, 10, 26, 14, 2).getTime()

export type Compared = readonly [field: string, operator: string, value?: unknown]
export const builderOf = (condition: 'AND' | 'OR', rules: readonly Compared[]) =>
  JSON.stringify({ condition, rules: rules.map(([field, operator, value = '']) => ({ field, operator, value })) })

export const ruleOf = (...rules: readonly Compared[]): SentenceRule =>
  sentenceRule({ name: 'The rule', builder: builderOf('AND', rules) })

export function presetOf(name: string): SentenceRule {
  const preset = RULE_PRESETS.find((one) => one.preset === name)
  if (preset === undefined) throw new Error(`no preset ${name}`)
  return sentenceRule({ name: preset.name, builder: JSON.stringify(preset.builder) })
}

export const UP = {
  device_id: 7,
  hostname: 'h',
  status: 1,
  ignore: 0,
  disabled: 0,
  status_reason: '',
  uptime: 4_000_000,
}
export const PORT = {
  ...UP,
  port_id: 5,
  ifName: 'Gi1/0/17',
  ifDescr: 'GigabitEthernet1/0/17',
  ifAlias: 'Uplink to rack 5',
  ifIndex: 10117,
  ifSpeed: 1_000_000_000,
  ifOperStatus: 'down',
  ifOperStatus_prev: 'up',
  ifAdminStatus: 'up',
  deleted: 0,
  hc_mask: 255,
}
export const SENSOR = {
  ...UP,
  sensor_id: 3,
  sensor_descr: 'Inlet',
  sensor_class: 'temperature',
  sensor_alert: 1,
  sensor_deleted: 0,
}

export const say = (rule: SentenceRule, row: Record<string, unknown>, device = 'sw-3', since: number | null = BEGAN) =>
  faultSentence(rule, row, { device, since, now: NOW })
