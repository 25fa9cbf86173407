/** All of Elysia that the API and the pages use: only this file changes when a new major version calls it otherwise. */
export { type AnyElysia, Elysia, ElysiaCustomStatusResponse, t } from 'elysia'
