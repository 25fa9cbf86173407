/** Lists without an end, read while they are sent. */
export type { ListChunk, ListChunks } from '../store/readers/list-chunks.ts'
