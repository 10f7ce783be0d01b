// Links to audio. A link gives access to the audio of one recording for 15 minutes, without an API key.
import { Option, Result, Schema } from "effect"
import { RecordingExpired, RecordingNotFound } from "../errors/CallErrors.ts"
import type { CursorSigner } from "../paging/CursorSigner.ts"
import { type RecordingId, WorkspaceId } from "../BrandedIds.ts"

export const linkLifetime_ms = 900_000

type Signer = CursorSigner["Service"]

const Payload = Schema.fromJsonString(Schema.Tuple([WorkspaceId, Schema.Int]))
const decodePayload = Schema.decodeUnknownOption(Payload)

const boundTo = (recording_id: RecordingId): string => `audio:${recording_id}`

/** The path of a link that expires at an instant in epoch milliseconds. */
export const audioPath = (
  signer: Signer,
  of: { readonly workspace_id: WorkspaceId; readonly recording_id: RecordingId },
  expires_at: number
): string =>
  `/v1/recordings/${of.recording_id}/audio?token=${signer.seal(
    JSON.stringify([of.workspace_id, expires_at]),
    boundTo(of.recording_id)
  )}`

/** The workspace of a link's recording. Fails if the token is damaged, is for another recording, or has expired. */
export const workspaceOfLink = (
  signer: Signer,
  recording_id: RecordingId,
  token: string,
  now: number
): Result.Result<WorkspaceId, RecordingNotFound | RecordingExpired> =>
  Option.match(decodePayload(signer.open(token, boundTo(recording_id))), {
    onNone: () => Result.fail(new RecordingNotFound({ message: "The link is damaged, or is for another recording." })),
    onSome: ([workspace_id, expires_at]) =>
      now < expires_at
        ? Result.succeed(workspace_id)
        : Result.fail(
            new RecordingExpired({
              reason: "link_expired",
              message: "The link has expired. The recording may still be available.",
              resolution: "Get a new link: GET /v1/calls/{id}/recording/download."
            })
          )
  })
