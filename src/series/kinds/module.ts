import { gauge, line, type SampleKind } from '../kind.ts'

/** How long a module took in a poll of a device; src/poller/module-times.ts says how it is measured. */
export const module_time: SampleKind = {
  name: 'module_time',
  about: 'time that a module took in a poll of a device',
  key: 'module_id',
  chunk: '7 days',
  retention: 'polls',
  columns: [gauge('took_ms', 'real', 'ms')],
  subject: { table: 'device_modules', id: 'module_id', name: 'module', where: 'rows > 0' },
  view: { name: 'module_times', with: ['module'] },
  lines: [line('took_ms')],
  graphs: [{ name: 'poller_modules_perf', label: 'Poller Modules Performance', unit: 'ms', axis: 'zero', stack: true }],
  current: null,
  poll: null,
  observed: {
    needs: [['module', 'as it is']],
    keyOf: ({ module }) => String(module),
    read: (_observations, times) => new Map([...times].map(([module, ms]) => [module, [ms]])),
  },
}
