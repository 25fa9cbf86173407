import { BeyondBudget } from '../core/base/graphs.ts'
import { turn } from './fairly.ts'
import type { Renderer } from './render.ts'

/** More images than this do not wait: they would be drawn after their requests were given up. */
export const MAX_WAITING = 200

/**
 * Draws one image at a time in the same memory, yielding to the event loop in between so that other requests are
 * served.
 */
export function createImageQueue(mostWaiting: number) {
  let waiting = 0
  let renderer: Promise<Renderer> | null = null
  let tail: Promise<unknown> = Promise.resolve()
  const queue = <T>(work: (renderer: Renderer) => T | Promise<T>): Promise<T> => {
    // not imported at the top: the canvas takes 12 to 16 MB, and many installations never draw
    renderer ??= import('./render.ts').then(({ createRenderer }) => createRenderer())
    // what stood in the way may be gone the next time
    renderer.catch(() => {
      renderer = null
    })
    const ready = renderer
    const before = tail
    if (waiting >= mostWaiting) return Promise.reject(new BeyondBudget(`${mostWaiting} images are waiting to be drawn`))
    waiting++
    const picture = (async () => {
      await before
      waiting--
      return work(await ready)
    })()
    tail = picture.then(turn, turn)
    return picture
  }
  return queue
}
