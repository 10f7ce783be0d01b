// What one command decides: its reply and its change, before any of it takes effect.
import type { Tracer } from "effect"
import type { Entry } from "../../domain/journal/Rows.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { Recorded } from "./Definition.ts"
import type { Done, ErasedChange, ErasedWork, Next, Reply } from "./Erased.ts"

export interface Step {
  readonly reply: Reply
  readonly change?: ErasedChange
  readonly plan?: ReadonlyArray<ErasedWork>
  /** Absent for volatile changes. */
  readonly recorded?: Recorded
  readonly idempotency?: Entry["idempotency"]
  readonly span?: Tracer.Span
}
export type Durable = Step & Required<Pick<Step, "change" | "plan" | "recorded">>

/** A command that an actor has decided, and whoever waits for its reply. */
export interface Told<S extends Step = Step> {
  readonly command: unknown
  readonly step: S
  readonly done: Done
  /** What another actor is asked in the same turn. */
  readonly next?: Next | undefined
  /** Absent if the journal stores the decision by itself. Otherwise which of two tied decisions it is. */
  readonly tied?: "first" | "second"
}

export const isStored = (told: Told): told is Told<Durable> => told.step.recorded !== undefined

export const idempotencyOf = (command: unknown): IdempotentRequest | undefined =>
  (command as { readonly idempotency?: IdempotentRequest }).idempotency

export const tagOf = (message: unknown): string => (message as { readonly _tag?: string } | undefined)?._tag ?? "?"

/** The entry of a decision for the journal. */
export const entryOf = (
  { idempotency, recorded }: Durable,
  actor: Pick<Entry, "actor_id" | "actor_type">,
  version: number,
  alarm: number | null | undefined
): Entry => ({
  ...actor,
  workspace_id: recorded.workspace_id,
  snapshot: { version, state: recorded.state, columns: recorded.columns },
  ...(alarm !== undefined && { alarm }),
  ...(recorded.events && { events: recorded.events }),
  ...(recorded.trail && { trail: recorded.trail }),
  ...(recorded.holds && { holds: recorded.holds }),
  ...(recorded.needs_hold !== undefined && { needs_hold: recorded.needs_hold }),
  ...(recorded.ledger && { ledger: recorded.ledger }),
  ...(recorded.deliveries && { deliveries: recorded.deliveries }),
  ...(recorded.redeliveries && { redeliveries: recorded.redeliveries }),
  ...(recorded.audit && { audit: recorded.audit }),
  ...(idempotency && { idempotency })
})
