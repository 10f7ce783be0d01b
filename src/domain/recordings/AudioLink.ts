// Links to audio: whoever has one may fetch this audio, for a quarter of an hour, and nothing else.
import { Option, Result, Schema } from "effect"
import { RecordingExpired, RecordingNotFound } from "../errors/CallErrors.ts"
import type { CursorSigner } from "../ports/CursorSigner.ts"

export const link_valid_ms = 900_000

type Signer = CursorSigner["Service"]

const Payload = Schema.fromJsonString(Schema.Tuple([Schema.String, Schema.Int]))
const decodePayload = Schema.decodeUnknownOption(Payload)

const boundTo = (recording_id: string): string => `audio:${recording_id}`

/** The path of the link. */
export const audioPath = (
  signer: Signer,
  of: { readonly workspace_id: string; readonly recording_id: string },
  expires_at: number
): string =>
  `/v1/recordings/${of.recording_id}/audio?token=${signer.seal(
    JSON.stringify([of.workspace_id, expires_at]),
    boundTo(of.recording_id)
  )}`

/** The workspace that handed the link out. */
export const workspaceOfLink = (
  signer: Signer,
  recording_id: string,
  token: string,
  now: number
): Result.Result<string, RecordingNotFound | RecordingExpired> =>
  Option.match(decodePayload(signer.open(token, boundTo(recording_id))), {
    onNone: () => Result.fail(new RecordingNotFound({ message: "The link is damaged, or is not of this recording." })),
    onSome: ([workspace_id, expires_at]) =>
      now < expires_at
        ? Result.succeed(workspace_id)
        : Result.fail(
            new RecordingExpired({
              reason: "link_expired",
              message: "The link has expired; the recording may still be there.",
              resolution: "Ask for a new one: GET /v1/calls/{id}/recording/download."
            })
          )
  })
