const OWN: Readonly<Record<string, string>> = {
  override_icmp_disable: 'ping',
  override_sysContact_bool: 'contact of its own',
  override_sysContact_string: 'contact',
  override_device_ssh_port: 'SSH port',
  override_device_telnet_port: 'telnet port',
  override_Oxidized_disable: 'Oxidized',
  override_Unixagent_port: 'port of the Unix agent',
  override_rrdtool_tune: 'tuning of RRD files',
}

/** Settings whose 1 or true switches something off. */
const NEGATIVE = /_disable$/

const isYes = (value: string): boolean => /^(1|true)$/i.test(value)
const onOff = (on: boolean): string => (on ? 'on' : 'off')

/**
 * A setting of a device (devices_attribs) in words: `polling of ports off`, `speed of Gi0/1 set by hand`. Names that are not
 * known, such as those of other programs, stay as they are, with spaces.
 */
export function attributeWords({ name, value }: { readonly name: string; readonly value: string }): string {
  const [, verb, module] = /^(discover|poll)_(.+)$/.exec(name) ?? []
  if (verb !== undefined) return `${verb === 'poll' ? 'polling' : 'discovery'} of ${module} ${onOff(isYes(value))}`
  const [, what, port] = /^if(Speed|Name):(.+)$/.exec(name) ?? []
  if (what !== undefined) return `${what === 'Speed' ? 'speed' : 'description'} of ${port} set by hand`
  const [, portId] = /^port_id_notes:(\d+)$/.exec(name) ?? []
  if (portId !== undefined) return `notes of port ${portId}`
  const known = OWN[name]
  if (known !== undefined && NEGATIVE.test(name)) return `${known} ${onOff(!isYes(value))}`
  if (known !== undefined && /^(true|false)$/i.test(value)) return `${known} ${onOff(isYes(value))}`
  return `${known ?? name.replaceAll('_', ' ').trim()}: ${value}`
}
