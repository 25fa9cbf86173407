/** @jsxImportSource #jsx */
import type { ModuleState, SwitchState } from '../../../../core/devices/overrides.ts'
import { Button, Form } from '../../../components/form.tsx'
import { Card, plain } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../../page.ts'

/** Limited by the number of fields that a form may have. */
const MAX_MODULES = 90

/** Switches of modules for one device. */
export function Modules({
  visit,
  modules,
}: {
  readonly visit: PageRequest
  readonly modules: readonly ModuleState[]
}): Html {
  return (
    <Card title="Modules" sub="for this device only">
      {modules.length === 0 ? (
        <p class="hint body">Modules are listed after the first discovery.</p>
      ) : (
        <Form visit={visit} name="modules">
          <div class="scroll" tabindex="0" role="region" aria-label="Modules">
            <table>
              <thead>
                <tr>
                  <th scope="col">Module</th>
                  <th scope="col">Discovery</th>
                  <th scope="col">Polling</th>
                </tr>
              </thead>
              <tbody>
                {modules.slice(0, MAX_MODULES).map(({ module, discover, poll }) => (
                  <tr>
                    <td>
                      <span class="name">{plain(module)}</span>
                    </td>
                    <td>
                      <Switch name={`discover-${module}`} label={`Discovery of ${module}`} state={discover} />
                    </td>
                    <td>
                      <Switch name={`poll-${module}`} label={`Polling of ${module}`} state={poll} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <div class="acts">
            <Button first>Save</Button>
          </div>
        </Form>
      )}
    </Card>
  )
}

function Switch({
  name,
  label,
  state: { own, on, by },
}: {
  readonly name: string
  readonly label: string
  readonly state: SwitchState
}): Html {
  const usual = own === null ? ` (${on ? 'on' : 'off'})` : ''
  return (
    <select class="inp" name={name} aria-label={label} title={by === null ? null : `decided by ${by}`}>
      <option value="" selected={own === null}>
        as set in the settings{usual}
      </option>
      <option value="1" selected={own === true}>
        on
      </option>
      <option value="0" selected={own === false}>
        off
      </option>
    </select>
  )
}
