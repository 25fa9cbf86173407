/** Numbered notifications that a process sends to itself, to know that it hears those of others. */
export function createHeartbeats(send: (number: string) => Promise<unknown>) {
  /** The last that was sent and stored, and the last that was heard. */
  let sent = 0
  let last = 0
  let sending = false

  return {
    isSending: () => sending,
    isMissing: () => last < sent,
    heard(number: string): void {
      last = Math.max(last, Number(number))
    },
    /** What was sent before is not waited for. */
    restart(): void {
      last = sent
    },
    send(): void {
      const next = sent + 1
      sending = true
      send(String(next))
        .then(
          () => {
            sent = next
          },
          // the database is unavailable or accepts no notifications, which says nothing about the session
          () => undefined,
        )
        .finally(() => {
          sending = false
        })
    },
  }
}
