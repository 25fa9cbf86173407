import type { Dialect } from '../../base/actor.ts'

/** A program that uses the API, or a kind of them, and the dialect that it understands. */
export interface ClientProgram {
  /** As in `token create --for`. */
  readonly id: string
  readonly name: string
  /** Null: any, so the setting `api.v0.dialect` decides. */
  readonly dialect: Dialect | null
}

/**
 * Programs that tokens are made for. Those written for LibreNMS expect its form of the answers; with the other they read
 * empty lists or fail (docs/reference/compatibility.md).
 */
export const CLIENT_PROGRAMS = [
  { id: 'own', name: 'A script or program of my own', dialect: null },
  { id: 'ansible', name: 'Ansible: inventory and modules for LibreNMS', dialect: 'librenms' },
  { id: 'terraform', name: 'Terraform or OpenTofu: provider for LibreNMS', dialect: 'librenms' },
  { id: 'home-assistant', name: 'Home Assistant: aiolibrenms', dialect: 'librenms' },
  { id: 'netbox', name: 'NetBox: LibreNMS plugin', dialect: 'librenms' },
  { id: 'oxidized', name: 'Oxidized', dialect: 'librenms' },
  { id: 'librenms-mcp', name: 'librenms-mcp', dialect: 'librenms' },
  { id: 'librenmsapi', name: 'A Python program with librenmsapi', dialect: 'librenms' },
  { id: 'go-librenms', name: 'A Go program with go-librenms', dialect: 'librenms' },
  { id: 'librenms', name: 'Another program written for LibreNMS', dialect: 'librenms' },
] as const satisfies readonly ClientProgram[]

/** The program with this id; undefined: there is none. */
export function clientProgram(id: string): ClientProgram | undefined {
  return CLIENT_PROGRAMS.find((program) => program.id === id)
}
