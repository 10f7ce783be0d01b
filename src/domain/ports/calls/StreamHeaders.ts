import { Context, Effect, Layer } from "effect"
import type { WorkspaceId } from "../../BrandedIds.ts"

/** The headers with which the application of a media stream recognises the engine. */
export class StreamHeaders extends Context.Service<
  StreamHeaders,
  {
    /** Its signatures, over the URL, the ids of the call and the stream, and the present time, and these ids. */
    readonly of: (stream: {
      readonly workspace_id: WorkspaceId
      readonly call_id: string
      readonly stream_id: string
      readonly url: string
    }) => Effect.Effect<Readonly<Record<string, string>>>
  }
>()("trunkline/domain/ports/StreamHeaders") {
  /** For tests whose applications check no signature. */
  static readonly none = Layer.succeed(StreamHeaders)({ of: () => Effect.succeed({}) })
}
