declare const self: Worker

/** A baseline that only returns the given bytes for each path; it sends a message once it listens. */
self.onmessage = ({ data }: MessageEvent<{ port: number; bodies: ReadonlyMap<string, Uint8Array<ArrayBuffer>> }>) => {
  const headers = { 'content-type': 'application/json' }
  const host = `http://127.0.0.1:${data.port}`.length
  Bun.serve({
    hostname: '127.0.0.1',
    port: data.port,
    fetch: (request) => new Response(data.bodies.get(request.url.slice(host)), { headers }),
  })
  self.postMessage('listening')
}
