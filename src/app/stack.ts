import type { Log } from '../observe/log.ts'

/** Started components, stopped in reverse order. */
export class Stack {
  private readonly items: { readonly name: string; readonly stop: () => unknown }[] = []
  private unwinding: Promise<void> | null = null

  constructor(private readonly log: Log) {}

  push(name: string, stop: () => unknown): void {
    this.items.push({ name, stop })
  }

  /** The same for a component that is stopped by its method `stop`. Returns the component. */
  add<Part extends { stop(): unknown }>(name: string, part: Part): Part {
    this.push(name, () => part.stop())
    return part
  }

  /** Stops everything in reverse order. A component that fails to stop is logged, and the others are still stopped. */
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

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}
