/**
 * PostgreSQL's own types and the types of their arrays, by OID, which are the same on every server. The driver would ask
 * each new connection for all types of the database: thousands, since each partition is one. Source: pg_type.dat.
 */
export const ARRAY_TYPES: readonly (readonly [element: number, array: number])[] = [
  [16, 1000], // bool
  [17, 1001], // bytea
  [18, 1002], // char
  [19, 1003], // name
  [20, 1016], // int8
  [21, 1005], // int2
  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [28, 1011], // xid
  [114, 199], // json
  [650, 651], // cidr
  [700, 1021], // float4
  [701, 1022], // float8
  [774, 775], // macaddr8
  [829, 1040], // macaddr
  [869, 1041], // inet
  [1042, 1014], // bpchar
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1083, 1183], // time
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1186, 1187], // interval
  [1266, 1270], // timetz
  [1700, 1231], // numeric
  [2205, 2210], // regclass
  [2206, 2211], // regtype
  [2950, 2951], // uuid
  [3220, 3221], // pg_lsn
  [3802, 3807], // jsonb
  [3908, 3909], // tsrange
  [3910, 3911], // tstzrange
  [3912, 3913], // daterange
  [4089, 4090], // regnamespace
  [5069, 271], // xid8
]
