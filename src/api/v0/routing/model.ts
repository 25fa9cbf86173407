import * as records from '../../../core/records/tables.ts'
import { listModel } from '../records/model.ts'

export const BgpPeer = listModel(records.BGP_PEER, 'BgpPeer')
export const BgpCounter = listModel(records.BGP_COUNTER, 'BgpCounter')
export const OspfNeighbour = listModel(records.OSPF_NEIGHBOUR, 'OspfNeighbour')
export const OspfPort = listModel(records.OSPF_PORT, 'OspfPort')
export const Ospfv3Neighbour = listModel(records.OSPFV3_NEIGHBOUR, 'Ospfv3Neighbour')
export const Ospfv3Port = listModel(records.OSPFV3_PORT, 'Ospfv3Port')
export const Vrf = listModel(records.VRF, 'Vrf')
export const MplsService = listModel(records.MPLS_SERVICE, 'MplsService')
export const MplsSap = listModel(records.MPLS_SAP, 'MplsSap')
export const IpsecTunnel = listModel(records.IPSEC_TUNNEL, 'IpsecTunnel')
