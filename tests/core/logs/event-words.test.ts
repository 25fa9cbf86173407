import { describe, expect, test } from 'bun:test'
import { changed } from '../../../src/core/discovery/events.ts'
import { COLUMN_WORDS, eventWords, KIND_WORDS, storedPatterns } from '../../../src/core/logs/event-words.ts'
import { PORT } from '../../../src/modules/ports/observation.ts'
import { SYSTEM } from '../../../src/modules/system/observation.ts'

test.each([
  ['ifOperStatus: up -> down', 'Link down (was up)'],
  ['ifOperStatus:  -> lowerLayerDown', 'Link lower layer down (was unknown)'],
  ['ifAdminStatus: up -> down', 'Administratively down (was up)'],
  ['ifSpeed: 1000000000 -> 100000000', 'Speed: 100 Mbit/s (was 1 Gbit/s)'],
  ['ifPhysAddress: 4c14a3010203 -> 4c14a3010204', 'MAC address: 4c:14:a3:01:02:04 (was 4c:14:a3:01:02:03)'],
  ['ifDuplex: fullDuplex -> halfDuplex', 'Duplex: half (was full)'],
  ['ifAlias: to core -> to edge: new', 'Description: to edge: new (was to core)'],
  ['version: 15.2 -> 15.3', 'Version: 15.3 (was 15.2)'],
  ['Hostname changed -> core-2', 'Renamed to core-2'],
  ['Spanning tree 0 root bridge: 1 00:aa -> 2 00:bb', 'Spanning tree 0 root bridge: 2 00:bb (was 1 00:aa)'],
  [
    'BGP session 192.0.2.1 (AS64500) established -> idle: Cease',
    'BGP session 192.0.2.1 (AS64500) is idle (was established): Cease',
  ],
  ['Port security: secure -> shutdown', 'Port security: shutdown (was secure)'],
  ['Device status changed to Down from snmp check.', 'Device is down: it does not answer SNMP'],
  ['Device status changed to Up from icmp check.', 'Device is up: it answers ping again'],
  ['Device status changed to Up from first check.', 'Device is up'],
  ['Discovered 1 ports, 3 ipv4, 2 bgp_counters', 'Discovered 1 port, 3 IPv4 addresses, 2 BGP address families'],
  ['Discovered nothing', 'Discovered nothing'],
  ['60 changes of port-vlans', '60 changes of VLAN memberships'],
  ['temperature CPU above its limit: 91.5 > 90', 'CPU above its limit: 91.5 °C, limit 90 °C'],
  ['delay RTT within its limits again: 0.011', 'RTT within its limits again: 11 ms'],
  ['frequency Input below its limit: 0 < 47.5', 'Input below its limit: 0, limit 47.5'],
  ['Service https added (#12)', 'Service https added'],
  ['Service #12 changed: service_param, service_ip', 'Service changed: Parameters, Address'],
  ['Device a: poll_interval: empty → 60; notes: a → b', 'Device a: Polling interval: 60 (was empty); Notes: b (was a)'],
  ['Transport x: rate_per_minute: 3 → 6', 'Transport x: rate per minute: 6 (was 3)'],
  ['what a device says', 'what a device says'],
  ['moved the uplink from port 3 -> 4', 'moved the uplink from port 3 -> 4'],
  ['shop: old -> new', 'shop: old -> new'],
  ['', ''],
])('%s', (stored, words) => {
  expect(eventWords(stored)).toBe(words)
})

describe('whatever is logged has a name', () => {
  const logged = Object.entries({ ...PORT, ...SYSTEM }).flatMap(([name, column]) => ('logged' in column ? [name] : []))
  test.each(logged)('%s', (name) => {
    expect(COLUMN_WORDS[name]).toBeString()
    const text = eventWords(changed(name, 'a', 'b'))
    expect(text).not.toContain('->')
    expect(text.startsWith(COLUMN_WORDS[name] ?? '-')).toBe(true)
  })

  test.each(Object.keys(KIND_WORDS))('%s', (kind) => {
    expect(eventWords(`Discovered 1 ${kind}`)).not.toMatch(/_/)
  })
})

test('no text takes long', () => {
  for (const text of ['a: '.repeat(300), ' -> '.repeat(250), 'a: b → '.repeat(140), 'x'.repeat(1000)])
    expect(eventWords(text)).toBeString()
})

test.each([
  ['link', ['ifOperStatus: %']],
  ['Link down', ['ifOperStatus: % -> down%']],
  ['Link down (was up)', ['ifOperStatus: up% -> down%']],
  ['linked', []],
  ['BGP', []],
  ['', []],
])('a search for %s', (text, patterns) => {
  expect(storedPatterns(text)).toEqual(patterns)
})
