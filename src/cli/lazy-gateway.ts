import type { CommandGateway } from './app.ts'

/**
 * A gateway that is opened on first use, because most commands need none and opening one creates sockets. `close` waits
 * for pending refreshes and rejects if opening the gateway failed.
 */
export function lazyGateway(open: () => Promise<CommandGateway>): CommandGateway {
  let opened: Promise<CommandGateway> | null = null
  const gateway = () => {
    opened ??= open()
    return opened
  }
  return {
    resolve: async (hostname, family) => await (await gateway()).resolve(hostname, family),
    ping: async (address) => await (await gateway()).ping(address),
    probe: async (target) => await (await gateway()).probe(target),
    contact: async (deviceId) => await (await gateway()).contact(deviceId),
    discover: async (deviceId) => await (await gateway()).discover(deviceId),
    poll: async (deviceId) => await (await gateway()).poll(deviceId),
    refresh(deviceId) {
      opened = gateway().then((real) => {
        real.refresh(deviceId)
        return real
      })
      // Reported by close(), which every command awaits.
      opened.catch(() => {})
    },
    async close() {
      if (opened !== null) await (await opened).close()
    },
  }
}
