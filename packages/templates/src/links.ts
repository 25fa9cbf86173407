import { urlEncoded } from './escapes.ts'
import type { FunctionTable, Tools } from './function.ts'
import { TemplateError } from './tree.ts'
import { isItems, textOf, type Value } from './value.ts'

/** Paths of pages by the names that templates use for them; `{}` is the id. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['home', ''],
  ['overview', ''],
  ['device', 'device/{}'],
  ['device.edit', 'device/{}/edit'],
  ['device.port', 'port/{port}'],
  ['devices', 'devices'],
  ['port', 'port/{}'],
  ['ports', 'ports'],
  ['alerts', 'alerts'],
  ['alert.show', 'alerts/{}'],
  ['alert-rules', 'alerts/rules'],
  ['services', 'services'],
  ['maps', 'topology'],
])

/** Whether `route()` knows the page. */
export const isPage = (name: Value) => typeof name === 'string' && PAGES.has(name)

/** Addresses of the program's own pages. */
export const LINK_FUNCTIONS: FunctionTable = {
  route: [1, 3, ([name = null, params = null], tools) => address(pathOf(textOf(name), params), tools)],
  url: [0, 1, ([path = null], tools) => address(textOf(path).replace(/^\/+/, ''), tools)],
  config: [1, 2, ([name = null, fallback = null], tools) => setting(name, fallback, tools)],
  'config::get': [1, 2, ([name = null, fallback = null], tools) => setting(name, fallback, tools)],
  'librenmsconfig::get': [1, 2, ([name = null, fallback = null], tools) => setting(name, fallback, tools)],
}

function address(path: string, { pageUrl, budget }: Tools): string {
  budget.text(path.length)
  return pageUrl(path) ?? ''
}

/** Of settings a template reads only the program's address. */
function setting(name: Value, fallback: Value, tools: Tools): Value {
  if (name === 'base_url' || name === 'app.url') return address('', tools)
  return fallback
}

function pathOf(name: string, params: Value): string {
  const path = PAGES.get(name)
  if (path === undefined) throw new TemplateError(`route() knows no page ${name}`)
  const named = isItems(params) ? params : new Map([['0', params]])
  const [first = null] = named.values()
  return path.replace(/\{(\w*)\}/, (_, key: string) => urlEncoded(textOf(named.get(key) ?? first)))
}
