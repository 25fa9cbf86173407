/** @jsxImportSource #jsx */
import {
  type MapDevice,
  type MapNeighbour,
  type NetworkMap,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Place,
  ROW_HEIGHT,
} from '../../../core/lists/network-service.ts'
import { plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { addHref } from '../found/neighbours.ts'
import { type Edge, edgeClass, edgeText } from './edges.ts'
import { fitted } from './fitted.ts'
import { LABEL, labelSpots } from './labels.ts'

/** Space for text in a box, and the sizes of its fonts (`.nt`, `.ns`), in pixels. */
const TEXT = { width: NODE_WIDTH - 18, name: 12.5, kind: 10.5 } as const
/** Up to this many lines, all are labelled; on larger maps, only those that are down or at least half used. */
const ALL_LABELS = 60

export const STATE_CLASSES: Readonly<Record<MapDevice['state'], string>> = {
  down: 'nd bad',
  unreachable: 'nd ext',
  unknown: 'nd ext',
  alerting: 'nd warn',
  up: 'nd up',
  disabled: 'nd ext',
}
const STATE_WORDS: Readonly<Record<MapDevice['state'], string>> = {
  down: 'down',
  unreachable: 'unreachable',
  unknown: 'not polled yet',
  alerting: 'alerting',
  up: 'up',
  disabled: 'disabled',
}

/** Whether the line is labelled. */
const isLabelled = (edge: Edge, total: number): boolean =>
  edgeText(edge) !== '' && (total <= ALL_LABELS || edge.down || (edge.used ?? 0) >= 50)

/** The map as an image whose lines are links to ports and whose boxes are links to devices. */
export function Picture({
  map,
  edges,
  mayAdd,
}: {
  readonly map: NetworkMap
  readonly edges: readonly Edge[]
  /** Whether the actor may add neighbours that are not monitored. */
  readonly mayAdd: boolean
}): Html {
  const { layout, devices } = map
  const names = new Map(devices.map((one) => [one.device_id, plain(one.name)]))
  const at = (id: number) => layout.places.get(id) ?? NOWHERE
  const labelled = edges.filter((edge) => isLabelled(edge, edges.length))
  const spots = labelSpots(labelled.map((edge) => [at(edge.a), at(edge.b)]))
  return (
    <svg
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width={layout.width}
      height={layout.height}
      role="group"
      aria-label={`Map of ${devices.length} devices and ${edges.length} connections`}
    >
      {edges.map((edge) => {
        const what = `${names.get(edge.a) ?? ''} to ${names.get(edge.b) ?? ''}: ${edgeText(edge) || 'use unknown'}`
        return (
          <a href={hrefOf(edge)} aria-label={what}>
            <path
              data-edge={edge.key}
              class={edgeClass(edge)}
              stroke-width={widthOf(edge.speed)}
              d={path(at(edge.a), at(edge.b))}
            >
              <title>{what}</title>
            </path>
          </a>
        )
      })}
      {map.neighbours.flatMap(({ key, neighbour }) =>
        neighbour.links
          .filter(({ deviceId }) => names.has(deviceId))
          .map(({ deviceId }) => <path class="e ghost" d={path(at(key), at(deviceId))} />),
      )}
      {map.neighbours.map(({ key, neighbour }) => {
        const { x, y } = at(key)
        const name = plain(neighbour.name)
        const text = `${name}, not monitored`
        return (
          <a
            class="nd ghost"
            href={neighbourHref(neighbour, mayAdd)}
            data-device={key}
            data-name={name.toLowerCase()}
            transform={`translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`}
          >
            <title>{text}</title>
            <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx="6" />
            <text class="nt" x="9" y="17">
              {fitted(name, TEXT.width, TEXT.name)}
            </text>
            <text class="ns" x="9" y="31">
              {fitted(plain(neighbour.platform ?? 'not monitored'), TEXT.width, TEXT.kind)}
            </text>
          </a>
        )
      })}
      {devices.map((one) => {
        const { x, y } = at(one.device_id)
        const name = plain(one.name)
        return (
          <a
            class={STATE_CLASSES[one.state]}
            href={`/device/${one.device_id}`}
            data-device={one.device_id}
            data-name={name.toLowerCase()}
            transform={`translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`}
            aria-label={`${name}, ${STATE_WORDS[one.state]}`}
          >
            <title>{`${name}, ${STATE_WORDS[one.state]}`}</title>
            <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx="6" />
            <text class="nt" x="9" y="17">
              {fitted(name, TEXT.width, TEXT.name)}
            </text>
            <text class="ns" x="9" y="31">
              {one.state === 'down' || one.state === 'unreachable'
                ? one.state
                : fitted(plain(one.hardware), TEXT.width, TEXT.kind)}
            </text>
          </a>
        )
      })}
      {labelled.map((edge, i) => (
        <g aria-hidden="true" transform={`translate(${spots[i]?.x ?? 0} ${spots[i]?.y ?? 0})`}>
          <rect
            class="lb"
            x={-LABEL.width / 2}
            y={-LABEL.height / 2}
            width={LABEL.width}
            height={LABEL.height}
            rx={LABEL.height / 2}
          />
          <text class="lt" y="3.4" data-label={edge.key}>
            {edgeText(edge)}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Where a neighbour that is not monitored leads: to what was found of it, or to a device that reports it. */
const neighbourHref = (neighbour: MapNeighbour['neighbour'], mayAdd: boolean): string | null => {
  if (mayAdd) return addHref(neighbour)
  const [first] = neighbour.links
  return first === undefined ? null : `/device/${first.deviceId}/neighbours`
}

const hrefOf = ({ worst }: Edge) => (worst.port_id === null ? `/device/${worst.a}` : `/port/${worst.port_id}`)

const NOWHERE: Place = { x: 0, y: 0, layer: 0, line: 0, lines: 1 }
/** Distance from the middle of a box at which lines to the rows of a folded layer pass it. */
const SIDE = NODE_WIDTH / 2 + 10

/**
 * The path from the bottom of the upper box to the top of the lower one. In the rows of a folded layer, lines leave a
 * box on the right and reach one on the left, so that no line is hidden behind a box. Within a row, an arc.
 */
function path(a: Place, b: Place): string {
  if (a.y === b.y) {
    const bend = a.y + NODE_HEIGHT / 2 + Math.min(24, 8 + Math.abs(a.x - b.x) / 30)
    const foot = a.y + NODE_HEIGHT / 2
    return `M${a.x} ${foot}C${a.x} ${bend} ${b.x} ${bend} ${b.x} ${foot}`
  }
  const [up, low] = a.y < b.y ? [a, b] : [b, a]
  const isLast = up.line === up.lines - 1 || up.layer === low.layer
  const from = up.y + NODE_HEIGHT / 2
  const to = low.y - NODE_HEIGHT / 2
  const [startX, startY] = isLast ? [up.x, from] : [up.x + SIDE, from + (up.lines - 1 - up.line) * ROW_HEIGHT]
  const leave = isLast ? `M${up.x} ${from}` : `M${up.x + NODE_WIDTH / 2} ${up.y}H${startX}V${startY}`
  if (low.line === 0) {
    const half = (to - startY) / 2
    return `${leave}C${startX} ${startY + half} ${low.x} ${to - half} ${low.x} ${to}`
  }
  const [sideX, sideY] = [low.x - SIDE, Math.max(startY, to - low.line * ROW_HEIGHT)]
  const half = (sideY - startY) / 2
  return `${leave}C${startX} ${startY + half} ${sideX} ${sideY - half} ${sideX} ${sideY}V${low.y}H${low.x - NODE_WIDTH / 2}`
}

function widthOf(speed: number | null): string {
  if (speed === null || speed < 1e9) return '1.1'
  return speed < 1e10 ? '1.6' : speed < 1e11 ? '2.6' : '4.5'
}
