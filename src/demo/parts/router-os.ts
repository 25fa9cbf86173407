import { wave } from '../gauge.ts'
import type { Seeds } from '../seeds.ts'
import type { Instance } from '../table.ts'
import { range } from './edge-ports.ts'
import { hostTables } from './host.ts'

/** Memory, disk and cores as reported by RouterOS. */
export function routerOsHost(own: Seeds, memory: number, cores: number): Instance[] {
  return hostTables({
    memoryOctets: memory,
    storage: [
      {
        index: 65_536,
        type: 'ram',
        descr: 'main memory',
        unit: 1024,
        sizeOctets: memory,
        usedOctets: wave(own('ram'), { mean: memory * 0.24, noise: memory * 0.03, noiseS: 1800 }),
      },
      {
        index: 131_072,
        type: 'fixedDisk',
        descr: 'system disk',
        unit: 1024,
        sizeOctets: 2 ** 30,
        usedOctets: () => 2 ** 30 * 0.19,
      },
    ],
    processors: range(1, cores).map((n) => ({
      index: n,
      descr: '',
      load: wave(own(`cpu ${n}`), { mean: 9, day: 4, noise: 8, min: 0, max: 100 }),
    })),
  })
}
