type Known<T> = T | null | undefined

/** One VRF; natural key `vrf_oid`, the index of its row in the MIB. Members are named after their columns. */
export interface VrfRow {
  readonly vrf_oid: string
  readonly vrf_name?: Known<string>
  readonly bgpLocalAs?: Known<number>
  readonly mplsVpnVrfRouteDistinguisher?: Known<string>
  readonly mplsVpnVrfDescription?: Known<string>
}
