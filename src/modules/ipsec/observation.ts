type Known<T> = T | null | undefined

/** One IPsec tunnel to an IKE peer; natural key `peer_addr`. Members are named after their columns. */
export interface IpsecRow {
  readonly peer_port?: Known<number>
  readonly peer_addr: string
  readonly local_addr?: Known<string>
  readonly local_port?: Known<number>
  readonly tunnel_name?: Known<string>
  readonly tunnel_status?: Known<string>
}
