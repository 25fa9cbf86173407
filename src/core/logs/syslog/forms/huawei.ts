import { type Form, HEAD, type MessageText, prefixed } from './form.ts'

/**
 * `MODULE/severity/MNEMONIC(type):text`: Comware (H3C, HPE) and Huawei's VRP, which put `%%10` (the manufacturer and the
 * version) before it. The type (`l` log, `s` security, `t` trap) and a counter in brackets are no part of the name.
 */
const DIGEST = /^((?:%%\d\d)?[A-Z]\w{0,40}\/[0-7]\/\w{1,64})(?:\([a-z]{1,2}\))?(?:\[\d{1,10}\])?(?:: ?|;|(?=\s-))/i
/** ZTE: `An alarm 200507 ... sent by zte-a MPU-1/20/0 %PORT% Port ...`. */
const ZTE = /^(?:An (?:alarm|event) \d|.{0,160}?sent by ).{0,200}?%([A-Z][\w-]{0,30})%/

const digest = prefixed(DIGEST)

export const HUAWEI: readonly Form[] = [
  { os: ['vrp', 'yunshan', 'comware', 'smartax', 'smartax-mdu', 'huawei-smu'], anyone: true, read: digest },
  { os: ['zxr10', 'zte-zxa10'], anyone: false, read: zte },
]

function zte(text: string): MessageText | null {
  const program = ZTE.exec(text.slice(0, HEAD))?.[1]
  return program === undefined ? null : { program, msg: text }
}
