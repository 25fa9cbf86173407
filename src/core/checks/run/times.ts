import { durationsOf } from '../../../observe/figures.ts'
import { BUILTIN_TYPES } from '../builtin.ts'

const BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30]

/** How long checks took, by type and by whether a plugin ran. Types that only plugins check count as `other`. */
export function createCheckTimes() {
  const histogram = durationsOf('portlight_check_seconds', BOUNDS)
  const known = new Set(BUILTIN_TYPES)
  return {
    observe(type: string, by: 'builtin' | 'plugin' | 'refused', tookMs: number): void {
      histogram.observe(tookMs / 1000, known.has(type) ? type : 'other', by)
    },
    metrics: () => histogram.metrics(),
  }
}
