/** A mounted operation. `gate` is `none` if v0 requires no token. */
export interface MountedRoute {
  readonly method: string
  readonly path: string
  readonly name: string
  /** operationId, unique. */
  readonly operation: string
  /** Name in the documentation, which the variants of an operation share. */
  readonly documented: string
  /** Other names that clients use. */
  readonly also: readonly string[]
  readonly gate: string
}

const PREFIX = '/api/v0/'

/**
 * Path templates by route name, sorted. The names are LibreNMS's route name, the documented name of the operation, and
 * further aliases. Parameters are in braces; those that only the longer variants of a route have are optional,
 * `{name?}`.
 */
export function routeIndex(routes: readonly MountedRoute[]): ReadonlyMap<string, string> {
  const listed = routes.filter(({ path }) => path.startsWith(PREFIX))
  const operationsOf = Map.groupBy(listed, ({ name }) => name)
  const paths = new Map<string, string[]>()
  for (const { path, name, documented, also } of listed) {
    // A documented name that is also the route name of another operation refers to the latter.
    const named = operationsOf.get(documented)
    const isTaken = named?.every((other) => other.documented !== documented)
    for (const key of new Set([name, ...(isTaken ? [] : [documented]), ...also])) {
      paths.set(key, [...(paths.get(key) ?? []), path])
    }
  }
  return new Map(
    [...paths]
      .map(([name, forms]) => [name, template(forms)] as const)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  )
}

function template(forms: readonly string[]): string {
  const byLength = forms.map((form) => form.slice(1).split('/')).sort((a, b) => a.length - b.length)
  const shortest = byLength[0] ?? []
  const longest = byLength.at(-1) ?? []
  const segments = longest.map((segment, i) => {
    if (!segment.startsWith(':')) return segment
    const name = segment.slice(1)
    return i < shortest.length ? `{${name}}` : `{${name}?}`
  })
  return `/${segments.join('/')}`
}

/** The part of an Elysia app that `mountedRoutes` uses. */
export interface RoutedApp {
  readonly routes: readonly { readonly method: string; readonly path: string; readonly hooks: unknown }[]
}

/** The operations of an app: every route with an operationId that is not hidden. */
export function mountedRoutes(app: RoutedApp): MountedRoute[] {
  return app.routes.flatMap(({ method, path, hooks }) => {
    const detail = detailOf(hooks)
    const operation = detail['operationId']
    if (typeof operation !== 'string' || detail['hide'] === true) return []
    const name = detail['x-route-name']
    const gate = detail['x-gate']
    const documented = detail['x-operation']
    const also = detail['x-also']
    const shown = typeof detail['x-path'] === 'string' ? detail['x-path'] : path
    return [
      {
        method,
        path: shown.length > 1 ? shown.replace(/\/$/, '') : shown,
        operation,
        documented: typeof documented === 'string' ? documented : operation,
        also: Array.isArray(also) ? also.map(String) : [],
        name: typeof name === 'string' ? name : operation,
        gate: typeof gate === 'string' ? gate : 'none',
      },
    ]
  })
}

function detailOf(hooks: unknown): Readonly<Record<string, unknown>> {
  if (typeof hooks !== 'object' || hooks === null || !('detail' in hooks)) return {}
  return typeof hooks.detail === 'object' && hooks.detail !== null ? { ...hooks.detail } : {}
}
