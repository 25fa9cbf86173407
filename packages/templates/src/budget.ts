import { TemplateError } from './tree.ts'
import { isItems, type Value } from './value.ts'

/** How much one rendering may do. */
export interface TemplateLimits {
  /** Values, parts and function calls; long texts count more. */
  readonly steps: number
  /** Characters of the output, and of any intermediate text. */
  readonly length: number
}

const CHARACTERS_A_STEP = 100

/** What is left of the limits. Throws TemplateError when they are exceeded. */
export class Budget {
  #steps: number
  readonly #limits: TemplateLimits

  constructor(limits: TemplateLimits) {
    this.#limits = limits
    this.#steps = limits.steps
  }

  spend(steps = 1): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new TemplateError(`More than ${this.#limits.steps} steps`)
  }

  /** A value is about to be read as a whole. */
  read(value: Value): void {
    if (typeof value === 'string') this.text(value.length)
    else if (isItems(value)) this.spend(value.size)
  }

  /** A text has grown to this length, for which steps have been spent. */
  longest(length: number): void {
    if (length > this.#limits.length) throw new TemplateError(`A text of more than ${this.#limits.length} characters`)
  }

  /** A text of this length is about to be created or read. */
  text(length: number): void {
    this.longest(length)
    this.spend(length / CHARACTERS_A_STEP)
  }
}
