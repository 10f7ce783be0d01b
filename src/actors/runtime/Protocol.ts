// An actor as an entity of the cluster: what crosses between processes, and how.
import { Schema, SchemaGetter } from "effect"
import { ClusterSchema, Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { FailureFromWire } from "../../domain/errors/FailureFromWire.ts"
import { NotCommitted } from "../../domain/ports/Journal.ts"
import type { Erased } from "./Erased.ts"

const NotCommittedFromWire = Schema.Struct({ not_committed: Schema.Literals(["stale", "duplicate", "unavailable"]) }).pipe(
  Schema.decodeTo(Schema.instanceOf(NotCommitted), {
    decode: SchemaGetter.transform(({ not_committed }) => new NotCommitted({ reason: not_committed })),
    encode: SchemaGetter.transform(({ reason }) => ({ not_committed: reason }))
  })
)

export const protocolOf = ({ type, wire }: Erased) =>
  Entity.make(type, [
    Rpc.make("ask", {
      payload: wire.command,
      success: wire.reply,
      error: Schema.Union([FailureFromWire, NotCommittedFromWire])
    }),
    /** Notices as they come; the first item, an empty one, says that from here on none is missed. */
    Rpc.make("follow", { success: Schema.Array(wire.notice), stream: true })
      .annotate(ClusterSchema.InterruptOnTermination, true),
    /** The actor's alarm rang, or there is news for it. */
    Rpc.make("wake"),
    /** Lasts as long as the actor is in memory, so that its entity does too. */
    Rpc.make("hold").annotate(ClusterSchema.InterruptOnTermination, true)
  ])

export type Protocol = ReturnType<typeof protocolOf>
