// Who follows a call live, kept for the timeline. It changes memory alone and is stored with the next change of the call:
// a stream is worth no write of its own.
import type { Call, StreamViewer } from "./Call.ts"

export type StreamViewerEvent =
  | { readonly _tag: "Watched"; readonly at: number; readonly stream_id: string; readonly by: string }
  | { readonly _tag: "Unwatched"; readonly at: number; readonly stream_id: string }

/** Of a call that is followed again and again the last are kept. */
const kept_max = 20

export const isWatching = ({ watches = [] }: Call, stream_id: string): boolean =>
  watches.some((watch) => watch.stream_id === stream_id && watch.closed_at === null)

export const evolveStreamViewers = (
  watches: ReadonlyArray<StreamViewer> = [],
  event: StreamViewerEvent
): ReadonlyArray<StreamViewer> => {
  const { at, stream_id } = event
  return event._tag === "Watched"
    ? [...watches, { stream_id, by: event.by, opened_at: at, closed_at: null }].slice(-kept_max)
    : watches.map((watch) =>
        watch.stream_id === stream_id && watch.closed_at === null ? { ...watch, closed_at: at } : watch
      )
}
