import { absent, invalid } from '../../../core/base/errors.ts'
import type { GraphOutcome } from '../../../core/base/graphs.ts'
import { unreachable } from '../../../lib/unreachable.ts'
import { image, json } from '../../respond.ts'

/**
 * The image, JSON with the image (`output=base64`), or its numbers. Throws `absent` if the graph does not exist or has
 * no samples.
 */
export function graphAnswer(outcome: GraphOutcome, type: string, output: string | undefined): Response {
  switch (outcome.kind) {
    case 'image':
      if (output !== 'base64') return image(outcome.bytes, outcome.contentType)
      return json({
        status: 'ok',
        image: { image: outcome.bytes.toBase64(), 'content-type': outcome.contentType },
        count: 2,
      })
    case 'figures':
      return json({ status: 'ok', ...outcome.figures })
    case 'chart':
      return json({ status: 'ok', ...outcome.chart })
    case 'bad-size':
    case 'bad-time':
      throw invalid(outcome.message)
    case 'unknown-type':
      throw absent(outcome.message)
    case 'no-data':
      throw absent(`No Data file ${type}`)
    default:
      return unreachable(outcome)
  }
}
