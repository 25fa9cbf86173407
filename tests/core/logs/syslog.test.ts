import { describe, expect, test } from 'bun:test'
import { syslogMessage } from '../../../src/core/logs/syslog/message.ts'
import { spoken } from '../../../src/core/logs/syslog/program.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

describe('messages', () => {
  test('texts are truncated, numbers become text, IPv4-mapped IPv6 becomes IPv4, level defaults to severity', () => {
    const given = {
      host: ' ::FFFF:192.0.2.1 ',
      msg: 'm',
      facility: 4,
      priority: 'a-long-priority',
      severity: 6,
      tag: '',
    }
    expect(syslogMessage(given, NOW)).toEqual({
      host: '192.0.2.1',
      msg: 'm',
      facility: '4',
      priority: 'a-long-pri',
      level: '6',
      tag: null,
      program: null,
      at: NOW,
    })
  })

  test('text truncated inside a character remains valid', () => {
    const found = syslogMessage({ host: 'a', msg: `${'m'.repeat(65_534)}😀`, facility: '123456789😀' }, NOW)
    expect([found?.facility, found?.msg.slice(-2)]).toEqual(['123456789\ufffd', 'm\ufffd'])
  })

  test('without sender or text there is no message', () => {
    const given = [null, 'text', [], {}, { host: 'a' }, { msg: 'm' }, { host: 'a', msg: '' }, { host: {}, msg: 'm' }]
    expect(given.filter((item) => syslogMessage(item, NOW) !== null)).toEqual([])
  })

  test.each([
    [{ '@timestamp': '2026-11-20T10:00:00.000Z' }, '2026-11-20T10:00:00.000Z'],
    [{ timestamp: '2026-11-20T10:00:00+02:00', '@timestamp': '2025-01-01T00:00:00Z' }, '2026-11-20T08:00:00.000Z'],
    [{ timestamp: 1_790_000_000 }, '2026-09-21T14:13:20.000Z'],
    [{ timestamp: '1790000000000' }, '2026-09-21T14:13:20.000Z'],
    [{ timestamp: 'yesterday' }, NOW.toISOString()],
    [{ timestamp: '1970-01-01T00:00:10Z' }, NOW.toISOString()],
    [{ timestamp: '2099-01-01T00:00:00Z' }, NOW.toISOString()],
    [{}, NOW.toISOString()],
  ])('%j was sent at %s', (members, at) => {
    expect(syslogMessage({ host: 'a', msg: 'm', ...members }, NOW)?.at.toISOString()).toBe(at)
  })

  test('local times are in the server’s time zone', () => {
    const found = syslogMessage({ host: 'a', msg: 'm', timestamp: '2026-11-20 10:00:00' }, NOW)
    expect(found?.at).toEqual(new Date(2026, 10, 20, 10))
  })
})

describe('programs', () => {
  test.each([
    ['ios', null, '%SYS-5-CONFIG_I: Configured from console', '%SYS-5-CONFIG_I', 'Configured from console'],
    ['ios', '1234', '000042: Mar 1 00:00:00: %LINK-3-UPDOWN: Gi0/1: up', '%LINK-3-UPDOWN', 'Gi0/1: up'],
    ['iosxe', null, 'SYS-5-RESTART: again', 'SYS-5-RESTART', 'again'],
    ['ios', null, '%FW-SUB-6-SESS: done', '%FW-SUB-6-SESS', 'done'],
    ['ios', 'snmp', 'nothing of the kind: at all', 'SNMP', 'nothing of the kind: at all'],
    ['linux', null, 'sshd[812]: Accepted key', 'SSHD', 'Accepted key'],
    ['linux', null, 'pam_unix(sudo:session): opened', 'PAM_UNIX', 'opened'],
    ['linux', 'cron', 'sshd[812]: Accepted key', 'CRON', 'sshd[812]: Accepted key'],
    ['procurve', '00077', 'ports: port 3 is now off-line', 'PORTS', 'port 3 is now off-line'],
    ['procurve', null, '00076 ports:  port 3 is now on-line', 'PORTS', 'port 3 is now on-line'],
    ['zywall', null, 'src="a" msg="x" cat="Firewall"', 'FIREWALL', 'src="a" msg="x" cat="Firewall"'],
    ['junos', 'mgd', 'commit', 'MGD', 'commit'],
    ['asa', null, '%ASA-4-106023: Deny udp', '%ASA-4-106023', 'Deny udp'],
    ['vrp', null, '%%01SSH/4/LOGIN(s)[7]:ann', '%%01SSH/4/LOGIN', 'ann'],
    ['junos', null, 'short text', 'SHORT TEXT', null],
    [null, '  ', 'short text', 'SHORT TEXT', null],
  ])('of %s, %s: %s', (os, program, msg, wanted, rest) => {
    expect(spoken(os, { program, facility: null, msg })).toEqual({ program: wanted, msg: rest })
  })

  test('on Linux the facility replaces a missing program', () => {
    expect(spoken('linux', { program: null, facility: 'kern', msg: 'oops' })).toEqual({ program: 'KERN', msg: 'oops' })
  })

  test('a message longer than the program column is kept', () => {
    const msg = 'a message of more than thirty-two characters'
    expect(spoken('junos', { program: null, facility: null, msg })).toEqual({
      program: 'A MESSAGE OF MORE THAN THIRTY-TW',
      msg,
    })
  })
})
