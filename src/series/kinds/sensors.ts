import { sensorPoll } from '../../modules/sensors/poll.ts'
import { wirelessPoll } from '../../modules/wireless/poll.ts'
import { gauge, gaugePoll, line, type RowColumns, type SampleKind } from '../kind.ts'

const common = {
  key: 'sensor_id',
  chunk: '7 days',
  retention: 'health',
  columns: [gauge('value', 'float8', '')],
  lines: [line('value')],
  current: 'limits',
} as const
const subject = {
  id: 'sensor_id',
  name: "coalesce(sensor_descr, sensor_index, '')",
  where: 'sensor_deleted = 0',
  class: 'sensor_class',
} as const
const WITH = ['sensor_class', 'sensor_descr'] as const

/** Sensors, in the unit of their class. */
export const sensor: SampleKind = {
  ...common,
  name: 'sensor',
  about: 'value of a sensor in the unit of its class',
  subject: { ...subject, table: 'sensors' },
  view: { name: 'sensor_values', with: WITH },
  poll: gaugePoll(sensorPoll, (value) => [value], {
    needs: [
      ['sensor_class', 'as it is'],
      ['sensor_oid', 'oid'],
      ['sensor_type', 'as it is'],
      ['sensor_divisor', 'as it is'],
      ['sensor_multiplier', 'as it is'],
      ['user_func', 'reading'],
    ],
    where: "poller_type = 'snmp'",
    module: sensorModule,
  }),
}

/** Wireless sensors, in the unit of their class. */
export const wireless: SampleKind = {
  ...common,
  name: 'wireless',
  about: 'value of a wireless sensor in the unit of its class',
  subject: { ...subject, table: 'wireless_sensors' },
  view: { name: 'wireless_values', with: WITH },
  poll: gaugePoll(wirelessPoll, (value) => [value], {
    needs: [
      ['sensor_class', 'as it is'],
      ['sensor_oids', 'as it is'],
      ['sensor_aggregator', 'as it is'],
      ['sensor_divisor', 'as it is'],
      ['sensor_multiplier', 'as it is'],
    ],
    module: () => 'defined-health',
  }),
}

/** The module that found a sensor. */
function sensorModule({ sensor_type: type }: RowColumns): string {
  if (type === 'entity-sensor') return 'entity-sensors'
  return type === 'lmsensors' ? 'lm-sensors' : 'defined-health'
}
