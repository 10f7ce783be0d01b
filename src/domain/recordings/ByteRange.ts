// The byte range of a request (RFC 9110, section 14).

export interface ByteRange {
  readonly start: number
  /** The first byte that is not in the range. */
  readonly end: number
}

const spec = /^bytes=(\d{1,15})?-(\d{1,15})?$/

/**
 * `whole` if there is no range, or one that a server may ignore: in another unit, several ranges, malformed.
 * `unsatisfiable` if no byte of it exists.
 */
export const byteRange = (header: string | undefined, size_bytes: number): ByteRange | "whole" | "unsatisfiable" => {
  const [, first, last] = spec.exec(header?.replaceAll(" ", "") ?? "") ?? []
  if (first === undefined) {
    if (last === undefined) return "whole"
    const length = Math.min(Number(last), size_bytes)
    return length === 0 ? "unsatisfiable" : { start: size_bytes - length, end: size_bytes }
  }
  const start = Number(first)
  if (last !== undefined && Number(last) < start) return "whole"
  if (start >= size_bytes) return "unsatisfiable"
  return { start, end: last === undefined ? size_bytes : Math.min(Number(last) + 1, size_bytes) }
}
