// Reads the timeline of a call page after page, as far as it can be drawn.
import { request } from "../../api/Request.ts"
import type { Timeline } from "../../api/Types.ts"

const page_entries = 200
const pages_max = 10

export const readTimeline = async (path: string, signal: AbortSignal): Promise<Timeline> => {
  let read = await request<Timeline>("GET", path, { signal })
  for (let pages = 1; read.next_cursor !== null && pages < pages_max; pages++) {
    const query = { cursor: read.next_cursor }
    const next = await request<Timeline>("GET", path, { signal, query })
    read = { ...next, entries: [...read.entries, ...next.entries] }
  }
  return read
}

/** A timeline of many pages is read again as many times more seldom. */
export const timelinePace = (pace: number | false, entries: number): number | false =>
  pace !== false && pace * Math.max(1, Math.ceil(entries / page_entries))
