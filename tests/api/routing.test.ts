import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { serveApi } from '../../src/api/serve.ts'
import { portPath, searchText } from '../../src/api/v0/ports/port-path.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'
import { member, message } from './tables/row.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const UNKNOWN = { status: 'error', message: "This API route doesn't exist." }

describe('paths', () => {
  test.each(['/api/v0/ping/', '/api/v0//ping', '//api///v0/ping//', '/api/v0/ping?'])('%s is ping', async (path) => {
    expect((await api.call('GET', path)).json).toEqual({ message: 'pong' })
  })

  test.each(['/api/v0/nonsense', '/api/v0/devices/x/y/z', '/api/v0/devices/1/ports/1/2/3/4/5x/../../../../..'])(
    '%s is no route',
    async (path) => {
      expect(await api.call('GET', path)).toMatchObject({ status: 404 })
    },
  )

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s on ping matches no route: 404, never 405',
    async (method) => {
      const answer = await api.call(method, '/api/v0/ping')
      expect({ status: answer.status, json: answer.json }).toEqual({ status: 404, json: UNKNOWN })
    },
  )

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'])(
    '%s of an unknown path is the 404 of v0, with and without a slash at the end',
    async (method) => {
      for (const path of ['/api/v0/nonsense', '/api/v0/nonsense/', '/api/v0/a/b/c/d/e/f/g/h']) {
        const answer = await api.call(method, path)
        expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 })
        if (method !== 'HEAD') expect(answer.json).toEqual(UNKNOWN)
        const nobody = await api.call(method, path, { token: null })
        expect({ status: nobody.status, text: method === 'HEAD' ? '' : nobody.text }).toEqual({
          status: 401,
          text: method === 'HEAD' ? '' : '{"message":"Unauthenticated."}',
        })
      }
    },
  )

  test('fixed path segments are not mistaken for hostnames, ports, alerts or groups', async () => {
    const { hostname, portIds } = await seed(api)
    const texts = async (path: string) => message(await api.call('GET', `/api/v0${path}`))
    // in this route `search` and `mac` are port names
    expect(await texts('/ports/search/ip')).toBe('Port search does not have any IP addresses')
    expect(await texts('/ports/mac/ip')).toBe('Port mac does not have any IP addresses')
    expect(await texts('/ports/search/transceiver')).toBe('Port search does not exist')
    expect(await texts('/ports/mac/transceiver')).toBe('Port mac does not exist')
    expect(await texts('/ports/search/fdb')).toBe('Port search does not have any MAC addresses in fdb')
    // a single segment after a hostname is a graph, unless it is an operation
    expect(await texts(`/devices/${hostname}/device_nonsense`)).toBe('device_nonsense template missing')
    for (const word of ['ports', 'ip', 'health', 'wireless', 'vlans', 'components', 'graphs', 'outages']) {
      expect((await api.call('GET', `/api/v0/devices/${hostname}/${word}`)).text).not.toMatch(
        /template missing|No Data/,
      )
    }
    // two segments after `ports` are a name and a graph; a slash in the name must be encoded
    const byName = await api.call('GET', `/api/v0/devices/${hostname}/ports/Gi0%2F1`)
    expect(member(byName, 'port')).toMatchObject({ port_id: portIds[0] })
    expect((await api.call('GET', `/api/v0/devices/${hostname}/ports/Gi0%2F1/`)).json).toEqual(byName.json)
    expect(await texts(`/devices/${hostname}/ports/Gi0/1`)).toBe('Port Gi0 does not exist')
    expect(await texts(`/devices/${hostname}/ports/Gi0%2F1/port_bits`)).toBe('No Data file port_bits')
    const searched = await api.call('GET', '/api/v0/ports/search/ifName/Gi0/1')
    expect(member(searched, 'ports')).toContainEqual(expect.objectContaining({ port_id: portIds[0] }))
    expect((await api.call('GET', '/api/v0/ports/search/ifName/Gi0%2F1')).json).toEqual(searched.json)
  })

  test('the bare prefix is not the API', async () => {
    expect((await api.call('GET', '/api/v0x')).json).toEqual({ message: 'Not Found' })
    expect((await api.call('GET', '/')).status).toBe(404)
  })

  test('HEAD works where GET does, with the length and without the body', async () => {
    const { hostname } = await seed(api)
    for (const path of ['/api/v0/ping', `/api/v0/devices/${hostname}`, '/api/v0/devices']) {
      const [head, get] = [await api.call('HEAD', path), await api.call('GET', path)]
      expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
    }
  })

  test.each([
    '/api/v0/devices/%zz',
    '/api/v0/devices/%ff',
    '/api/v0/devices/a%00b',
    '/api/v0/devices?query=%00&type=os',
    '/api/v0/devices?query=%ff',
  ])('%s is malformed', async (path) => {
    expect((await api.call('GET', path)).status).toBe(400)
  })

  test('a lone percent sign in a query is literal', async () => {
    expect((await api.call('GET', '/api/v0/devices?type=hostname&query=100%')).status).toBe(200)
  })

  test.each([
    ['Gi0%2F1', { ifname: 'Gi0/1', type: null }],
    ['Gi0%2F1/port_bits', { ifname: 'Gi0/1', type: 'port_bits' }],
    ['Gi0/1/port_bits', { ifname: 'Gi0', type: '1' }],
    ['a+b', { ifname: 'a+b', type: null }],
    ['a+b%2F1', { ifname: 'a b/1', type: null }],
    ['a%2Bb/port_bits', { ifname: 'a+b', type: 'port_bits' }],
    ['%E4%BA%AC', { ifname: '京', type: null }],
  ])('ports/%s', (rest, want) => {
    expect(portPath(`http://h/api/v0/devices/sw1/ports/${rest}?x=1`)).toEqual(want)
  })

  test('the text of a search is the rest of the path', () => {
    expect(searchText('http://h/api/v0/ports/search/ifName/Gi0/1%2F2?columns=x')).toBe('Gi0/1/2')
  })
})

describe('queries', () => {
  test('are trimmed, and an empty value counts as absent', async () => {
    const { hostname } = await seed(api)
    const names = member(
      await api.call('GET', `/api/v0/devices/${hostname}/ports?columns=%20ifIndex%20&with=`),
      'ports',
    )
    expect(names).toEqual([{ ifIndex: 1 }, { ifIndex: 2 }])
    const answer = await api.call('GET', `/api/v0/devices/${hostname}/ports?columns=`)
    expect(member(answer, 'ports')).toEqual([{ ifName: 'Gi0/1' }, { ifName: 'Gi0/2' }])
  })

  test('hostile text is treated as text', async () => {
    for (const text of ["' or 1=1 --", '%', '_', '\\', '"', '$1', '🚀', 'a'.repeat(3000)]) {
      const answer = await api.call('GET', `/api/v0/devices?type=hostname&query=${encodeURIComponent(text)}`)
      expect({ text, status: answer.status, count: member(answer, 'count') }).toEqual({ text, status: 200, count: 0 })
    }
  })
})

describe('bodies', () => {
  test.each([undefined, 'application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])(
    'are JSON whatever the content type says (%p)',
    async (type) => {
      const { deviceId } = await seed(api)
      const answer = await api.call('PATCH', `/api/v0/devices/${deviceId}`, {
        body: { field: 'notes', data: 'x' },
        ...(type !== undefined && { headers: { 'content-type': type } }),
      })
      expect(answer.status).toBe(200)
    },
  )

  test('of a DELETE are harmless', async () => {
    const { deviceId } = await seed(api)
    expect((await api.call('DELETE', `/api/v0/devices/${deviceId}`, { body: [] })).status).toBe(200)
  })

  test('larger than api.max_body are rejected with JSON', async () => {
    const answer = await api.call('POST', '/api/v0/devices', { body: 'x'.repeat(4_194_305) })
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 413,
      json: { status: 'error', message: 'Request body is too large' },
    })
  })

  test('with NUL are malformed; an escaped backslash before u0000 is not', async () => {
    const { deviceId } = await seed(api)
    const patch = (data: string) => api.call('PATCH', `/api/v0/devices/${deviceId}`, { body: { field: 'notes', data } })
    expect((await patch('a\0b')).status).toBe(400)
    expect((await patch('a\\u0000b')).status).toBe(200)
  })

  test.each(['{', '[]', 'null', '"text"', '42', '{"field":{}}', '{"field":[],"data":[]}'])(
    '%s changes nothing and is a 400',
    async (body) => {
      const { deviceId } = await seed(api)
      const answer = await api.call('PATCH', `/api/v0/devices/${deviceId}`, { body })
      expect({ status: answer.status, message: message(answer) }).toEqual({
        status: 400,
        message: 'Device field to patch has not been supplied',
      })
    },
  )
})

describe('over a socket', () => {
  /** One request as raw text; the whole answer as text. */
  function raw(port: number, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1')
      })
      socket.on('end', () => resolve(answer))
      socket.on('error', reject)
    })
  }

  test('header names and the media type are spelled as clients compare them', async () => {
    const server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
    try {
      const { token } = await api.token(['admin'])
      const head = `Host: x\r\nX-Auth-Token: ${token}\r\nConnection: close\r\n`
      const answer = await raw(server.port ?? 0, `GET /api/v0/ping HTTP/1.1\r\n${head}\r\n`)
      expect(answer.split('\r\n')).toContain('Content-Type: application/json')
      expect(answer).toStartWith('HTTP/1.1 200 ')
    } finally {
      await server.stop()
    }
  })

  test('a body far above the limit is rejected with JSON, however its length is given', async () => {
    const server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
    try {
      const { token } = await api.token(['admin'])
      const octets = new Uint8Array(6_000_000).fill(0x31)
      const chunked = new ReadableStream({
        start(controller) {
          controller.enqueue(octets)
          controller.close()
        },
      })
      for (const body of [octets, chunked]) {
        const answer = await fetch(`http://127.0.0.1:${server.port}/api/v0/devices`, {
          method: 'POST',
          headers: { 'X-Auth-Token': token },
          body,
          signal: AbortSignal.timeout(20_000),
        })
        expect({ status: answer.status, json: await answer.json() }).toEqual({
          status: 413,
          json: { status: 'error', message: 'Request body is too large' },
        })
      }
    } finally {
      await server.stop()
    }
  })

  test('a Host of three letters or less works', async () => {
    const server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
    try {
      const { token } = await api.token(['admin'])
      const head = `Host: nms\r\nX-Auth-Token: ${token}\r\nConnection: close\r\n`
      expect(await raw(server.port ?? 0, `GET /api/v0 HTTP/1.1\r\n${head}\r\n`)).toContain(
        '"ping":"http://nms/api/v0/ping"',
      )
    } finally {
      await server.stop()
    }
  })

  test('a list longer than one chunk is complete with the right count', async () => {
    const { deviceId } = await seed(api)
    await api.store.sql`
      insert into ports (device_id, "ifIndex", "ifName") select ${deviceId}, 100 + i, 'long' || i from generate_series(1, 6500) i`
    const server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
    try {
      const { token } = await api.token(['admin'])
      for (const columns of ['port_id,ifIndex', 'ifIndex,ifInOctets_rate']) {
        const url = `http://127.0.0.1:${server.port}/api/v0/ports/search/ifName/LONG?columns=${columns}`
        const answer = await fetch(url, { headers: { 'X-Auth-Token': token } })
        const list = (await answer.json()) as { ports: { ifIndex: number }[]; count: number }
        expect(list.count).toBe(6500)
        expect(new Set(list.ports.map((p) => p.ifIndex)).size).toBe(6500)
        expect(list.ports.at(-1)?.ifIndex).toBe(1099) // long999
      }
    } finally {
      await server.stop()
    }
  })
})

describe('the route index', () => {
  const origin = async (headers: Record<string, string>) =>
    new URL(String(member(await api.call('GET', '/api/v0', { headers }), 'ping'))).origin

  test('believes forwarded headers of trusted proxies only', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'nms.example.net:8443' }
    expect(await origin(headers)).toBe('http://localhost')
    const trusting = await testApi({ 'api.trusted_proxies': '127.0.0.1' })
    try {
      const answer = await trusting.call('GET', '/api/v0', { headers })
      expect(member(answer, 'ping')).toBe('https://nms.example.net:8443/api/v0/ping')
      const hostile = await trusting.call('GET', '/api/v0', { headers: { 'X-Forwarded-Host': 'evil/"<x>' } })
      expect(member(hostile, 'ping')).toBe('http://localhost/api/v0/ping')
    } finally {
      await trusting.drop()
    }
  })
})

describe('CORS', () => {
  const headers = { Origin: 'https://ui.example.net' }

  test('is off by default', async () => {
    expect((await api.call('GET', '/api/v0/ping', { headers })).headers.get('access-control-allow-origin')).toBeNull()
    expect((await api.call('OPTIONS', '/api/v0/ping', { headers })).status).toBe(404)
  })

  test('answers preflight requests without a token and adds headers to responses', async () => {
    api.settings.applyStored(
      new Map<string, unknown>([
        ['api.cors.enabled', true],
        ['api.cors.origin', [headers.Origin]],
        ['api.cors.maxage', 60],
        ['api.cors.exposeheaders', ['X-One', 'X-Two']],
        ['api.cors.allowcredentials', true],
      ]),
    )
    try {
      const preflight = await api.call('OPTIONS', '/api/v0/ping', { headers, token: null })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Auth-Token')
      expect(preflight.headers.get('access-control-allow-methods')).toBe('POST, GET, PUT, DELETE, PATCH')
      expect(preflight.headers.get('access-control-max-age')).toBe('60')
      const answer = await api.call('GET', '/api/v0/ping', { headers })
      expect(answer.headers.get('access-control-allow-origin')).toBe(headers.Origin)
      expect(answer.headers.get('access-control-expose-headers')).toBe('X-One, X-Two')
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
      const other = await api.call('GET', '/api/v0/ping', { headers: { Origin: 'https://evil.example.net' } })
      expect(other.headers.get('access-control-allow-origin')).toBeNull()
      const refused = await api.call('GET', '/api/v0/devices', { headers, token: null })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, headers.Origin])
      const foreign = { Origin: 'https://evil.example.net' }
      expect((await api.call('OPTIONS', '/api/v0/ping', { headers: foreign, token: null })).status).toBe(401)
    } finally {
      api.settings.applyStored(new Map())
    }
  })
})
