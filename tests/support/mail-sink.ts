import { SMTPServer } from 'smtp-server'

/** A received mail. */
export interface ReceivedMail {
  /** Message-ID, which contains the idempotency key. */
  readonly key: string
  /** X-Portlight-Kind. */
  readonly kind: string
  readonly subject: string
  /** As sent. */
  readonly raw: string
}

/** A real SMTP server on loopback that records what it is sent. */
export interface MailSink {
  readonly port: number
  readonly received: ReceivedMail[]
  /** Kinds of mails in order, each key once. */
  kinds(): string[]
  stop(): Promise<void>
}

export async function startMailSink(): Promise<MailSink> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: true,
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(raw)?.[1] ?? ''
        received.push({
          key: header('Message-ID'),
          kind: header('X-Portlight-Kind'),
          subject: header('Subject'),
          raw,
        })
        done()
      })
    },
  })
  // a sender that is killed resets its connection
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received,
    kinds: () => [...new Map(received.map(({ key, kind }) => [key, kind])).values()],
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
