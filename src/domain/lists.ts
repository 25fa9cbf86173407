/** Unbounded lists, read while they are sent. */
export type { ListChunk, ListChunks } from '../store/list-chunks.ts'
