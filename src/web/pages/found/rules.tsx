/** @jsxImportSource #jsx */
import type { CandidateRule } from '../../../core/candidates/candidate.ts'
import { SOURCE_KINDS } from '../../../core/candidates/service.ts'
import { Button, Choice, Confirm, Field, Form, Hidden, ofForm } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, Empty, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { FoundTabs } from './tabs.tsx'
import { SOURCE_WORDS } from './words.ts'

const ADDRESS = '/found/rules'

/** Rules that decide about candidates by themselves, in order. */
export const candidateRulesPage = page<{ readonly rules: readonly CandidateRule[] }>({
  path: ADDRESS,
  gate: 'admin',
  load: async ({ services, actor }) => ({ rules: await services.candidates.rules(actor) }),
  view: ({ rules }, visit) => ({
    title: 'Rules for found devices',
    crumbs: [{ label: 'Found', href: '/found' }, { label: 'Rules' }],
    body: (
      <>
        <div class="head">
          <h1>Rules for found devices</h1>
          <p>
            The first rule that fits decides: the candidate is added at once, or ignored. Where none fits, it waits in
            Found.
          </p>
        </div>
        <FoundTabs visit={visit} here={ADDRESS} />
        <div class="cols">
          <Card title="Rules" sub={count(rules.length)}>
            <Table
              columns={columns(rules, visit)}
              rows={rules}
              query={visit.query}
              caption="Rules in their order"
              empty={
                <Empty
                  title="No rules: everything that is found waits"
                  help={['how-to/found-devices', 'What rules can do']}
                />
              }
            />
          </Card>
          <RuleForm visit={visit} />
        </div>
      </>
    ),
  }),
  actions: {
    async add(visit, form) {
      await refusalsAsFormErrors(() => visit.services.candidates.addRule(visit.actor, ruleOf(form)))
      return { to: ADDRESS }
    },
    async up(visit, form) {
      const { candidates } = visit.services
      const ids = (await candidates.rules(visit.actor)).map(({ id }) => id)
      const at = ids.indexOf(idOf(form.get('id')))
      if (at > 0) await candidates.orderRules(visit.actor, ids.with(at, ids[at - 1] ?? 0).with(at - 1, ids[at] ?? 0))
      return { to: ADDRESS }
    },
    async delete(visit, form) {
      await refusalsAsFormErrors(() => visit.services.candidates.deleteRule(visit.actor, idOf(form.get('id'))))
      return { to: ADDRESS }
    },
  },
})

/** The rule of the form; the service checks it. */
function ruleOf(form: FormData): Omit<CandidateRule, 'id' | 'position'> {
  const text = (name: string) => form.get(name)?.trim() || undefined
  return {
    action: form.get('action') === 'accept' ? 'accept' : 'ignore',
    network: text('network'),
    os: text('os'),
    sysName: text('sysname'),
    platform: text('platform'),
    protocol: text('protocol'),
  }
}

/** What a rule fits, in words: `in 198.51.100.0/24, system ios`. */
function conditionText({ network, os, sysName, platform, protocol }: CandidateRule): string {
  const parts = [
    network === undefined ? '' : `in ${network}`,
    os === undefined ? '' : `system ${os}`,
    sysName === undefined ? '' : `sysName like ${sysName}`,
    platform === undefined ? '' : `platform like ${platform}`,
    protocol === undefined ? '' : `seen by ${protocolWord(protocol)}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'everything' : plain(parts.join(', '))
}

function protocolWord(protocol: string): string {
  const kind = SOURCE_KINDS.find((one) => one === protocol)
  return kind === undefined ? protocol : SOURCE_WORDS[kind]
}

function columns(rules: readonly CandidateRule[], visit: PageRequest): readonly Column<CandidateRule>[] {
  const first = rules[0]?.id
  return [
    {
      id: 'what',
      label: 'Rule',
      class: 'full',
      cell: (rule) => (
        <span class="wrap" dir="auto">
          {conditionText(rule)}
        </span>
      ),
    },
    {
      id: 'action',
      label: 'Action',
      class: 'r',
      cell: ({ action }) => (action === 'accept' ? <Pill tone="ok">Add</Pill> : <Pill tone="off">Ignore</Pill>),
    },
    {
      id: 'acts',
      label: 'Change',
      quiet: true,
      class: 'num full',
      cell: (rule) => (
        <>
          {rule.id === first ? null : (
            <Form visit={visit} name="up" line>
              <Hidden name="id" value={rule.id} />
              <Button small label={`Move up: ${conditionText(rule)}`}>
                Up
              </Button>
            </Form>
          )}{' '}
          <Confirm
            visit={visit}
            name="delete"
            label="Delete"
            question="Candidates that it ignored stay ignored."
            about={conditionText(rule)}
            small
          >
            <Hidden name="id" value={rule.id} />
          </Confirm>
        </>
      ),
    },
  ]
}

function RuleForm({ visit: whole }: { readonly visit: PageRequest }): Html {
  const visit = ofForm(whole, 'add')
  return (
    <Card title="New rule">
      <Form visit={visit} name="add">
        <Choice
          visit={visit}
          id="action"
          label="What fits is"
          value="ignore"
          options={[
            { value: 'ignore', label: 'ignored' },
            { value: 'accept', label: 'added as a device at once' },
          ]}
        />
        <Field visit={visit} id="network" label="Network" maxLength={50} placeholder="198.51.100.0/24" />
        <Field visit={visit} id="os" label="System" maxLength={50} placeholder="ios" />
        <Field
          visit={visit}
          id="sysname"
          label="sysName"
          maxLength={200}
          placeholder="/^sep[0-9a-f]+/i"
          hint="A regular expression, with or without PHP's delimiters."
        />
        <Field
          visit={visit}
          id="platform"
          label="Platform"
          maxLength={200}
          placeholder="/^Cisco IP Phone/"
          hint="A regular expression, for what the neighbour protocol says of it."
        />
        <Choice
          visit={visit}
          id="protocol"
          label="Seen by"
          value=""
          options={[
            { value: '', label: 'anything' },
            ...SOURCE_KINDS.map((value) => ({ value, label: SOURCE_WORDS[value] })),
          ]}
        />
        <p class="hint">Empty fields fit everything. The rule is added at the end.</p>
        <div class="acts">
          <Button first>Add rule</Button>
        </div>
      </Form>
    </Card>
  )
}
