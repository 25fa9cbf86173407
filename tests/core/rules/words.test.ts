import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ruleFields } from '../../../src/core/alerts/rules/try.ts'
import { OPERATORS, parseBuilder } from '../../../src/core/rules/builder.ts'
import { fieldWords } from '../../../src/core/rules/fields/fields.ts'
import { builderWords, sentenceOf } from '../../../src/core/rules/in-words.ts'

const rule = (field: string, operator: string, value: unknown) => ({ field, operator, value })
const words = (condition: 'AND' | 'OR', ...rules: readonly unknown[]) =>
  builderWords(parseBuilder(JSON.stringify({ condition, rules })))

describe('every field that the builder offers', () => {
  const fields = ruleFields()
  test('is described in words of its own', () => {
    expect(fields.length).toBeGreaterThan(700)
    expect(fields.filter(({ name }) => fieldWords(name) === null).map(({ name }) => name)).toEqual([])
    const alike = [...Map.groupBy(fields, (field) => field.words)].filter(([, group]) => group.length > 1)
    expect(alike.map(([text, group]) => `${text}: ${group.map(({ name }) => name).join()}`)).toEqual([])
  })

  test('has no column name in its words, and numbers of a known kind have their unit', () => {
    const known = /sysName|sysObjectID|sysDescr|EtherChannel/g
    const names = fields.filter(({ words: text }) => /_|[a-z][A-Z][a-z]|`/.test(text.replaceAll(known, '')))
    expect(names.map(({ words: text }) => text)).toEqual([])
    const bare = fields.filter(
      ({ name, words: text }) =>
        /_perc$|_rate$|_rtt_|_oct|ifSpeed|_timetaken|_loss_/.test(name) &&
        !/, (%|s|ms|bit\/s|bytes\/s|packets\/s)$/.test(text),
    )
    expect(bare.map(({ name }) => name)).toEqual([])
  })
})

describe('a rule in words', () => {
  test('names no column and says units', () => {
    expect(
      words('AND', rule('macros.device_up', 'equal', '1'), rule('ports.ifOutErrors_rate', 'greater', 5), {
        condition: 'OR',
        rules: [
          rule('devices.os', 'in', 'ios,junos'),
          rule('sensors.sensor_current', 'greater', '`sensors.sensor_limit`'),
        ],
      }),
    ).toBe(`all of these:
  device is up
  port: errors out at the last poll is above 5 packets/s
  any of these:
    device: operating system is one of “ios”, “junos”
    sensor: value is above sensor: upper limit`)
    expect(words('AND', rule('services.service_status', 'in', '1,2'))).toBe(
      'service check: state is one of warning, critical',
    )
    expect(words('AND', rule('bgpPeers.bgpPeerAdminStatus', 'equal', 'start'))).toBe(
      'BGP session: administrative state is “start”',
    )
    expect(words('AND', rule('component.status', 'greater', 7))).toBe('component: state is above 7')
    expect(words('AND', rule('macros.port_up', 'equal', '0'))).toBe('not: port is up')
    expect(words('AND', rule('devices.uptime', 'between', [1, 300]))).toBe('device: uptime is between 1 s and 300 s')
    expect(words('AND', rule('devices.disabled', 'equal', '1'))).toBe('device: is disabled')
    expect(words('OR', rule('unknown_table.some_column', 'is_null', null))).toBe('unknown_table.some_column is unknown')
  })

  test('fits on one line, with groups in parentheses', () => {
    const nested = {
      condition: 'OR',
      rules: [rule('devices.os', 'equal', 'ios'), rule('devices.os', 'equal', 'iosxe')],
    }
    const all = { condition: 'AND', rules: [rule('macros.device_down', 'equal', '1'), nested] }
    expect(sentenceOf(JSON.stringify(all))).toBe(
      'device is down and (device: operating system is “ios” or device: operating system is “iosxe”)',
    )
    expect(sentenceOf('nonsense')).toBeNull()
  })

  test('exists for every field and comparison', () => {
    const names = ruleFields().map(({ name }) => name)
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.constantFrom(...OPERATORS), fc.string(), (name, operator, text) => {
        const value = operator.endsWith('between') ? [text, text] : /in$/.test(operator) ? [text] : text
        let parsed: ReturnType<typeof parseBuilder>
        try {
          parsed = parseBuilder(JSON.stringify({ condition: 'AND', rules: [rule(name, operator, value)] }))
        } catch {
          return
        }
        const said = builderWords(parsed)
        expect(said.length).toBeGreaterThan(5)
        if (!/[.`]/.test(text)) expect(said).not.toContain(name)
      }),
    )
  })
})
