import type { Instance } from '../src/demo/instance.ts'

const SYSTEM = '1.3.6.1.2.1.1'
const IF = '1.3.6.1.2.1.2.2.1'
const IFX = '1.3.6.1.2.1.31.1.1.1'
const UP_S = 40 * 86_400

/** An agent with Ethernet ports `eth0`, `eth1`, ..., whose octets received, and sent, are given by a function. */
export function countingAgent(ports: number, octets: (port: number) => number): readonly Instance[] {
  const bootMs = Date.now() - UP_S * 1000
  const scalar = (id: number, type: Instance['type'], value: Instance['value']): Instance => ({
    object: `${SYSTEM}.${id}`,
    index: '0',
    type,
    value,
  })
  const port = (p: number): Instance[] => {
    const cell = (column: string, type: Instance['type'], value: Instance['value']): Instance => ({
      object: column,
      index: String(p + 1),
      type,
      value,
    })
    const counted = () => BigInt(octets(p))
    return [
      cell(`${IF}.1`, 'Integer32', p + 1),
      cell(`${IF}.2`, 'Text', `eth${p}`),
      cell(`${IF}.3`, 'Integer32', 6),
      cell(`${IF}.5`, 'Gauge32', 1e9),
      cell(`${IF}.7`, 'Integer32', 1),
      cell(`${IF}.8`, 'Integer32', 1),
      cell(`${IF}.10`, 'Counter32', () => counted() % 2n ** 32n),
      cell(`${IF}.16`, 'Counter32', () => counted() % 2n ** 32n),
      cell(`${IFX}.1`, 'Text', `eth${p}`),
      cell(`${IFX}.6`, 'Counter64', counted),
      cell(`${IFX}.10`, 'Counter64', counted),
      cell(`${IFX}.15`, 'Gauge32', 10_000),
      cell(`${IFX}.18`, 'Text', `uplink ${p}`),
    ]
  }
  return [
    scalar(1, 'Text', 'Linux router-42 6.1.0'),
    scalar(2, 'Oid', '1.3.6.1.4.1.8072.3.2.10'),
    scalar(3, 'TimeTicks', () => Math.floor((Date.now() - bootMs) / 10) % 2 ** 32),
    scalar(5, 'Text', 'router-42'),
    ...Array.from({ length: ports }, (_, p) => port(p)).flat(),
  ]
}
