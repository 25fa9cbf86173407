/** A JSON value. */
export type Json = { [member: string]: Json } | Json[] | string | number | boolean | null
export type JsonObject = { [member: string]: Json }

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `properties` of a schema; empty if it has none. */
export function propertiesOf(model: Json | undefined): JsonObject {
  const properties = isObject(model) ? model['properties'] : undefined
  return isObject(properties) ? properties : {}
}
