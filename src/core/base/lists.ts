/** Unbounded lists, which are read while they are sent. */
export type { ListChunk, ListChunks } from '../database/list-chunks.ts'
