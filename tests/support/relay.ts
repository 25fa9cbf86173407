/** A UDP relay in front of an agent, which can lose datagrams. */
export interface Relay {
  readonly address: string
  readonly port: number
  /** From now on requests and responses for which this is true are lost. */
  drop(lost: (datagram: Buffer) => boolean): void
  /** How many were lost. */
  readonly dropped: number
  stop(): void
}

/** Starts a relay on loopback for one client. */
export async function openRelay(agent: { readonly address: string; readonly port: number }): Promise<Relay> {
  let drops: (datagram: Buffer) => boolean = () => false
  let dropped = 0
  const lost = (datagram: Buffer) => {
    if (!drops(datagram)) return false
    dropped++
    return true
  }
  let client: { readonly address: string; readonly port: number } | null = null
  const inner = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data(_socket, datagram) {
        if (client !== null && !lost(datagram)) outer.send(datagram, client.port, client.address)
      },
    },
  })
  const outer = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data(_socket, datagram, port, address) {
        client = { address, port }
        if (!lost(datagram)) inner.send(datagram, agent.port, agent.address)
      },
    },
  })
  return {
    address: '127.0.0.1',
    port: outer.port,
    get dropped() {
      return dropped
    },
    drop(now) {
      drops = now
    },
    stop() {
      inner.close()
      outer.close()
    },
  }
}
