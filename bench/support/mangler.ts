/** Faults of a bad network between poller and agent, as probabilities. */
export interface Mangling {
  /** Share of datagrams lost in each direction. */
  readonly loss: number
  /** Share of responses that are truncated. */
  readonly truncate: number
  /** Share of responses with changed octets. */
  readonly garble: number
  /** Share of responses that are duplicated. */
  readonly duplicate: number
}

/** Relays on loopback addresses, each in front of the same agent port. */
export interface Mangler {
  readonly port: number
  /** null: no faults. */
  set(mangling: Mangling | null): void
  readonly mangled: number
  close(): void
}

type Relay = { readonly front: Bun.udp.Socket<'uint8array'>; readonly back: Bun.udp.ConnectedSocket<'uint8array'> }

/** Relays from `addresses` (with the same port on all) to the agent; responses go to the last sender. */
export async function startMangler(
  addresses: readonly string[],
  agent: { readonly address: string; readonly port: number },
  port: number,
): Promise<Mangler> {
  let mangling: Mangling | null = null
  let mangled = 0
  const hit = (share: number | undefined): boolean => share !== undefined && Math.random() < share && ++mangled > 0

  function worse(answer: Uint8Array): Uint8Array {
    let out = answer
    if (hit(mangling?.truncate)) out = out.slice(0, Math.floor(Math.random() * out.length))
    if (hit(mangling?.garble)) {
      out = out.slice()
      for (let i = 0; i < 3; i++) out[Math.floor(Math.random() * out.length)] = Math.floor(Math.random() * 256)
    }
    return out
  }

  const relays: Relay[] = []
  for (const address of addresses) {
    let client = { port: 0, address: '' }
    const back = await Bun.udpSocket({
      connect: { hostname: agent.address, port: agent.port },
      binaryType: 'uint8array',
      socket: {
        data(_socket, data) {
          if (hit(mangling?.loss) || client.port === 0) return
          const answer = worse(data)
          front.send(answer, client.port, client.address)
          if (hit(mangling?.duplicate)) front.send(answer, client.port, client.address)
        },
        error: () => undefined,
      },
    })
    const front: Bun.udp.Socket<'uint8array'> = await Bun.udpSocket({
      hostname: address,
      port,
      binaryType: 'uint8array',
      socket: {
        data(_socket, data, fromPort, fromAddress) {
          client = { port: fromPort, address: fromAddress }
          if (!hit(mangling?.loss)) back.send(data)
        },
        error: () => undefined,
      },
    })
    relays.push({ front, back })
  }
  return {
    port,
    set(next) {
      mangling = next
    },
    get mangled() {
      return mangled
    },
    close() {
      for (const { front, back } of relays) {
        front.close()
        back.close()
      }
    },
  }
}
