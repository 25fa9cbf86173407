/** Lets the runs of a device take place one at a time, in the order in which they asked. */
export class DeviceLock {
  private held = false
  private readonly waiting: (() => void)[] = []

  /** Calls `work` when no other run is under way, possibly at once. The next one begins when `work` calls `release`. */
  take(work: (release: () => void) => void): void {
    const begin = (): void => {
      this.held = true
      let released = false
      work(() => {
        // another run may hold the lock by now
        if (released) return
        released = true
        this.held = false
        this.waiting.shift()?.()
      })
    }
    if (this.held) this.waiting.push(begin)
    else begin()
  }
}
