import { Clock, Context, Effect, Layer, Option, Queue } from "effect"
import { ChatAppNotices } from "../../actors/ingest/ChatAppNotices.ts"
import type { PermissionReply } from "../../domain/chatapp/PermissionReply.ts"

/** Permission replies of a simulated provider, without their time. */
export class SimulatedChatAppNotices extends Context.Service<
  SimulatedChatAppNotices,
  {
    readonly queue: Queue.Queue<Omit<PermissionReply, "at">>
  }
>()("trunkline/layers/SimulatedChatAppNotices") {}

/** How long a simulated user takes to reply. */
const replyDelay = "1 second"

/** Delivers the replies of a simulated provider, if one is used. */
export const announcements = Layer.effectDiscard(
  Effect.gen(function* () {
    const simulated = yield* Effect.serviceOption(SimulatedChatAppNotices)
    const notices = yield* ChatAppNotices
    if (Option.isNone(simulated)) return
    yield* Queue.take(simulated.value.queue).pipe(
      Effect.delay(replyDelay),
      Effect.flatMap((reply) => Effect.flatMap(Clock.currentTimeMillis, (at) => notices.replied({ ...reply, at }))),
      Effect.catch((error) => Effect.logWarning("A simulated permission reply was not accepted", error)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
