/**
 * Writes docs/reference/graph-gallery.md: a picture of every type of graph of the demonstration fleet. Needs a server started with
 * `./portlight serve --demo` that has loaded its history.
 *
 * `bun tools/gallery/graphs.ts http://127.0.0.1:8000 TOKEN`
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const [url, token] = process.argv.slice(2)
if (url === undefined || token === undefined) throw new Error('usage: bun tools/gallery/graphs.ts URL TOKEN')
const folder = join(import.meta.dir, '../../docs/img/graphs')
const SIZE = 'width=800&height=240'

async function get(path: string): Promise<Response> {
  const response = await fetch(`${url}/api/v0/${path}`, { headers: { 'X-Auth-Token': token ?? '' } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

interface Picture {
  readonly name: string
  readonly label: string
  /** Below /api/v0. */
  readonly path: string
}

/** The first device in this order that has a type is its example: those with more to see come first. */
const ORDER = ['web-1', 'edge-1', 'core-1', 'nas-1', 'ups-1', 'wlc-1', 'warehouse-1', 'printer-1', 'esx-1']
/** Better examples than the first device. */
const BETTER: Readonly<Record<string, string>> = {
  device_uptime: 'warehouse-1',
  device_availability: 'warehouse-1',
  device_bits: 'edge-1',
  device_icmp_perf: 'edge-1',
  device_state: 'ups-1',
  device_charge: 'ups-1',
  device_storage: 'nas-1',
  device_temperature: 'edge-1',
  device_voltage: 'ups-1',
  device_mempool: 'edge-1',
}

async function deviceTypes(): Promise<Picture[]> {
  const { devices } = (await (await get('devices')).json()) as { devices: { hostname: string }[] }
  const names = devices.map(({ hostname }) => hostname)
  const hosts = [...ORDER.filter((name) => names.includes(name)), ...names.filter((name) => !ORDER.includes(name))]
  const found = new Map<string, Picture>()
  for (const host of hosts) {
    const { graphs } = (await (await get(`devices/${host}/graphs`)).json()) as {
      graphs: { name: string; desc: string }[]
    }
    for (const { name, desc } of graphs) {
      if (found.has(name) && BETTER[name] !== host) continue
      found.set(name, { name, label: desc, path: `devices/${host}/${name}` })
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** Pictures whose path is not made of the name of a device and of a type. */
async function others(): Promise<Picture[]> {
  const port = 'devices/edge-1/ports/xe-0%2F0%2F0'
  const item = async (host: string, type: string, at = 0) => {
    const { graphs } = (await (await get(`devices/${host}/health/${type}`)).json()) as {
      graphs: { sensor_id: number }[]
    }
    return `devices/${host}/graphs/health/${type}/${graphs[at]?.sensor_id}`
  }
  const { ports } = (await (await get('devices/edge-1/ports?columns=port_id,ifName')).json()) as {
    ports: { port_id: number; ifName: string }[]
  }
  const uplinks = ports.filter(({ ifName }) => /^xe-[\d/]+$/.test(ifName)).slice(0, 4)
  return [
    { name: 'port_bits', label: 'Traffic', path: `${port}/port_bits` },
    { name: 'port_upkts', label: 'Unicast Packets', path: `${port}/port_upkts` },
    { name: 'port_nupkts', label: 'Broadcast and Multicast Packets', path: `${port}/port_nupkts` },
    {
      name: 'port_errors',
      label: 'Errors and Discards',
      path: 'devices/access-1/ports/Gi1%2F0%2F17/port_errors',
    },
    {
      name: 'multiport_bits_separate',
      label: 'Traffic of several ports',
      path: `portgroups/multiport/bits/${uplinks.map(({ port_id }) => port_id).join()}`,
    },
    {
      name: 'sensor_temperature',
      label: 'One sensor with its limits',
      path: await item('edge-1', 'device_temperature'),
    },
    { name: 'sensor_state', label: 'One state sensor', path: await item('ups-1', 'device_state') },
    { name: 'processor_usage', label: 'One processor', path: await item('web-1', 'device_processor') },
    { name: 'mempool_usage', label: 'One memory pool', path: await item('edge-1', 'device_mempool') },
    { name: 'storage_usage', label: 'One filesystem', path: await item('nas-1', 'device_storage', 2) },
    { name: 'dark', label: 'theme=dark', path: `${port}/port_bits?theme=dark` },
    { name: 'week', label: 'A range longer than the data', path: `${port}/port_bits?from=-1w` },
  ]
}

async function write({ name, path }: Picture): Promise<void> {
  const response = await get(`${path}${path.includes('?') ? '&' : '?'}${SIZE}&title=yes`)
  await Bun.write(join(folder, `${name}.png`), await response.arrayBuffer())
}

const section = (title: string, pictures: readonly Picture[]): string =>
  `## ${title}\n\n${pictures
    .map(({ name, label }) => `### \`${name}\`\n\n![${label}](../img/graphs/${name}.png)`)
    .join('\n\n')}`

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const [ofDevices, rest] = [await deviceTypes(), await others()]
for (const picture of [...ofDevices, ...rest]) await write(picture)
const wireless = ofDevices.filter(({ name }) => name.startsWith('device_wireless_'))
await Bun.write(
  join(import.meta.dir, '../../docs/reference/graph-gallery.md'),
  `# Gallery of graphs

A day of the demonstration fleet; \`bun tools/gallery/graphs.ts\` writes this page. [Graphs](graphs.md) explains parameters, legend
and times. Every type also answers SVG (\`output=svg\`) and numbers (\`output=json\`).

${section('Ports', rest.slice(0, 5))}

${section(
  'Devices',
  ofDevices.filter((picture) => !wireless.includes(picture)),
)}

${section('Wireless', wireless)}

${section('Single objects', rest.slice(5, 10))}

${section('Variants', rest.slice(10))}
`,
)
console.log(`${ofDevices.length + rest.length} pictures`)
