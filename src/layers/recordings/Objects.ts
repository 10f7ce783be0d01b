// A place for encrypted objects: what the store of recordings needs of a folder or of an object store.

export interface Objects {
  /** All of the bytes, `size_bytes` of them, in place of what was there; nothing where they break off. */
  readonly put: (key: string, size_bytes: number, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** From `start` up to and without `end`. */
  readonly get: (key: string, start: number, end: number) => AsyncIterable<Uint8Array>
  /** Removing what is not there succeeds. */
  readonly remove: (key: string) => Promise<void>
}
