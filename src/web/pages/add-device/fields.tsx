/** @jsxImportSource #jsx */
import { Check, Choice, Field, kept, type Option } from '../../components/form.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { V3Fields } from './credentials.tsx'

const WAYS: readonly Option[] = [
  { value: '', label: 'as set in the settings' },
  { value: 'v2c', label: 'SNMP v2c' },
  { value: 'v3', label: 'SNMP v3' },
  { value: 'v1', label: 'SNMP v1' },
  { value: 'ping', label: 'ping only' },
]

/** How devices are read. Secrets are never filled in. */
export function CredentialFields({ visit }: { readonly visit: PageRequest }): Html {
  const old = (name: string, otherwise = '') => kept(visit, name, otherwise)
  return (
    <>
      <Choice id="way" label="Method" value={old('way')} options={WAYS} />
      <div class="only-community">
        <Field
          id="community"
          label="Community"
          type="password"
          autocomplete="off"
          hint="Empty: those in setting snmp.community, in order."
        />
      </div>
      <div class="only-v3 stack">
        <V3Fields
          level={old('authlevel', 'authPriv')}
          user={old('authname')}
          auth={old('authalgo', 'SHA')}
          cipher={old('cryptoalgo', 'AES')}
          secret={{ auth: '', priv: '' }}
        />
      </div>
    </>
  )
}

/** Where devices are asked and what is done about those that do not answer. `port`: the port if none is given. */
export function ProbeFields({ visit, port }: { readonly visit: PageRequest; readonly port: number }): Html {
  const old = (name: string) => kept(visit, name, '')
  const on = (name: string) => old(name) === '1'
  return (
    <>
      <div class="line">
        <Field
          id="port"
          label="UDP port"
          type="number"
          min={1}
          max={65_535}
          value={old('port')}
          placeholder={String(port)}
        />
        <Choice
          id="transport"
          label="Transport"
          value={old('transport')}
          options={[
            { value: '', label: 'as set in the settings' },
            { value: 'udp', label: 'UDP' },
            { value: 'udp6', label: 'UDP over IPv6' },
          ]}
        />
      </div>
      <Field id="location" label="Location" value={old('location')} hint="Empty: the device's sysLocation." />
      <Check
        name="snmp_any_source"
        label="Accept answers from another address or port"
        on={on('snmp_any_source')}
        hint="for agents that do not answer from where they are asked"
      />
      <Check name="only" label="Try only these credentials" on={on('only')} hint="and not those in the settings" />
      <Check name="fallback" label="Monitor by ping only if SNMP does not answer" on={on('fallback')} />
      <Check name="force" label="Add without probing it" on={on('force')} hint="requires its credentials" />
    </>
  )
}
