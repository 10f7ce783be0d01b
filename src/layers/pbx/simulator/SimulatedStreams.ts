// The media streams of the simulated PBX: each has a phone of its own, which speaks a tone and echoes what it hears.
import type { PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import type { MediaRelay } from "../MediaRelay.ts"
import { SessionStreams } from "../SessionStreams.ts"
import type { Session } from "./Sessions.ts"

export const simulatedStreams = (
  relay: MediaRelay | undefined,
  report: (session: Session, type: PbxEventType, data: PbxEventData) => void
): SessionStreams<Session> | undefined =>
  relay &&
  new SessionStreams<Session>({
    relay,
    report,
    connect: (_session, { stream_id }) => {
      relay.attach(stream_id, { kind: "phone" })
      relay.joined(stream_id)
    },
    release: () => {}
  })
