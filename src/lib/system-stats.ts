/**
 * Statistics of a device as a whole, read at every poll: load and processor time (UCD-SNMP-MIB), users and processes
 * (HOST-RESOURCES-MIB, RFC 2790), and the counters of its IP, ICMP, TCP, UDP and SNMP (IP-MIB, RFC 4293; TCP-MIB, RFC
 * 4022; UDP-MIB, RFC 4113; SNMPv2-MIB, RFC 3418). One row of `ts.stats_samples` per poll, with a column for each.
 *
 * `rate`: a counter, stored per second. `ticks`: a counter of processor time, stored as percent of its group's total.
 * `gauge`: stored as read, times `scale`. `own`: not an object of the agent but measured by Portlight.
 */
export interface SystemStat {
  /**
   * Column of `ts.stats_samples`. MIB objects keep their names; those of ipSystemStatsTable begin with ipv4 or ipv6.
   */
  readonly name: string
  readonly group: StatGroup
  readonly kind: 'rate' | 'ticks' | 'gauge' | 'own'
  /** With instance; '' for `own`. */
  readonly oid: string
  /** A Counter64; a 32-bit counter may have wrapped once between two polls. */
  readonly wide: boolean
  readonly scale: number
}

/** A group is requested as a whole, or not at all if the agent does not have its first object. */
export type StatGroup =
  | 'load'
  | 'cpu'
  | 'kernel'
  | 'users'
  | 'processes'
  | 'ip'
  | 'ipv4'
  | 'ipv6'
  | 'icmp'
  | 'tcp'
  | 'udp'
  | 'snmp'
  | 'portlight'

interface GroupSource {
  readonly kind: SystemStat['kind']
  readonly base: string
  readonly instance: string
  readonly scale?: number
  readonly objects: string
}

/** `objects`: name and sub-identifier; `*` marks a Counter64. */
const GROUPS: Readonly<Record<StatGroup, GroupSource>> = {
  // laLoadInt is in hundredths
  load: {
    kind: 'gauge',
    base: '1.3.6.1.4.1.2021.10.1.5',
    instance: '',
    scale: 0.01,
    objects: 'load1 1 load5 2 load15 3',
  },
  cpu: {
    kind: 'ticks',
    base: '1.3.6.1.4.1.2021.11',
    instance: '.0',
    objects:
      'ssCpuRawUser 50 ssCpuRawNice 51 ssCpuRawSystem 52 ssCpuRawIdle 53 ssCpuRawWait 54 ssCpuRawKernel 55 ssCpuRawInterrupt 56 ssCpuRawSoftIRQ 61 ssCpuRawSteal 64 ssCpuRawGuest 65',
  },
  kernel: {
    kind: 'rate',
    base: '1.3.6.1.4.1.2021.11',
    instance: '.0',
    objects: 'ssRawContexts 60 ssRawInterrupts 59 ssIORawSent 57 ssIORawReceived 58 ssRawSwapIn 62 ssRawSwapOut 63',
  },
  users: { kind: 'gauge', base: '1.3.6.1.2.1.25.1', instance: '.0', objects: 'hrSystemNumUsers 5' },
  processes: { kind: 'gauge', base: '1.3.6.1.2.1.25.1', instance: '.0', objects: 'hrSystemProcesses 6' },
  ip: {
    kind: 'rate',
    base: '1.3.6.1.2.1.4',
    instance: '.0',
    objects:
      'ipInReceives 3 ipInHdrErrors 4 ipInAddrErrors 5 ipForwDatagrams 6 ipInUnknownProtos 7 ipInDiscards 8 ipInDelivers 9 ipOutRequests 10 ipOutDiscards 11 ipOutNoRoutes 12 ipReasmReqds 14 ipReasmOKs 15 ipReasmFails 16 ipFragOKs 17 ipFragFails 18 ipFragCreates 19',
  },
  ipv4: { kind: 'rate', base: '1.3.6.1.2.1.4.31.1.1', instance: '.1', objects: ipSystemStats('ipv4') },
  ipv6: { kind: 'rate', base: '1.3.6.1.2.1.4.31.1.1', instance: '.2', objects: ipSystemStats('ipv6') },
  icmp: {
    kind: 'rate',
    base: '1.3.6.1.2.1.5',
    instance: '.0',
    objects:
      'icmpInMsgs 1 icmpInErrors 2 icmpInDestUnreachs 3 icmpInTimeExcds 4 icmpInParmProbs 5 icmpInSrcQuenchs 6 icmpInRedirects 7 icmpInEchos 8 icmpInEchoReps 9 icmpInTimestamps 10 icmpInTimestampReps 11 icmpInAddrMasks 12 icmpInAddrMaskReps 13 icmpOutMsgs 14 icmpOutErrors 15 icmpOutDestUnreachs 16 icmpOutTimeExcds 17 icmpOutParmProbs 18 icmpOutSrcQuenchs 19 icmpOutRedirects 20 icmpOutEchos 21 icmpOutEchoReps 22 icmpOutTimestamps 23 icmpOutTimestampReps 24 icmpOutAddrMasks 25 icmpOutAddrMaskReps 26',
  },
  tcp: {
    kind: 'rate',
    base: '1.3.6.1.2.1.6',
    instance: '.0',
    objects:
      'tcpActiveOpens 5 tcpPassiveOpens 6 tcpAttemptFails 7 tcpEstabResets 8 tcpInSegs 10 tcpOutSegs 11 tcpRetransSegs 12 tcpInErrs 14 tcpOutRsts 15',
  },
  udp: {
    kind: 'rate',
    base: '1.3.6.1.2.1.7',
    instance: '.0',
    objects: 'udpInDatagrams 1 udpNoPorts 2 udpInErrors 3 udpOutDatagrams 4',
  },
  snmp: {
    kind: 'rate',
    base: '1.3.6.1.2.1.11',
    instance: '.0',
    objects:
      'snmpInPkts 1 snmpOutPkts 2 snmpInBadVersions 3 snmpInBadCommunityNames 4 snmpInBadCommunityUses 5 snmpInASNParseErrs 6 snmpInTooBigs 8 snmpInNoSuchNames 9 snmpInBadValues 10 snmpInReadOnlys 11 snmpInGenErrs 12 snmpInTotalReqVars 13 snmpInTotalSetVars 14 snmpInGetRequests 15 snmpInGetNexts 16 snmpInSetRequests 17 snmpInGetResponses 18 snmpInTraps 19 snmpOutTooBigs 20 snmpOutNoSuchNames 21 snmpOutBadValues 22 snmpOutGenErrs 24 snmpOutGetRequests 25 snmpOutGetNexts 26 snmpOutSetRequests 27 snmpOutGetResponses 28 snmpOutTraps 29',
  },
  portlight: { kind: 'own', base: '', instance: '', objects: 'fdb_count 0' },
}

/** IP-MIB::ipSystemStatsTable of one IP version. */
function ipSystemStats(version: 'ipv4' | 'ipv6'): string {
  return [
    ['InReceives', '4*'],
    ['InHdrErrors', '7'],
    ['InNoRoutes', '8'],
    ['InAddrErrors', '9'],
    ['InUnknownProtos', '10'],
    ['InTruncatedPkts', '11'],
    ['InForwDatagrams', '13*'],
    ['ReasmReqds', '14'],
    ['ReasmOKs', '15'],
    ['ReasmFails', '16'],
    ['InDiscards', '17'],
    ['InDelivers', '19*'],
    ['OutRequests', '21*'],
    ['OutNoRoutes', '22'],
    ['OutForwDatagrams', '24*'],
    ['OutDiscards', '25'],
    ['OutFragReqds', '26'],
    ['OutFragOKs', '27'],
    ['OutFragFails', '28'],
    ['OutFragCreates', '29'],
  ]
    .map(([name, id]) => `${version}${name} ${id}`)
    .join(' ')
}

/** All statistics, in the order of the columns. */
export const SYSTEM_STATS: readonly SystemStat[] = Object.entries(GROUPS).flatMap(([group, source]) =>
  statsOf(group as StatGroup, source),
)

function statsOf(group: StatGroup, { kind, base, instance, scale = 1, objects }: GroupSource): SystemStat[] {
  const words = objects.split(' ')
  const stats: SystemStat[] = []
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [name = '', id = ''] = words.slice(i, i + 2)
    const oid = kind === 'own' ? '' : `${base}.${id.replace('*', '')}${instance}`
    stats.push({ name, group, kind, oid, wide: id.endsWith('*'), scale })
  }
  return stats
}

const POSITIONS: ReadonlyMap<string, number> = new Map(SYSTEM_STATS.map(({ name }, i) => [name, i]))

/** Index of a statistic in SYSTEM_STATS; -1: unknown name. */
export function statPosition(name: string): number {
  return POSITIONS.get(name) ?? -1
}

/** Statistics drawn by each device graph, by its name without `device_`. A graph is available when any of them is. */
export const STAT_GRAPHS: Readonly<Record<string, readonly string[]>> = {
  ucd_load: inGroup('load'),
  ucd_cpu: inGroup('cpu'),
  ucd_io_wait: ['ssCpuRawWait'],
  ucd_cpu_steal: ['ssCpuRawSteal'],
  ucd_contexts: ['ssRawContexts'],
  ucd_interrupts: ['ssRawInterrupts'],
  ucd_io: ['ssIORawReceived', 'ssIORawSent'],
  ucd_swap_io: ['ssRawSwapIn', 'ssRawSwapOut'],
  hr_users: inGroup('users'),
  hr_processes: inGroup('processes'),
  netstat_ip: inGroup('ip', /^ip(?!Reasm|Frag|Forw)/),
  netstat_ip_frag: inGroup('ip', /Reasm|Frag/),
  netstat_ip_forward: ['ipForwDatagrams'],
  ipsystemstats_ipv4: inGroup('ipv4', /^ipv4(?!Reasm|OutFrag)/),
  ipsystemstats_ipv4_frag: inGroup('ipv4', /Reasm|OutFrag/),
  ipsystemstats_ipv6: inGroup('ipv6', /^ipv6(?!Reasm|OutFrag)/),
  ipsystemstats_ipv6_frag: inGroup('ipv6', /Reasm|OutFrag/),
  netstat_icmp: inGroup('icmp', /Msgs|Errors|Unreachs|Excds|Probs|Quenchs|Redirects|Echo/),
  netstat_icmp_info: inGroup('icmp', /Echo|Timestamp|AddrMask/),
  netstat_tcp: inGroup('tcp'),
  netstat_udp: inGroup('udp'),
  netstat_snmp: inGroup('snmp', /Pkts|Vars|Bad|Parse|TooBig|NoSuch|ReadOnly|GenErr/),
  netstat_snmp_pkt: inGroup('snmp', /Pkts|Requests|Nexts|Responses|Traps/),
  fdb_count: ['fdb_count'],
}

function inGroup(group: StatGroup, pattern = /./): readonly string[] {
  return SYSTEM_STATS.filter((stat) => stat.group === group && pattern.test(stat.name)).map((stat) => stat.name)
}
