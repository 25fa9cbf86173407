import { expect, test } from 'bun:test'
import { portDescription } from '../../src/modules/ports/description.ts'

/** Type, descr, circuit, speed, notes. */
test.each([
  ['Cust: Example Ltd {C-1042} [100M] (second floor)', 'cust', 'Example Ltd', 'C-1042', '100M', 'second floor'],
  ['Transit: Carrier', 'transit', 'Carrier', null, null, null],
  ['Core: pop2 { } [] ( )', 'core', 'pop2', null, null, null],
  ['Peering: IX [10G] {AB/12}', 'peering', 'IX', 'AB/12', '10G', null],
  ['uplink (to the roof)', 'uplink', 'to the roof', null, null, 'to the roof'],
  ['uplink to the roof', null, null, null, null, null],
  [': nameless', null, null, null, null, null],
  ['Cust:', null, null, null, null, null],
  ['', null, null, null, null, null],
  ['Cust: half (open', 'cust', 'half', null, null, null],
])('%s', (alias, type, descr, circuit, speed, notes) => {
  expect(portDescription(alias)).toEqual({
    port_descr_type: type,
    port_descr_descr: descr,
    port_descr_circuit: circuit,
    port_descr_speed: speed,
    port_descr_notes: notes,
  })
})
