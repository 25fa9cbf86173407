import { version } from '../../../package.json'
import { createApp } from '../../../src/api/app.ts'
import { openApiDocument } from '../../../src/api/openapi/document.ts'
import { isObject, type Json } from '../../../src/api/openapi/json.ts'
import { mountedRoutes } from '../../../src/api/route-index.ts'
import type { Services } from '../../../src/core/services.ts'

/** A file generated from the mounted routes. */
export interface ReferencePage {
  readonly path: string
  readonly text: string
}

/** The current content of `openapi.json` and `docs/reference/api.md`. */
export function apiPages(): ReferencePage[] {
  const app = createApp(notCalled())
  const document = openApiDocument(app, version)
  const gates = new Map(mountedRoutes(app).map((route) => [route.operation, route.gate]))
  return [
    { path: 'openapi.json', text: `${JSON.stringify(document, null, 1)}\n` },
    { path: 'docs/reference/api.md', text: page(document, gates) },
  ]
}

/** Placeholder: routes use the services only when they are called. */
function notCalled(): Services {
  return {} as Services
}

const INTRODUCTION = `# API reference

Generated from the routes by \`bun run docs\`. [openapi.json](../../openapi.json) describes every member of every answer; it
is also served at \`/openapi.json\`.

API v1 is off at first, and then answers 404: \`portlight config set api.v1.enabled true\` turns it on.

Send the token in the header \`X-Auth-Token\` (v0) or \`Authorization: Bearer\` (v0 and v1). Every operation may also answer
401 (no valid token), 403 (missing permission), 413 (body above \`api.max_body\`), 429 (too many wrong tokens) and 503 (database unavailable).
500 is listed only where dialect \`librenms\` sends it instead of another status: see [statuses](errors.md).
\`/healthz\`, \`/readyz\` and \`/metrics\` need no token and are not operations: see [probes and metrics](metrics.md#probes).
[Errors](errors.md) explains statuses of 400 and above; [compatibility](compatibility.md) lists the differences from LibreNMS.

*Gate* is the required permission: role \`admin\` has all of them, \`global-read\` every \`viewAny\`, and \`user\` those for granted
objects.
`

/** The operations of an OpenAPI document as tables by tag. */
function page(document: Json, gates: ReadonlyMap<string, string>): string {
  const tables = new Map<string, string[]>()
  const paths = isObject(document) && isObject(document['paths']) ? document['paths'] : {}
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(isObject(item) ? item : {})) {
      if (!isObject(operation)) continue
      const [tag] = Array.isArray(operation['tags']) ? operation['tags'] : []
      const rows = tables.get(String(tag)) ?? []
      rows.push(row(method.toUpperCase(), path, operation, gates))
      tables.set(String(tag), rows)
    }
  }
  const sections = [...tables]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, rows]) => {
      const head = '| Operation | Route | Gate | Query | Answers | |\n|---|---|---|---|---|---|'
      return `\n## ${tag}\n\n${head}\n${rows.join('\n')}\n`
    })
  return INTRODUCTION + sections.join('')
}

function row(
  method: string,
  path: string,
  operation: { [member: string]: Json },
  gates: ReadonlyMap<string, string>,
): string {
  const id = String(operation['operationId'])
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : []
  const query = parameters.flatMap((p) => (isObject(p) && p['in'] === 'query' ? [`\`${String(p['name'])}\``] : []))
  const responses = isObject(operation['responses']) ? Object.entries(operation['responses']) : []
  // shared answers are in the introduction
  const own = responses.filter(([, response]) => !isObject(response) || response['$ref'] === undefined)
  const answers = own.map(([status]) => status).join(' ')
  const gate = gates.get(id) ?? 'none'
  return `| ${id} | \`${method} ${path}\` | ${gate === 'none' ? '' : gate} | ${query.join(' ')} | ${answers} | ${String(operation['summary'])} |`
}
