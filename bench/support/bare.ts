/** Starts a server in its own thread that only returns these bytes for these paths. */
export async function startBare(bodies: ReadonlyMap<string, Uint8Array>): Promise<{ url: string; stop(): void }> {
  const worker = new Worker(new URL('./bare-server.ts', import.meta.url).href)
  const port = 20_000 + (process.pid % 20_000)
  const listening = new Promise<void>((resolve, reject) => {
    worker.onmessage = () => resolve()
    worker.onerror = ({ message }) => reject(new Error(message))
  })
  worker.postMessage({ port, bodies })
  await listening
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() }
}
