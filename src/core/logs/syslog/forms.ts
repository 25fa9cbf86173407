import { CISCO } from './forms/cisco.ts'
import { FIREWALLS } from './forms/firewalls.ts'
import type { Form, MessageText } from './forms/form.ts'
import { HOSTS } from './forms/hosts.ts'
import { HUAWEI } from './forms/huawei.ts'
import { SWITCHES } from './forms/switches.ts'
import { WIRELESS } from './forms/wireless.ts'

/** Every form, in the order in which they are tried. */
const FORMS: readonly Form[] = [...CISCO, ...HUAWEI, ...FIREWALLS, ...WIRELESS, ...SWITCHES, ...HOSTS]
const OF_ANYONE = FORMS.filter(({ anyone }) => anyone)
const OF_OS: ReadonlyMap<string, readonly Form[]> = new Map(
  [...new Set(FORMS.flatMap(({ os }) => os))].map((os) => [os, FORMS.filter((form) => form.os.includes(os))]),
)

/** The text of a message divided by the forms of its sender's operating system; null: it has none of these forms. */
export function readByOs(text: string, os: string | null): MessageText | null {
  return os === null ? null : first(OF_OS.get(os) ?? [], text)
}

/** The same for a message of any sender, with the forms that are distinctive. */
export function readByForm(text: string): MessageText | null {
  return first(OF_ANYONE, text)
}

function first(forms: readonly Form[], text: string): MessageText | null {
  for (const { read } of forms) {
    const said = read(text)
    if (said !== null) return said
  }
  return null
}
