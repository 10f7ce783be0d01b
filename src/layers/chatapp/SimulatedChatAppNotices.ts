import { Clock, Context, Effect, Layer } from "effect"
import { ChatAppNotices } from "../../actors/ingest/ChatAppNotices.ts"
import type { PermissionReply } from "../../domain/chatapp/PermissionReply.ts"

/** Permission replies of a simulated provider, without their time. */
export class SimulatedChatAppNotices extends Context.Service<
  SimulatedChatAppNotices,
  {
    /** Waits for the next reply. */
    readonly take: Effect.Effect<Omit<PermissionReply, "at">>
  }
>()("trunkline/layers/SimulatedChatAppNotices") {
  /** For real providers: their replies come as webhooks. */
  static readonly none = Layer.succeed(SimulatedChatAppNotices)({ take: Effect.never })
}

/** How long a simulated user takes to reply. */
const replyDelay = "1 second"

/** Delivers the replies of a simulated provider. */
export const announcements = Layer.effectDiscard(
  Effect.gen(function* () {
    const { take } = yield* SimulatedChatAppNotices
    const notices = yield* ChatAppNotices
    yield* take.pipe(
      Effect.delay(replyDelay),
      Effect.flatMap((reply) => Effect.flatMap(Clock.currentTimeMillis, (at) => notices.replied({ ...reply, at }))),
      Effect.catch((error) => Effect.logWarning("A simulated permission reply was dropped", error)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
