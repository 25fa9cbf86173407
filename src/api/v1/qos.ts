import { Elysia, t } from '../elysia.ts'
import { Value } from '../nullable.ts'
import { bearerPlugin } from '../token.ts'
import { FoundQueryOf, type FoundResource, foundAnswers, listOf } from './found.ts'
import { described, REFUSALS } from './model.ts'

const Classes = listOf(
  {
    circuit: t.String({ description: 'What the policy is attached to, such as VLAN 20; empty: the port' }),
    direction: t.String({ description: 'input, output; empty: not reported' }),
    policy: t.String(),
    class: t.String({ description: 'With the classes that it is nested in: shape-all / voice' }),
    offered_bits_per_second: Value,
    sent_bits_per_second: Value,
    dropped_bits_per_second: Value,
    dropped_packets_per_second: Value,
  },
  'QosClass',
)

const CLASSES: FoundResource<'qos'> = {
  kind: 'qos',
  operation: 'v1_qos_classes',
  type: 'qos-classes',
  gate: 'Port.viewAny',
  attributes: (row) => ({
    circuit: row.circuit,
    direction: row.direction,
    policy: row.policy,
    class: row.class,
    offered_bits_per_second: row.offered,
    sent_bits_per_second: row.sent,
    dropped_bits_per_second: row.dropped_bits,
    dropped_packets_per_second: row.dropped,
  }),
}

/** Classes of QoS policies. */
export const qosRoutes = (services: Parameters<typeof foundAnswers>[0]) => {
  const answer = foundAnswers(services)
  return new Elysia({ name: 'v1.qos' }).use(bearerPlugin()).get('/qos-classes', (asked) => answer(CLASSES, asked), {
    query: FoundQueryOf,
    response: { 200: Classes, ...REFUSALS },
    detail: described(
      CLASSES.operation,
      'Classes of QoS policies on interfaces, with what they send and drop',
      CLASSES.gate,
    ),
  })
}
