/** @jsxImportSource #jsx */

import { environmentName } from '../../../config/names.ts'
import type { SettingRow } from '../../../core/access/service.ts'
import { whoWords } from '../../../core/base/actor.ts'
import { Form, Hidden } from '../../components/form.tsx'
import { Card, Empty, plain, Time, Words } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { Frame } from './frame.tsx'
import { SECTIONS, sectionOf } from './sections.ts'

interface SettingsData {
  readonly rows: readonly SettingRow[]
  readonly counts: ReadonlyMap<string, number>
  /** null: the result of a search in all sections. */
  readonly section: string | null
  readonly words: string
}

/** All settings: what each does, its value, and where the value comes from. */
export const settingsPage = page<SettingsData>({
  path: '/settings',
  gate: 'admin',
  nav: { label: 'Settings', icon: 'gear', group: 'foot', order: 10 },
  async load({ services, actor, query, sent }) {
    const all = await services.admin.settings(actor)
    const counts = new Map<string, number>()
    for (const { name } of all) counts.set(sectionOf(name), (counts.get(sectionOf(name)) ?? 0) + 1)
    const words = (query.get('q') ?? '').trim().slice(0, 100).toLowerCase()
    const sentName = sent?.get('name')
    const asked = sentName !== undefined ? sectionOf(sentName) : query.get('section')
    const section = words === '' ? (SECTIONS.find((one) => one === asked) ?? SECTIONS[0] ?? '') : null
    const rows = all.filter(({ name, setting }) =>
      section === null ? `${name} ${setting.about}`.toLowerCase().includes(words) : sectionOf(name) === section,
    )
    return { rows, counts, section, words }
  },
  view: ({ rows, counts, section, words }, visit) => ({
    title: 'Settings',
    crumbs: [{ label: 'Settings' }],
    body: (
      <Frame
        title="Settings"
        here="/settings"
        lead="Later sources override earlier ones: default, stored here, file, environment, command line. A value from a source that overrides this page is shown but cannot be changed here."
        right={
          <form method="get" action="/settings" role="search">
            <input
              class="inp quick"
              type="search"
              name="q"
              value={words}
              placeholder="Find a setting"
              aria-label="Find a setting"
              maxlength="100"
            />
          </form>
        }
      >
        <div class="setl">
          <nav class="setn" aria-label="Sections">
            {SECTIONS.map((one) => (
              <a href={`/settings?section=${encodeURIComponent(one)}`} aria-current={one === section ? 'page' : null}>
                {one} <small>{counts.get(one) ?? 0}</small>
              </a>
            ))}
          </nav>
          <div class="stack">
            <Card title={section ?? `Results for “${words}”`} sub={changedWord(rows)}>
              {rows.length === 0 ? (
                <Empty title="No setting matches" help={['reference/config', 'All settings']} />
              ) : (
                rows.map((row) => <Row row={row} visit={visit} />)
              )}
            </Card>
          </div>
        </div>
      </Frame>
    ),
  }),
  actions: {
    async set(visit, form) {
      const name = form.get('name') ?? ''
      const value = form.get('value') ?? ''
      if (form.get('secret') === '1' && value === '') return { to: backTo(name) }
      await visit.services.admin.setSetting(visit.actor, name, value)
      return { to: backTo(name) }
    },
    async unset(visit, form) {
      const name = form.get('name') ?? ''
      await visit.services.admin.unsetSetting(visit.actor, name)
      return { to: backTo(name) }
    },
  },
})

const backTo = (name: string) => `/settings?section=${encodeURIComponent(sectionOf(name))}#${encodeURIComponent(name)}`

function changedWord(rows: readonly SettingRow[]): string {
  const n = rows.filter(({ origin }) => origin !== 'default').length
  return n === 0 ? 'all at their defaults' : `${n} changed from the default`
}

const SOURCES: Readonly<Record<SettingRow['origin'], string>> = {
  default: 'default value',
  stored: 'stored here',
  file: 'set in the configuration file',
  environment: 'set by environment variable',
  flag: 'set by a command-line flag',
}

function Row({ row, visit }: { readonly row: SettingRow; readonly visit: PageRequest }): Html {
  const { name, setting, origin, editable, allowed, fallback, changed, secret } = row
  const id = `f-${name.replaceAll('.', '-')}`
  const refused = visit.sent?.get('do') === 'set' && visit.sent.get('name') === name
  const source = origin === 'environment' ? `${SOURCES[origin]} ${environmentName(name)}` : SOURCES[origin]
  return (
    <div class="set" id={name}>
      <div>
        <label for={id}>
          <code>{name}</code>
        </label>
        <p>
          <Words text={setting.about} />
        </p>
        <p class="src">
          <span>default {secret ? 'not shown' : fallback === '' ? 'empty' : plain(fallback.slice(0, 120))}</span>
          <b class="dim">
            {source}
            {origin === 'stored' && changed !== null ? (
              <>
                {' '}
                by {plain(whoWords(changed.username))}, <Time at={changed.at} nowMs={visit.nowMs} />
              </>
            ) : null}
          </b>
          <span>{setting.scope === 'start' ? 'takes effect at the next start' : 'takes effect immediately'}</span>
        </p>
      </div>
      <div class="ctl">
        <Form visit={visit} name="set" line>
          <Hidden name="name" value={name} />
          {secret ? <Hidden name="secret" value="1" /> : null}
          <Control
            row={row}
            id={id}
            value={refused && !secret ? (visit.sent?.get('value') ?? '') : row.value}
            bad={refused}
          />
          {editable ? (
            <button class="btn s-s" type="submit" aria-label={`Save ${name}`}>
              Save
            </button>
          ) : null}
        </Form>
        {refused ? (
          <span class="err" id={`${id}-e`}>
            Allowed: {allowed}
          </span>
        ) : null}
        {editable && origin === 'stored' ? (
          <Form visit={visit} name="unset" line>
            <Hidden name="name" value={name} />
            <button class="btn s-s bare" type="submit" aria-label={`Default for ${name}`}>
              Reset to default
            </button>
          </Form>
        ) : null}
        {editable ? null : origin === 'default' ? (
          <span class="hint sub">can only be set by file, environment or flag</span>
        ) : null}
      </div>
    </div>
  )
}

function Control({
  row: { setting, editable, secret, allowed },
  id,
  value,
  bad,
}: {
  readonly row: SettingRow
  readonly id: string
  readonly value: string
  readonly bad: boolean
}): Html {
  const common = {
    class: 'inp',
    id,
    name: 'value',
    disabled: !editable,
    'aria-invalid': bad ? 'true' : null,
    'aria-describedby': bad ? `${id}-e` : null,
  }
  if (setting.type === 'bool' || setting.type === 'choice') {
    const choices = setting.type === 'bool' ? ['true', 'false'] : setting.choices
    const word = (one: string) => (setting.type !== 'bool' ? one : one === 'true' ? 'on' : 'off')
    return (
      <select {...common}>
        {choices.map((one) => (
          <option value={one} selected={one === value}>
            {word(one)}
          </option>
        ))}
      </select>
    )
  }
  if (setting.type === 'json' && !secret) {
    return (
      <textarea {...common} rows="3" spellcheck="false" maxlength="60000">
        {value}
      </textarea>
    )
  }
  return (
    <input
      {...common}
      type={secret ? 'password' : 'text'}
      autocomplete="off"
      spellcheck="false"
      value={secret ? null : value}
      placeholder={secret ? 'not shown; enter to replace' : null}
      inputmode={setting.type === 'integer' ? 'numeric' : null}
      title={allowed}
      maxlength="20000"
    />
  )
}
