import { all } from './dom.ts'

const [SMALLEST, LARGEST] = [0.1, 4]
/** Minimum scale at which a map is first shown. */
const READABLE = 0.5
const RENEW_MS = 30_000
/** A press that moves further than this is a drag, not a click. */
const CLICK_PX = 4

interface MapView {
  x: number
  y: number
  scale: number
}

/** The map: drag to move; zoom with buttons, keys or Ctrl and the wheel; find by name. Values are refreshed. */
export function startMap(): void {
  const box = document.querySelector<HTMLElement>('[data-island=map]')
  const picture = box?.querySelector('svg') ?? null
  if (box === null || picture === null) return
  const [width, height] = [picture.width.baseVal.value, picture.height.baseVal.value]
  const view: MapView = { x: 0, y: 0, scale: 1 }

  const show = () => {
    picture.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
  }
  const fit = (least = SMALLEST) => {
    view.scale = Math.max(least, Math.min(1.2, box.clientWidth / width))
    view.x = (box.clientWidth - width * view.scale) / 2
    view.y = 0
    show()
  }
  const zoom = (by: number, x = box.clientWidth / 2, y = box.clientHeight / 2) => {
    const scale = Math.max(SMALLEST, Math.min(LARGEST, view.scale * by))
    view.x = x - ((x - view.x) * scale) / view.scale
    view.y = y - ((y - view.y) * scale) / view.scale
    view.scale = scale
    show()
  }
  const move = (x: number, y: number) => {
    view.x += x
    view.y += y
    show()
  }

  picture.style.width = `${width}px`
  picture.style.height = `${height}px`
  box.classList.add('moving')
  box.style.height = `${Math.max(240, Math.min(height * Math.max(READABLE, Math.min(1.2, box.clientWidth / width)), innerHeight * 0.72))}px`
  fit(READABLE)
  box.dataset['ready'] = 'true'

  drag(box, move)
  box.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const place = box.getBoundingClientRect()
      zoom(Math.exp(-event.deltaY / 300), event.clientX - place.left, event.clientY - place.top)
    },
    { passive: false },
  )
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(60, 0),
    ArrowRight: () => move(-60, 0),
    ArrowUp: () => move(0, 60),
    ArrowDown: () => move(0, -60),
    '+': () => zoom(1.25),
    '-': () => zoom(0.8),
    '0': () => fit(),
  }
  box.addEventListener('keydown', (event) => {
    const act = keys[event.key]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  })
  // Brings a device focused by keyboard into view.
  box.addEventListener('focusin', ({ target }) => {
    if (target instanceof SVGElement && target.matches(':focus-visible')) bring(target)
  })
  const bring = (one: SVGElement) => {
    box.scrollTo(0, 0)
    const [frame, place] = [box.getBoundingClientRect(), one.getBoundingClientRect()]
    const isInside =
      place.left >= frame.left && place.right <= frame.right && place.top >= frame.top && place.bottom <= frame.bottom
    if (!isInside)
      move(
        frame.left + frame.width / 2 - place.left - place.width / 2,
        frame.top + frame.height / 2 - place.top - place.height / 2,
      )
  }

  const size = document.querySelector<HTMLElement>('[data-map-zoom]')
  if (size !== null) size.hidden = false
  for (const button of all<HTMLButtonElement>('button', size ?? box)) {
    button.onclick = () => (button.dataset['by'] === '0' ? fit() : zoom(Number(button.dataset['by'])))
  }
  const find = document.querySelector<HTMLInputElement>('[data-map-find]')
  if (find !== null) {
    find.hidden = false
    find.addEventListener('input', () => {
      const text = find.value.trim().toLowerCase()
      let first: SVGElement | null = null
      for (const one of all<SVGElement>('[data-device]', picture)) {
        const isHit = text !== '' && (one.dataset['name'] ?? '').includes(text)
        one.classList.toggle('hit', isHit)
        if (isHit) first ??= one
      }
      if (first !== null) {
        if (view.scale < 0.7) zoom(0.9 / view.scale)
        bring(first)
      }
    })
  }
  setInterval(() => document.hidden || void renew(picture), RENEW_MS)
}

function drag(box: HTMLElement, move: (x: number, y: number) => void): void {
  let from: { x: number; y: number; far: boolean } | null = null
  box.addEventListener('pointerdown', (event) => {
    if (event.button === 0) from = { x: event.clientX, y: event.clientY, far: false }
  })
  addEventListener('pointermove', (event) => {
    if (from === null) return
    const [x, y] = [event.clientX - from.x, event.clientY - from.y]
    if (!from.far && Math.hypot(x, y) < CLICK_PX) return
    from = { x: event.clientX, y: event.clientY, far: true }
    box.classList.add('held')
    move(x, y)
  })
  addEventListener('pointerup', () => {
    const dragged = from?.far === true
    from = null
    box.classList.remove('held')
    if (dragged) {
      const stop = (event: Event) => event.preventDefault()
      box.addEventListener('click', stop, { capture: true, once: true })
      setTimeout(() => box.removeEventListener('click', stop, { capture: true }), 0)
    }
  })
  box.addEventListener('dragstart', (event) => event.preventDefault())
}

async function renew(picture: SVGSVGElement): Promise<void> {
  const answer = await fetch('/topology?format=json').catch(() => null)
  if (answer?.ok !== true) return
  const { edges, devices } = (await answer.json()) as {
    readonly edges: Readonly<Record<string, readonly [string, string]>>
    readonly devices: Readonly<Record<string, string>>
  }
  for (const line of all<SVGElement>('[data-edge]', picture)) {
    const now = edges[line.dataset['edge'] ?? '']
    if (now !== undefined) line.setAttribute('class', now[0])
  }
  for (const label of all<SVGElement>('[data-label]', picture)) {
    const now = edges[label.dataset['label'] ?? '']
    if (now !== undefined) label.textContent = now[1]
  }
  for (const one of all<SVGElement>('[data-device]', picture)) {
    const now = devices[one.dataset['device'] ?? '']
    if (now !== undefined) one.setAttribute('class', one.classList.contains('hit') ? `${now} hit` : now)
  }
}
