// What the store of recordings needs of a folder or an object store.

export interface Objects {
  /** Writes an object of `size_bytes`, replacing an earlier one. If the bytes end with an error, nothing is written. */
  readonly put: (key: string, size_bytes: number, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** Reads from `start` (inclusive) to `end` (exclusive). */
  readonly get: (key: string, start: number, end: number) => AsyncIterable<Uint8Array>
  /** Removes an object. Succeeds if there is none. */
  readonly remove: (key: string) => Promise<void>
}
