import { CISCO } from './forms/cisco.ts'
import { FIREWALLS } from './forms/firewalls.ts'
import type { FormCase } from './forms/form-case.ts'
import { HOSTS } from './forms/hosts.ts'
import { NETWORK } from './forms/network.ts'

export type { FormCase }

/** Every form of syslog that is tested. */
export const FORM_CASES: readonly FormCase[] = [...CISCO, ...NETWORK, ...FIREWALLS, ...HOSTS]
