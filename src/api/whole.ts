import { t } from 'elysia'

/**
 * A whole number in a model. Elysia's own `t.Integer` lets numeric text pass as well, which answers must not hold; the
 * OpenAPI document shows this one as `integer`.
 */
export const whole = (options: { description?: string } = {}) => t.Number({ ...options, multipleOf: 1 })
