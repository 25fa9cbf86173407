import { t } from './elysia.ts'

/**
 * A whole number in a model. Elysia's `t.Integer` also allows numeric text, which answers must not contain. Appears in
 * the OpenAPI document as `integer`.
 */
export const whole = (options: { description?: string } = {}) => t.Number({ ...options, multipleOf: 1 })
