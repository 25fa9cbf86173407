import { ADDRESS_ROWS } from './addresses.ts'
import { ALERT_RULE_ROWS } from './alert-rules.ts'
import { ALERT_ROWS } from './alerts.ts'
import { BILL_GRAPH_ROWS } from './bill-graphs.ts'
import { BILL_ROWS } from './bills.ts'
import { COMPONENT_ROWS } from './components.ts'
import { DEVICE_ROWS } from './devices.ts'
import { GROUP_ROWS } from './groups.ts'
import { HEALTH_ROWS } from './health.ts'
import { LOG_ROWS } from './logs.ts'
import { NEIGHBOUR_ROWS } from './neighbours.ts'
import { OPERATOR_ROWS } from './operator.ts'
import { OPTICS_ROWS } from './optics.ts'
import { OTHER_ROWS } from './others.ts'
import { PORT_GROUP_ROWS } from './port-groups.ts'
import { PORT_ROWS } from './ports.ts'
import { REFUSAL_ROWS } from './refusals.ts'
import { ROUTING_ROWS } from './routing.ts'
import type { Row } from './row.ts'
import { SERVICE_ROWS } from './services.ts'
import { SWITCHING_ROWS } from './switching.ts'

/** Every operation of v0 with every outcome that it declares. */
export const ALL_ROWS: readonly Row[] = [
  ...DEVICE_ROWS,
  ...LOG_ROWS,
  ...ALERT_RULE_ROWS,
  ...ALERT_ROWS,
  ...ADDRESS_ROWS,
  ...HEALTH_ROWS,
  ...GROUP_ROWS,
  ...NEIGHBOUR_ROWS,
  ...PORT_GROUP_ROWS,
  ...PORT_ROWS,
  ...OPTICS_ROWS,
  ...OTHER_ROWS,
  ...OPERATOR_ROWS,
  ...ROUTING_ROWS,
  ...BILL_ROWS,
  ...BILL_GRAPH_ROWS,
  ...COMPONENT_ROWS,
  ...SERVICE_ROWS,
  ...SWITCHING_ROWS,
  ...REFUSAL_ROWS,
]
