/** What a search finds. `kind` also says which page it leads to. */
export interface Hit {
  readonly kind: 'device' | 'port' | 'address' | 'vlan' | 'as' | 'location'
  readonly device_id: number | null
  readonly port_id: number | null
  readonly title: string
  readonly detail: string
  /** Which field matched. */
  readonly field: string
  /** `up`, `down`, `disabled`; '' where there is none. */
  readonly state: string
}
