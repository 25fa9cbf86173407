import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

test('the rules of a group may not look at time', async () => {
  const condition = { field: 'sensors.sensor_current', operator: 'greater', value: '1' }
  const create = async (name: string, data: object) => {
    const rules = JSON.stringify({ condition: 'AND', rules: [{ ...condition, data }] })
    const body = { name, type: 'dynamic', rules }
    const { token } = await api.token(['admin'])
    return (await api.call('POST', '/api/v0/devicegroups', { token, body })).status
  }
  expect(await create('plain', {})).toBe(201)
  expect(await create('timed', { over: { kind: 'average', of: '1h' } })).toBeGreaterThanOrEqual(400)
})
