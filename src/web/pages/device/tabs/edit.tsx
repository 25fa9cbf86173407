/** @jsxImportSource #jsx */
import type { DeviceOverrides } from '../../../../core/devices/overrides.ts'
import type { DeviceGroupRecord } from '../../../../core/groups/device-groups.ts'
import { Button, Check, Choice, Field, Form, Hidden, kept, ofForm } from '../../../components/form.tsx'
import { Card, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../../page.ts'
import { can } from '../../../permissions.ts'
import { V3Fields } from '../../add-device/credentials.tsx'
import { nameOf } from '../facts.ts'
import { type Subject, tab } from '../tab.ts'
import { editActions } from './edit-actions.ts'
import { Modules } from './edit-modules.tsx'

interface EditData {
  readonly overrides: DeviceOverrides
  readonly groups: readonly DeviceGroupRecord[]
  readonly memberOf: ReadonlySet<number>
  readonly locations: readonly string[]
}

const MAX_LOCATIONS = 500

/** What users can change about a device. */
export const editTab = tab<EditData>({
  id: 'edit',
  label: 'Edit',
  gate: 'Device.update',
  actions: editActions,
  async load({ services, actor }, { deviceId }) {
    const { deviceGroups, locations, overrides } = services
    const [own, groups, memberOf, places] = await Promise.all([
      overrides.read(actor, String(deviceId)),
      deviceGroups.list(actor),
      deviceGroups.ofDevice(actor, deviceId),
      locations.list(actor),
    ])
    return {
      overrides: own,
      groups,
      memberOf: new Set(memberOf.map(({ id }) => id)),
      locations: places.slice(0, MAX_LOCATIONS).map(({ location }) => location),
    }
  },
  view: (data, visit, subject) => (
    <div class="cols">
      <div class="stack">
        <Identity visit={ofForm(visit, 'identity')} subject={subject} locations={data.locations} />
        <Snmp visit={ofForm(visit, 'snmp', 'test')} subject={subject} anySource={data.overrides.anySource} />
        <Modules visit={visit} modules={data.overrides.modules} />
      </div>
      <div class="stack">
        <Now visit={visit} />
        <Watching visit={ofForm(visit, 'watching')} subject={subject} intervalS={data.overrides.pollIntervalS} />
        <Groups visit={visit} data={data} />
        <Parents visit={ofForm(visit, 'parents')} subject={subject} />
        {can(visit, 'Device.delete') ? <Delete visit={visit} subject={subject} /> : null}
      </div>
    </div>
  ),
})

const text = ({ record }: Subject, name: string): string => {
  const value = (record as Readonly<Record<string, unknown>>)[name]
  return value === null || value === undefined ? '' : String(value)
}

interface PartProps {
  readonly visit: PageRequest
  readonly subject: Subject
}

function Identity({ visit, subject, locations }: PartProps & { readonly locations: readonly string[] }): Html {
  const value = (name: string) => kept(visit, name, text(subject, name))
  return (
    <Card title="Name and location">
      <Form visit={visit} name="identity">
        <div class="line">
          <Field id="hostname" label="Hostname or address" value={value('hostname')} required />
          <Field
            id="overwrite_ip"
            label="Address to use instead"
            value={value('overwrite_ip')}
            hint="Empty: the name is looked up."
          />
        </div>
        <Field
          id="display_template"
          label="Display name"
          value={value('display_template')}
          placeholder={nameOf(subject)}
          hint="May contain {{ $hostname }}, {{ $sysName }} and {{ $ip }}."
        />
        <Field id="location" label="Location" value={value('location')} list="locations" />
        <datalist id="locations">
          {locations.map((one) => (
            <option value={plain(one)} />
          ))}
        </datalist>
        <Check
          name="override_sysLocation"
          label="Keep this location regardless of sysLocation"
          on={kept(visit, 'override_sysLocation', text(subject, 'override_sysLocation')) === '1'}
        />
        <Field id="purpose" label="Purpose" value={value('purpose')} />
        <Field id="notes" label="Notes" value={value('notes')} rows={4} maxLength={20_000} />
        <div class="acts">
          <Button first>Save</Button>
        </div>
      </Form>
    </Card>
  )
}

const isStored = (value: string, mayKnow: boolean) =>
  !mayKnow ? 'not shown' : value === '' ? 'none stored' : 'stored, not shown'

function Snmp({ visit, subject, anySource }: PartProps & { readonly anySource: boolean }): Html {
  const value = (name: string) => kept(visit, name, text(subject, name))
  const mayKnow = visit.actor.roles.has('admin')
  const way = text(subject, 'snmp_disable') === '1' ? 'ping' : text(subject, 'snmpver')
  return (
    <Card title="SNMP" sub="leave passwords empty to keep them">
      <Form visit={visit} name="snmp">
        <div class="line">
          <Choice
            id="way"
            label="Method"
            value={kept(visit, 'way', way)}
            options={[
              { value: 'v2c', label: 'SNMP v2c' },
              { value: 'v3', label: 'SNMP v3' },
              { value: 'v1', label: 'SNMP v1' },
              { value: 'ping', label: 'ping only' },
            ]}
          />
          <Field id="port" label="UDP port" type="number" min={1} max={65_535} value={value('port')} required />
          <Choice
            id="transport"
            label="Transport"
            value={value('transport')}
            options={[
              { value: 'udp', label: 'UDP' },
              { value: 'udp6', label: 'UDP over IPv6' },
            ]}
          />
        </div>
        <div class="only-community">
          <Field
            id="community"
            label="Community"
            type="password"
            autocomplete="off"
            placeholder={isStored(text(subject, 'community'), mayKnow)}
          />
        </div>
        <div class="only-v3 stack">
          <V3Fields
            level={value('authlevel') || 'authPriv'}
            user={value('authname')}
            auth={value('authalgo') || 'SHA'}
            cipher={value('cryptoalgo') || 'AES'}
            secret={{
              auth: isStored(text(subject, 'authpass'), mayKnow),
              priv: isStored(text(subject, 'cryptopass'), mayKnow),
            }}
          />
        </div>
        <div class="line">
          <Field
            id="timeout"
            label="Timeout, seconds"
            type="number"
            min={0}
            max={3600}
            value={value('timeout')}
            placeholder={String(visit.services.config.get('snmp.timeout'))}
          />
          <Field
            id="retries"
            label="Retries"
            type="number"
            min={0}
            max={100}
            value={value('retries')}
            placeholder={String(visit.services.config.get('snmp.retries'))}
          />
        </div>
        <Check
          name="snmp_any_source"
          label="Accept answers from another address or port"
          on={visit.sent === null ? anySource : visit.sent.get('snmp_any_source') === '1'}
          hint="for agents that do not answer from where they are asked"
        />
        <div class="acts">
          <Button first>Save</Button>
          <button class="btn" type="submit" name="do" value="test">
            Test without saving
          </button>
        </div>
      </Form>
    </Card>
  )
}

function Now({ visit }: { readonly visit: PageRequest }): Html {
  return (
    <Card title="Now">
      <div class="body acts">
        <Form visit={visit} name="poll" line>
          <Button>Poll now</Button>
        </Form>
        <Form visit={visit} name="discover" line>
          <Button>Discover now</Button>
        </Form>
      </div>
    </Card>
  )
}

function Watching({ visit, subject, intervalS }: PartProps & { readonly intervalS: number | null }): Html {
  const on = (name: string) => (visit.sent === null ? text(subject, name) : (visit.sent.get(name) ?? '')) === '1'
  return (
    <Card title="Monitoring">
      <Form visit={visit} name="watching">
        <Field
          id="interval"
          label="Seconds between polls"
          type="number"
          min={5}
          max={86_400}
          value={kept(visit, 'interval', intervalS === null ? '' : String(intervalS))}
          placeholder={String(visit.services.config.get('poller.interval'))}
          hint="Empty: as in setting poller.interval."
        />
        <Check name="disabled" label="Disabled" on={on('disabled')} hint="not polled" />
        <Check name="ignore" label="Ignored" on={on('ignore')} hint="polled, but without alerts" />
        <Check name="disable_notify" label="No notifications" on={on('disable_notify')} />
        <div class="acts">
          <Button first>Save</Button>
        </div>
      </Form>
    </Card>
  )
}

function Groups({
  visit,
  data: { groups, memberOf },
}: {
  readonly visit: PageRequest
  readonly data: EditData
}): Html | null {
  const fixed = groups.filter(({ type }) => type === 'static')
  const byRule = groups.filter(({ type, id }) => type === 'dynamic' && memberOf.has(id))
  if (fixed.length === 0 && byRule.length === 0) return null
  const mayChange = can(visit, 'DeviceGroup.update')
  return (
    <Card title="Groups">
      {byRule.length === 0 ? null : (
        <p class="hint body" dir="auto">
          By their rules: {byRule.map(({ name }) => plain(name)).join(', ')}
        </p>
      )}
      {fixed.length === 0 || !mayChange ? null : (
        <Form visit={visit} name="groups">
          {fixed.slice(0, 150).map(({ id, name }) => (
            <Check name={`group-${id}`} label={<span dir="auto">{plain(name)}</span>} on={memberOf.has(id)} />
          ))}
          <div class="acts">
            <Button first>Save</Button>
          </div>
        </Form>
      )}
    </Card>
  )
}

function Parents({ visit, subject }: PartProps): Html {
  const { parents, none } = subject.family
  const byHand = parents.filter(({ computed }) => computed === 0)
  const isByHand = byHand.length > 0 || none
  return (
    <Card title="Depends on">
      {isByHand ? null : (
        <p class="hint">
          {parents.length === 0
            ? 'None were computed from the network.'
            : parents.map(({ name, via }) => `${plain(name)}: computed from ${plain(via)}`).join('; ')}
        </p>
      )}
      <Form visit={visit} name="parents">
        <Field
          id="parents"
          label="Devices set by hand, separated by commas"
          value={kept(visit, 'parents', byHand.map(({ hostname }) => hostname).join(', '))}
          hint="They apply instead of those computed from the network. While every way to the device is down, no alerts are sent for it."
        />
        <div class="acts">
          <Button first>Save</Button>
        </div>
      </Form>
      <div class="acts body">
        {none ? (
          <p>Set by hand: no parents.</p>
        ) : (
          <Form visit={visit} name="parents" line>
            <Hidden name="source" value="none" />
            <Button>Set to no parents</Button>
          </Form>
        )}
        {isByHand ? (
          <Form visit={visit} name="parents" line>
            <Hidden name="source" value="computed" />
            <Button>Use computed parents</Button>
          </Form>
        ) : null}
      </div>
    </Card>
  )
}

function Delete({ visit, subject }: PartProps): Html {
  const hostname = text(subject, 'hostname')
  return (
    <Card title="Delete">
      <Form visit={visit} name="delete">
        <p class="hint">
          Its ports, sensors, samples, graphs, alerts and events will be deleted too. This cannot be undone.
        </p>
        <Field id="confirm" label={`Enter its name to confirm: ${plain(hostname)}`} required />
        <div class="acts">
          <Button danger>Delete device</Button>
        </div>
      </Form>
    </Card>
  )
}
