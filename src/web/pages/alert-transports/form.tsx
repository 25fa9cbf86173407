/** @jsxImportSource #jsx */
import type { ShownTransport, TransportKind } from '../../../core/alerts/transports/admin.ts'
import { Button, Check, Field, Form } from '../../components/form.tsx'
import { Card, Words } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { KindFields } from './fields.tsx'
import { SendingFields } from './sending.tsx'

/** What is being edited. */
export interface Edited {
  readonly kind: TransportKind
  /** null: a new transport. */
  readonly stored: ShownTransport | null
}

/** The form of a transport. */
export function Editor({
  edited: { kind, stored },
  visit,
}: {
  readonly edited: Edited
  readonly visit: PageRequest
}): Html {
  return (
    <div class="narrow">
      <Card title={kind.title} sub={<Words text={kind.about} />}>
        <Form visit={visit} name={stored === null ? 'add' : 'change'} to={visit.url.pathname + visit.url.search}>
          {stored === null ? <Field visit={visit} id="name" label="Name" maxLength={100} required /> : null}
          <KindFields kind={kind} stored={stored?.settings ?? null} form={visit.sent} />
          <SendingFields visit={visit} sending={stored?.sending ?? null} kind={kind.grouping} />
          <Check visit={visit} name="default" label="Used by rules without a transport" on={stored?.default === true} />
          <div class="acts">
            <Button first>{stored === null ? 'Add transport' : 'Save transport'}</Button>
            <a class="btn" href="/alerts/transports">
              Cancel
            </a>
          </div>
        </Form>
      </Card>
    </div>
  )
}
