import type { OsDefinition } from '../../definitions/definition.ts'
import { detectOs } from '../../definitions/detect.ts'
import { identify, identityNeedsChassis, identityScalars } from '../../definitions/identity.ts'
import { snmpEngineID, snmpEngineTime } from '../../mibs/snmp-framework-mib.ts'
import { sysContact, sysDescr, sysLocation, sysName, sysObjectID, sysUpTime } from '../../mibs/snmpv2-mib.ts'
import { type MibScalar, scalar } from '../../snmp/table.ts'
import { chassisOf, ENTITIES } from '../inventory/chassis.ts'
import { need, phase } from '../module.ts'
import type { SystemObservation } from '../observation.ts'
import { uptimeSeconds } from './uptime.ts'

/**
 * The system group and what the OS's definition makes of it. An agent that stopped answering leaves members `undefined`;
 * one that answered without sysObjectID and sysDescr keeps the OS it has: some leave the group out now and then.
 */
export function discoverSystem(definitions: ReadonlyMap<string, OsDefinition>) {
  const detect = (facts: { sysObjectID?: string | undefined; sysDescr?: string | undefined }) =>
    detectOs(definitions.values(), { sysObjectID: facts.sysObjectID ?? null, sysDescr: facts.sysDescr ?? null })
  return phase({
    scalars: { sysDescr, sysObjectID, sysUpTime, sysContact, sysName, sysLocation, snmpEngineID, snmpEngineTime },
    follow({ scalars }) {
      const { definition } = detect(scalars)
      if (definition === null) return []
      const wanted: Record<string, MibScalar<'DisplayString'>> = {}
      for (const oid of identityScalars(definition))
        wanted[oid] = scalar(`${definition.os} identity`, oid, 'DisplayString')
      const columns = identityNeedsChassis(definition) ? ENTITIES.columns : []
      return [{ key: 'identity', scalars: wanted, tables: { entities: { ...need(ENTITIES.table), columns } } }]
    },
    run({ scalars, scalarsComplete, followed }): readonly [SystemObservation] {
      const more = followed.get('identity')
      const known = scalars.sysObjectID !== undefined || scalars.sysDescr !== undefined
      const base: SystemObservation = {
        kind: 'system',
        sysDescr: scalars.sysDescr,
        sysObjectID: scalars.sysObjectID,
        sysName: scalars.sysName || undefined,
        sysContact: scalars.sysContact,
        sysLocation: scalars.sysLocation,
        snmpEngineID: scalars.snmpEngineID?.toHex(),
        uptime: uptimeSeconds(scalars.sysUpTime, scalars.snmpEngineTime),
      }
      if (!known || !scalarsComplete) return [base]
      const { os, type, icon, definition } = detect(scalars)
      if (definition === null || more === undefined) return [{ ...base, os, type, icon }]
      const texts = new Map(
        Object.entries(more.scalars).flatMap(([oid, text]): [string, string][] =>
          text === undefined ? [] : [[oid, text]],
        ),
      )
      const identity = identify(definition, {
        sysDescr: scalars.sysDescr ?? null,
        scalars: texts,
        chassis: chassisFields(chassisOf(more.tables.entities.rows)),
      })
      // What was cut short is not known to be empty.
      const whole = more.scalarsComplete && more.tables.entities.complete
      const told = (text: string | null) => text ?? (whole ? null : undefined)
      return [
        {
          ...base,
          os,
          type,
          icon,
          hardware: told(identity.hardware),
          version: told(identity.version),
          serial: told(identity.serial),
          features: told(identity.features),
        },
      ]
    },
  })
}

/** The texts of a chassis row: only what it has. */
function chassisFields(row: ReturnType<typeof chassisOf>): Record<string, string> | null {
  if (row === null) return null
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) if (typeof value === 'string') texts[name] = value
  return texts
}
