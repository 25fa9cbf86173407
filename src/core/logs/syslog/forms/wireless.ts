import { type Form, HEAD, type MessageText, prefixed } from './form.ts'

/**
 * UniFi: access points and switches put their MAC address, model and version before the program:
 * `00005e005301,U6-Lite-6.5.28+14491: hostapd[99]: text`, older ones in quotes and parentheses; a Flex Mini puts its name
 * for the address.
 */
const UNIFI =
  /^(?:\("[\w.-]{1,32},[0-9a-f]{12},v[\w.+]{1,32}"\):? |"?[0-9a-f]{12},[A-Za-z][\w .+-]{0,80}"?: |[\w .-]{1,64},US?[A-Z\d][\w-]{0,32}-\d{1,3}\.\d{1,3}\.[\w.+]{1,24}: )/
const UNIFI_PROGRAM = /^([\w./-]{1,64})(?:\[\d{1,10}\])?(?:: ?|$)/

/** RouterOS: topics separated by commas, of which the last is the severity in most. */
const TOPICS = /^(?:[\w-]{1,32}: )?([a-z][\w-]{0,24}(?:,!?[a-z][\w-]{0,24}){1,8}):? (?=\S)/
const TOPIC =
  /(?:^|,)(?:info|warning|error|critical|debug|account|system|interface|firewall|dhcp|script|wireless)(?:,|$)/
/** Also a single topic, from a device that is known to run RouterOS. */
const ROUTEROS = /^([a-z][\w-]{0,24}(?:,!?[a-z][\w-]{0,24}){0,8}):? (?=\S)/
/** ArubaOS puts the name and address of an access point before the program. */
const ARUBA_AP = /^<[^<>\s]{1,64} [\da-fA-F.:]{7,45}> {1,3}([A-Za-z][\w.-]{0,64})(?:\[\d{1,10}\])?: ?/

function unifi(text: string): MessageText | null {
  const prefix = UNIFI.exec(text.slice(0, HEAD))
  if (prefix === null) return null
  const rest = text.slice(prefix[0].length)
  const program = UNIFI_PROGRAM.exec(rest.slice(0, 100))
  return { program: program?.[1] ?? null, msg: program === null ? rest : rest.slice(program[0].length) }
}

const topics = prefixed(TOPICS)
function routeros(text: string): MessageText | null {
  const said = topics(text)
  return said?.program != null && TOPIC.test(said.program) ? said : null
}

export const WIRELESS: readonly Form[] = [
  { os: ['unifi', 'airos'], anyone: true, read: unifi },
  { os: ['routeros', 'swos'], anyone: true, read: routeros },
  { os: ['routeros'], anyone: false, read: prefixed(ROUTEROS) },
  { os: ['arubaos', 'aruba-instant'], anyone: true, read: prefixed(ARUBA_AP) },
]
