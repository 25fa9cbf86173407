/**
 * SQL for ports `p` whose traffic is their own: no loopbacks, VLAN interfaces, tunnels and other virtual interfaces,
 * whose traffic is also counted by the port below them.
 */
export const OWN_TRAFFIC = `p.deleted = 0 and p.disabled = 0 and p.ignore = 0
  and coalesce(p."ifType", '') !~* 'loopback|tunnel|virtual|mpls|vlan'
  and concat(p."ifName", ' ', p."ifDescr") !~* 'loopback|\\mvlan|tunnel|\\mnull\\d*|\\mdummy'`

/** SQL: members of aggregated links, as `member` and `bundle`, from ifStackTable in either direction, and from PAgP. */
const MEMBERS = `
  select x.member, min(x.bundle) as bundle from (
    select a.member, a.bundle from ports_stack s
      cross join lateral (values (s.low_port_id, s.high_port_id), (s.high_port_id, s.low_port_id)) a(member, bundle)
    where s."ifStackStatus" = 'active'
    union all select p.port_id, g.port_id from ports p join ports g on g.device_id = p.device_id and g."ifIndex" = p."pagpGroupIfIndex"
    where p."pagpGroupIfIndex" > 0 and p."pagpGroupIfIndex" <> p."ifIndex" and g.deleted = 0) x
  join ports g on g.port_id = x.bundle and g.deleted = 0 and g."ifType" in ('ieee8023adLag', 'propMultiplexor')
  join ports m on m.port_id = x.member and coalesce(m."ifType", '') !~* 'vlan|virtual|tunnel|ieee8023adLag|propMultiplexor'
  group by x.member`

/**
 * SQL for CTEs `member` (ports and the aggregated link that they belong to) and `link_end` (both directions of links
 * between two ports; an aggregated link stands for its members).
 */
export const LINK_ENDS = `
  member as materialized (${MEMBERS}),
  link as (select coalesce(m.bundle, l.local_port_id) as a, coalesce(n.bundle, l.remote_port_id) as b
    from links l left join member m on m.member = l.local_port_id left join member n on n.member = l.remote_port_id
    where l.active = 1 and l.local_port_id is not null and l.remote_port_id is not null),
  link_end as materialized (select a as port_id, b as other_id from link union select b, a from link)`

const isMember = (rows: string) =>
  `exists (select from member m join ${rows} o on o.port_id = m.bundle where m.member = r.port_id)`

/**
 * SQL condition on rows `r` of a CTE of ports: traffic that another of its rows also counts is left out. Of a link
 * between two of them, the port with the lower id stays; of an aggregated link, the link and not its members.
 */
export const countedOnce = (rows: string): string => `not ${isMember(rows)}
  and not exists (select from link_end e join ${rows} o on o.port_id = e.other_id where e.port_id = r.port_id and e.other_id < r.port_id)`

/**
 * The same for errors: each end of a link counts those that it receives, so both stay, and the members of an aggregated
 * link stay instead of the link, because many devices count errors only there.
 */
export const faultsCountedOnce = (rows: string): string =>
  `not exists (select from member m join ${rows} o on o.port_id = m.member where m.bundle = r.port_id)`
