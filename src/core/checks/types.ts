import { constants } from 'node:fs'
import { access, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Settings } from '../../config/schema.ts'
import { BUILTIN_TYPES } from './builtin.ts'

/** The checks of the Monitoring Plugins project (monitoring-plugins.org), without `check_`. */
const STANDARD =
  'apt breeze by_ssh clamd cluster dbi dhcp dig disk disk_smb dns dummy file_age flexlm fping ftp game hpjd http icmp ' +
  'ide_smart ifoperstatus ifstatus imap ircd jabber ldap ldaps load log mailq mrtg mrtgtraf mysql mysql_query nagios ' +
  'nntp nntps nt ntp ntp_peer ntp_time nwstat oracle overcr pgsql ping pop procs radius real rpc rta_multi sensors ' +
  'simap smtp snmp spop ssh ssmtp swap tcp time udp ups uptime users wave'

/** A type, as in the program name `check_TYPE`: letters, digits, `_`, `.` and `-`, not beginning with `.` or `-`. */
const TYPE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/

/** Whether the text is a valid service type, installed or not. */
export function isServiceType(text: string): boolean {
  return TYPE.test(text)
}

/** Folders with check programs, in search order. */
export function pluginFolders(settings: Settings): readonly string[] {
  return [...settings.get('services.plugin_dirs'), settings.get('nagios_plugins')].filter((folder) => folder !== '')
}

/**
 * Service types, sorted: the standard and built-in checks, installed or not, and the files `check_NAME` in the folders.
 * Unreadable folders are skipped.
 */
export async function serviceTypes(folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))
  const own = lists
    .flat()
    .filter((name) => name.startsWith('check_'))
    .map((name) => name.slice('check_'.length))
    .filter(isServiceType)
  return [...new Set([...STANDARD.split(' '), ...BUILTIN_TYPES, ...own])].sort()
}

/**
 * Path of the program `check_TYPE` in the first folder that has it; null: none. It must be a regular file in the
 * folder, or a symbolic link to one in any of the folders, executable, and not world-writable.
 */
export async function findPlugin(folders: readonly string[], type: string): Promise<string | null> {
  if (!isServiceType(type)) return null
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))
  for (const folder of folders) {
    const path = join(folder, `check_${type}`)
    try {
      const target = await realpath(path)
      const { mode } = await stat(target)
      if (!real.includes(dirname(target)) || (mode & 0o170_000) !== 0o100_000 || (mode & 0o002) !== 0) continue
      await access(target, constants.X_OK)
      return path
    } catch {
      // it is not in this folder, or not executable
    }
  }
  return null
}
