// Who follows a call live: kept for the timeline. Viewers change memory only, and are stored with the next change of
// the call; opening a stream is not worth a write.
import type { Call, StreamViewer } from "./Call.ts"

export type StreamViewerEvent =
  | { readonly _tag: "ViewerJoined"; readonly at: number; readonly stream_id: string; readonly by: string }
  | { readonly _tag: "ViewerLeft"; readonly at: number; readonly stream_id: string }

/** Older entries are dropped. */
const maxViewers = 20

export const isViewing = ({ watches = [] }: Call, stream_id: string): boolean =>
  watches.some((viewer) => viewer.stream_id === stream_id && viewer.closed_at === null)

export const evolveStreamViewers = (
  viewers: ReadonlyArray<StreamViewer> = [],
  event: StreamViewerEvent
): ReadonlyArray<StreamViewer> => {
  const { at, stream_id } = event
  return event._tag === "ViewerJoined"
    ? [...viewers, { stream_id, by: event.by, opened_at: at, closed_at: null }].slice(-maxViewers)
    : viewers.map((viewer) =>
        viewer.stream_id === stream_id && viewer.closed_at === null ? { ...viewer, closed_at: at } : viewer
      )
}
