import { isIP } from 'node:net'

/** Values for a display template. `ip` is text, '' if unknown. */
export interface DisplayFacts {
  readonly hostname: string
  readonly sysName: string | null
  readonly ip: string
}

/** Length of columns devices.display and display_template. */
export const MAX_DISPLAY = 128

const PLACEHOLDER = /\{\{\s*\$?(hostname|sysName|sysName_fallback|ip)\s*\}\}/g

/**
 * Display name of a device, at most `MAX_DISPLAY` characters. Placeholders: hostname, sysName, sysName_fallback (the
 * sysName of a device that was added by address, otherwise its hostname), ip. Unknown placeholders are left unchanged.
 */
export function displayName(template: string, { hostname, sysName, ip }: DisplayFacts): string {
  const known = {
    hostname,
    sysName: sysName || hostname,
    sysName_fallback: isIP(hostname) !== 0 ? sysName || hostname : hostname,
    ip: ip || (isIP(hostname) !== 0 ? hostname : ''),
  }
  const text = template.replace(PLACEHOLDER, (_, name: keyof typeof known) => known[name])
  return [...text].slice(0, MAX_DISPLAY).join('')
}
