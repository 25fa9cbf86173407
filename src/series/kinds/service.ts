import { gauge, line, type SampleKind } from '../kind.ts'

/** One data set measured by a service's check, in the unit that the check reports. */
export const service: SampleKind = {
  name: 'service',
  about: "data set of a service's check",
  key: 'service_dataset_id',
  chunk: '7 days',
  retention: 'health',
  columns: [gauge('value', 'float8', '')],
  subject: { table: 'service_datasets', id: 'service_dataset_id', name: null },
  view: null,
  ownView: 'service_values',
  lines: [line('value', 'value')],
  current: null,
  poll: null,
}
