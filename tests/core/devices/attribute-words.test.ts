import { expect, test } from 'bun:test'
import { attributeWords } from '../../../src/core/devices/attribute-words.ts'

test.each([
  ['poll_ports', 'false', 'polling of ports off'],
  ['discover_bgp-peers', '1', 'discovery of bgp-peers on'],
  ['override_icmp_disable', 'true', 'ping off'],
  ['override_icmp_disable', '0', 'ping on'],
  ['override_sysContact_bool', 'TRUE', 'contact of its own on'],
  ['override_sysContact_string', 'noc@example.net', 'contact: noc@example.net'],
  ['override_device_ssh_port', '2222', 'SSH port: 2222'],
  ['ifSpeed:Gi0/1', '1', 'speed of Gi0/1 set by hand'],
  ['ifName:ge-0/0/1', '1', 'description of ge-0/0/1 set by hand'],
  ['port_id_notes:7', 'to rack 5', 'notes of port 7'],
  ['some_other_program', 'x_y', 'some other program: x_y'],
  ['', '', ': '],
])('%s = %s: %s', (name, value, words) => {
  expect(attributeWords({ name, value })).toBe(words)
})
