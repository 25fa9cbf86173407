import type { DeviceModel, DeviceSeeds, RecordedDevice } from '../device.ts'
import { ifTable, ifXTable } from '../mib/interfaces.ts'
import { readRecording } from '../recording.ts'
import { seedsOf } from '../seeds.ts'
import type { Instance } from '../table.ts'

/** What neighbours need to know about an interface. */
export interface NetworkPort {
  readonly ifIndex: number
  readonly ifName: string
  /** Empty if it has none. */
  readonly mac: Uint8Array
}

/** All devices of a fleet with their interfaces, built on demand. */
export interface Campus {
  /**
   * An interface of a device by ifName. Throws RangeError if it does not exist, which is an error in the network plan.
   */
  port(device: string, ifName: string): NetworkPort
  ports(device: string): readonly NetworkPort[]
  sysDescr(device: string): string
}

export function campusOf(models: readonly (DeviceModel | RecordedDevice)[], seed: string): Campus {
  const known = new Map<string, readonly NetworkPort[]>()
  const model = (device: string): DeviceModel | RecordedDevice => {
    const found = models.find((m) => m.name === device)
    if (found === undefined) throw new RangeError(`no device ${device}`)
    return found
  }
  const ports = (device: string): readonly NetworkPort[] => {
    let found = known.get(device)
    if (found === undefined) {
      found = portsOf(instancesOf(model(device), { own: seedsOf(seed, device), links: seedsOf(seed, 'links') }))
      known.set(device, found)
    }
    return found
  }
  return {
    sysDescr(device) {
      const found = model(device)
      return 'sysDescr' in found
        ? found.sysDescr
        : String(instancesOf(found, { own: () => 0, links: () => 0 })[0]?.value)
    },
    ports,
    port(device, ifName) {
      const found = ports(device).find((p) => p.ifName === ifName)
      if (found === undefined) throw new RangeError(`${device} has no interface ${ifName}`)
      return found
    },
  }
}

function instancesOf(model: DeviceModel | RecordedDevice, seeds: DeviceSeeds): readonly Instance[] {
  return 'recording' in model ? (readRecording(model.recording, seeds).get('') ?? []) : model.instances(seeds)
}

function portsOf(instances: readonly Instance[]): NetworkPort[] {
  const column = (object: string) =>
    new Map(instances.filter((i) => i.object === object).map(({ index, value }) => [index, value]))
  const macs = column(`${ifTable.entry}.${ifTable.columns.ifPhysAddress[0]}`)
  return [...column(`${ifXTable.entry}.${ifXTable.columns.ifName[0]}`)].map(([index, name]) => {
    const mac = macs.get(index)
    return { ifIndex: Number(index), ifName: String(name), mac: mac instanceof Uint8Array ? mac : new Uint8Array(0) }
  })
}
