import { describe, expect, test } from 'bun:test'
import { DefinitionError } from '../../src/definitions/error.ts'
import { extended } from '../../src/definitions/extend.ts'

const BASES: Readonly<Record<string, unknown>> = {
  pump: {
    parameters: ['model', 'branch'],
    about: 'Pump <model>',
    sysObjectID: ['1.3.6.1.4.1.99999.<branch>'],
    tables: { '<model|lower>Table': { entry: '1.3.6.1.4.1.99999.<branch>.1', columns: { flow: 1 } } },
    sensors: [{ class: 'waterflow', table: '<model|lower>Table', value: 'flow', descr: 'Flow <unknown>' }],
  },
  hot: {
    parameters: ['model', 'limit'],
    extends: 'pump',
    set: { model: '<model>', branch: 8 },
    sensors: [{ class: 'temperature', limits: { high: '<limit>' } }],
  },
  circle: { extends: 'circle' },
}
const resolved = (value: unknown) => extended('x', value, (name) => BASES[name])

describe('a definition that extends a base', () => {
  test('has what the base has, with parameters in texts and keys', () => {
    expect(resolved({ extends: 'pump', set: { model: 'P7', branch: 7 } })).toEqual({
      about: 'Pump P7',
      sysObjectID: ['1.3.6.1.4.1.99999.7'],
      tables: { p7Table: { entry: '1.3.6.1.4.1.99999.7.1', columns: { flow: 1 } } },
      sensors: [{ class: 'waterflow', table: 'p7Table', value: 'flow', descr: 'Flow <unknown>' }],
    })
  })

  test('has its own members first, and its own text wins', () => {
    const value = {
      extends: 'pump',
      set: { model: 'P7', branch: 7 },
      about: 'Another',
      tables: { p7Table: { columns: { heat: 2 } } },
      sensors: [{ class: 'temperature' }],
    }
    expect(resolved(value)).toMatchObject({
      about: 'Another',
      tables: { p7Table: { entry: '1.3.6.1.4.1.99999.7.1', columns: { heat: 2, flow: 1 } } },
      sensors: [{ class: 'temperature' }, { class: 'waterflow' }],
    })
  })

  test('has everything from the base of its base, and a number stays a number', () => {
    expect(resolved({ extends: 'hot', set: { model: 'H1', limit: 60 } })).toMatchObject({
      about: 'Pump H1',
      sensors: [
        { class: 'temperature', limits: { high: 60 } },
        { class: 'waterflow', table: 'h1Table' },
      ],
    })
  })

  test('without a base is unchanged', () => {
    const value = { about: 'x <model>' }
    expect(resolved(value)).toBe(value)
  })

  test.each([
    ['an unknown base', { extends: 'nothing' }, 'x.extends'],
    ['a parameter that is missing', { extends: 'pump', set: { model: 'P7' } }, 'x.set'],
    ['a parameter that the base does not have', { extends: 'pump', set: { model: 1, branch: 1, colour: 1 } }, 'x.set'],
    [
      'part of a text that YAML reads as a number',
      { extends: 'pump', set: { model: 'P7', branch: 89.9 } },
      'x.set.branch',
    ],
    ['bases in a cycle', { extends: 'circle' }, 'x.extends'],
  ])('is rejected with %s', (_, value, path) => {
    try {
      resolved(value)
      throw new Error('the definition was accepted')
    } catch (error) {
      expect(error).toBeInstanceOf(DefinitionError)
      expect(error).toMatchObject({ path })
    }
  })
})
