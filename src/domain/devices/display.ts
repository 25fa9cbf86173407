import { isIP } from 'node:net'

/** What a display template can show. `ip` is printable, '' when unknown. */
export interface DisplayFacts {
  readonly hostname: string
  readonly sysName: string | null
  readonly ip: string
}

const PLACEHOLDER = /\{\{\s*\$?(hostname|sysName|sysName_fallback|ip)\s*\}\}/g

/**
 * Display name of a device, at most 128 characters. Placeholders: hostname, sysName, sysName_fallback (the sysName of a
 * device that was added by address, else its hostname), ip. An unknown placeholder stays as it is.
 */
export function displayName(template: string, { hostname, sysName, ip }: DisplayFacts): string {
  const known = {
    hostname,
    sysName: sysName || hostname,
    sysName_fallback: isIP(hostname) !== 0 ? sysName || hostname : hostname,
    ip: ip || (isIP(hostname) !== 0 ? hostname : ''),
  }
  return template.replace(PLACEHOLDER, (_, name: keyof typeof known) => known[name]).slice(0, 128)
}
