import type { Log } from '../observe/log.ts'

/** What was started, to be stopped in the opposite order. */
export class Stack {
  private readonly items: { readonly name: string; readonly stop: () => unknown }[] = []
  private unwinding: Promise<void> | null = null

  constructor(private readonly log: Log) {}

  push(name: string, stop: () => unknown): void {
    this.items.push({ name, stop })
  }

  /** Stops everything, each part after those that were started later; a part that fails is logged and does not keep the others up. */
  unwind(): Promise<void> {
    this.unwinding ??= this.stopAll()
    return this.unwinding
  }

  private async stopAll(): Promise<void> {
    for (let item = this.items.pop(); item !== undefined; item = this.items.pop()) {
      const began = performance.now()
      try {
        await item.stop()
      } catch (error) {
        this.log.error({ err: error, part: item.name }, 'could not be stopped')
      }
      this.log.debug({ part: item.name, tookMs: Math.round(performance.now() - began) }, 'stopped')
    }
  }
}
