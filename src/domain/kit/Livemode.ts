import { Effect, Schema } from "effect"

/** The member `livemode` of what customers read. An older engine, which has no sandboxes, does not send it. */
export const Livemode = Schema.Boolean.annotate({
  description: "`false` for what belongs to the sandbox (test mode)."
}).pipe(Schema.withDecodingDefaultKey(Effect.succeed(true)))
