import { Clock, Context, Effect, Layer, Option, Queue } from "effect"
import { ChatAppNotices } from "../../actors/ingest/ChatAppNotices.ts"
import type { PermissionReply } from "../../domain/chatapp/PermissionReply.ts"

/** What a simulated provider has to say: all but when it was. */
export class SimulatedChatAppNotices extends Context.Service<
  SimulatedChatAppNotices,
  {
    readonly queue: Queue.Queue<Omit<PermissionReply, "at">>
  }
>()("trunkline/layers/SimulatedChatAppNotices") {}

/** As long as somebody needs to read what they are asked. */
const replies_after = "1 second"

/** Takes what a simulated provider announces, if there is one, to the number that it concerns. */
export const announcements = Layer.effectDiscard(
  Effect.gen(function* () {
    const simulated = yield* Effect.serviceOption(SimulatedChatAppNotices)
    const news = yield* ChatAppNotices
    if (Option.isNone(simulated)) return
    yield* Queue.take(simulated.value.queue).pipe(
      Effect.delay(replies_after),
      Effect.flatMap((reply) => Effect.flatMap(Clock.currentTimeMillis, (at) => news.replied({ ...reply, at }))),
      Effect.catch((error) => Effect.logWarning("A simulated reply was not taken", error)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
