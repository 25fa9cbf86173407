declare const self: Worker

/** The baseline of bench/api.ts: returns the bytes it was given, and does nothing else. */
self.onmessage = ({ data }: MessageEvent<{ port: number; bytes: { list: Uint8Array; ping: Uint8Array } }>) => {
  const headers = { 'content-type': 'application/json' }
  Bun.serve({
    hostname: '127.0.0.1',
    port: data.port,
    fetch: (request) =>
      new Response((request.url.endsWith('/list') ? data.bytes.list : data.bytes.ping) as Uint8Array<ArrayBuffer>, {
        headers,
      }),
  })
}
