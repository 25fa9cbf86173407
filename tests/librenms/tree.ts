import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CompiledTree, compileTree, treeOf } from '../../src/librenms/compile-tree.ts'

const SMI = `SNMPv2-SMI DEFINITIONS ::= BEGIN
org OBJECT IDENTIFIER ::= { iso 3 }
enterprises OBJECT IDENTIFIER ::= { org 6 1 4 1 }
END
`

/** A module of an invented vendor: buoys that measure water. */
const BUOY = `BUOY-MIB DEFINITIONS ::= BEGIN
IMPORTS OBJECT-TYPE, enterprises FROM SNMPv2-SMI;
buoy OBJECT IDENTIFIER ::= { enterprises 64998 }
Tenths ::= TEXTUAL-CONVENTION DISPLAY-HINT "d-1" STATUS current DESCRIPTION "" SYNTAX INTEGER
bModel OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { buoy 1 }
bSerial OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { buoy 2 }
bProbeTable OBJECT-TYPE SYNTAX SEQUENCE OF BProbeEntry ACCESS not-accessible STATUS mandatory ::= { buoy 10 }
bProbeEntry OBJECT-TYPE SYNTAX BProbeEntry ACCESS not-accessible STATUS mandatory INDEX { bProbeIndex } ::= { bProbeTable 1 }
bProbeIndex OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { bProbeEntry 1 }
bProbeName OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { bProbeEntry 2 }
bProbeKind OBJECT-TYPE SYNTAX INTEGER { air(1), water(2) } ACCESS read-only STATUS mandatory ::= { bProbeEntry 3 }
bProbeValue OBJECT-TYPE SYNTAX Tenths ACCESS read-only STATUS mandatory ::= { bProbeEntry 4 }
bProbeHigh OBJECT-TYPE SYNTAX Tenths ACCESS read-only STATUS mandatory ::= { bProbeEntry 5 }
bProbeState OBJECT-TYPE SYNTAX INTEGER { ok(1), high(2), lost(3) } ACCESS read-only STATUS mandatory ::= { bProbeEntry 6 }
bDeckTable OBJECT-TYPE SYNTAX SEQUENCE OF BDeckEntry ACCESS not-accessible STATUS mandatory ::= { buoy 20 }
bDeckEntry OBJECT-TYPE SYNTAX BDeckEntry ACCESS not-accessible STATUS mandatory INDEX { bDeckName } ::= { bDeckTable 1 }
bDeckName OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { bDeckEntry 1 }
bDeckLabel OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { bDeckEntry 2 }
bLampTable OBJECT-TYPE SYNTAX SEQUENCE OF BLampEntry ACCESS not-accessible STATUS mandatory ::= { buoy 21 }
bLampEntry OBJECT-TYPE SYNTAX BLampEntry ACCESS not-accessible STATUS mandatory INDEX { bDeckName, bLampIndex } ::= { bLampTable 1 }
bLampIndex OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { bLampEntry 1 }
bLampLoad OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { bLampEntry 2 }
bLampMw OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { bLampEntry 3 }
bCpuIdle OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { buoy 30 }
bMemTotal OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { buoy 31 }
bMemFree OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { buoy 32 }
bDiskTable OBJECT-TYPE SYNTAX SEQUENCE OF BDiskEntry ACCESS not-accessible STATUS mandatory ::= { buoy 33 }
bDiskEntry OBJECT-TYPE SYNTAX BDiskEntry ACCESS not-accessible STATUS mandatory INDEX { bDiskIndex } ::= { bDiskTable 1 }
bDiskIndex OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { bDiskEntry 1 }
bDiskName OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { bDiskEntry 2 }
bDiskPct OBJECT-TYPE SYNTAX Tenths ACCESS read-only STATUS mandatory ::= { bDiskEntry 3 }
END
`

export const BUOY_DETECTION = `os: buoy
text: 'Tide Buoy'
type: environment
mib_dir: tide
discovery:
    - sysObjectID: [ .1.3.6.1.4.1.64998.1 ]
      sysDescr_regex: '/^Buoy \\d/'
`

export const BUOY_DISCOVERY = `modules:
    os:
        sysDescr_regex: '/^Buoy (?<hardware>\\S+), firmware (?<version>[\\d.]+)/'
        hardware: [ BUOY-MIB::bModel.0 ]
        hardware_template: '{{ BUOY-MIB::bModel.0 }} for sea'
        serial: BUOY-MIB::bSerial.0
        serial_regex: '/SN:(?<serial>\\w+)/'
    sensors:
        additional_oids:
            data: [ { oid: [ BUOY-MIB::bDeckLabel ] } ]
        temperature:
            options: { divisor: 10 }
            data:
                - oid: BUOY-MIB::bProbeTable
                  value: BUOY-MIB::bProbeValue
                  num_oid: '.1.3.6.1.4.1.64998.10.1.4.{{ $index }}'
                  descr: BUOY-MIB::bProbeName
                  index: 'bProbeValue.{{ $index }}'
                  high_limit: BUOY-MIB::bProbeHigh
                  skip_values: [ { oid: BUOY-MIB::bProbeKind, op: '!=', value: 1 } ]
        state:
            data:
                - oid: BUOY-MIB::bProbeTable
                  value: BUOY-MIB::bProbeState
                  num_oid: '.1.3.6.1.4.1.64998.10.1.6.{{ $index }}'
                  descr: '{{ BUOY-MIB::bProbeName }} state'
                  index: 'bProbeState.{{ $index }}'
                  state_name: bProbeState
                  states:
                      - { value: 1, generic: 0, descr: ok }
                      - { value: 2, generic: 1, descr: on }
                      - { value: 3, generic: 2, descr: lost }
                  skip_values: 3
        current:
            data:
                - oid: BUOY-MIB::bLampTable
                  value: BUOY-MIB::bLampLoad
                  num_oid: '.1.3.6.1.4.1.64998.21.1.2.{{ $index }}'
                  descr: 'Deck {{ BUOY-MIB::bDeckLabel:0-2 }} lamp {{ $subindex3 }}'
                  group: 'Deck {{ $index_string }}'
                  low_limit: 0.5
        dbm:
            data:
                - oid: BUOY-MIB::bLampMw
                  num_oid: '.1.3.6.1.4.1.64998.21.1.3.{{ $index }}'
                  descr: 'Lamp {{ $subindex3 }} {{$index}}'
                  divisor: 100
                  user_func: mw_to_dbm
                  skip_value_lt: 1
        voltage:
            data:
                - oid: BUOY-MIB::bNothing
                  num_oid: '.1.3.6.1.4.1.64998.99.{{ $index }}'
                  descr: Nothing
    processors:
        data:
            - { oid: 'BUOY-MIB::bCpuIdle', num_oid: '.1.3.6.1.4.1.64998.30.{{ $index }}', descr: 'Controller {{ $count }}', precision: -1 }
    mempools:
        data:
            - { total: 'BUOY-MIB::bMemTotal', free: 'BUOY-MIB::bMemFree', descr: 'controller memory', precision: 1024 }
    storage:
        data:
            - { oid: 'BUOY-MIB::bDiskTable', percent_used: 'BUOY-MIB::bDiskPct', descr: 'BUOY-MIB::bDiskName', type: flash }
`

/**
 * A tree in a temporary folder; `files` replace those of the invented installation or come on top, null leaves one out.
 */
export function treeFolder(files: Readonly<Record<string, string | null>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'portlight-tree-'))
  const all: Record<string, string | null> = {
    'mibs/SNMPv2-SMI': SMI,
    'mibs/tide/BUOY-MIB': BUOY,
    'resources/definitions/os_detection/buoy.yaml': BUOY_DETECTION,
    'resources/definitions/os_discovery/buoy.yaml': BUOY_DISCOVERY,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    if (text === null) continue
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return root
}

export const BUOY_MODULE = BUOY

/** Compiles a tree. Throws if the folder is not one. */
export function compiled(root: string): CompiledTree {
  const tree = treeOf(root)
  if (tree === null) throw new Error(`${root} is not a tree`)
  const steps = compileTree(tree)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
