declare const self: Worker

/** The baseline of bench/api.ts: returns the bytes it was given for a path, and does nothing else. */
self.onmessage = ({ data }: MessageEvent<{ port: number; bodies: ReadonlyMap<string, Uint8Array<ArrayBuffer>> }>) => {
  const headers = { 'content-type': 'application/json' }
  const host = `http://127.0.0.1:${data.port}`.length
  Bun.serve({
    hostname: '127.0.0.1',
    port: data.port,
    fetch: (request) => new Response(data.bodies.get(request.url.slice(host)), { headers }),
  })
}
