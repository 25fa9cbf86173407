/** @jsxImportSource #jsx */
import type { AcceptOptions } from '../../../core/candidates/candidate.ts'
import { Choice } from '../../components/form.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'

/** Rules by which names are chosen. */
export const NAME_RULES = ['dns', 'sysname', 'address'] as const satisfies readonly NonNullable<
  AcceptOptions['nameBy']
>[]
export type NameRule = (typeof NAME_RULES)[number]

export const NAME_RULE_WORDS: Readonly<Record<NameRule, string>> = {
  dns: 'reverse DNS',
  sysname: 'sysName',
  address: 'address',
}

/** The rule with this name; undefined: none is chosen. */
export const nameRuleOf = (text: string | null | undefined): NameRule | undefined =>
  NAME_RULES.find((rule) => rule === text)

/** Which name the devices get. */
export const NameChoice = ({ visit }: { readonly visit: PageRequest }): Html => (
  <Choice
    visit={visit}
    id="name"
    label="Name them by"
    value="dns"
    options={[
      { value: 'dns', label: 'reverse DNS, else sysName, else address' },
      { value: 'sysname', label: 'sysName with setting mydomain, else address' },
      { value: 'address', label: 'address' },
    ]}
  />
)
