// Events of workspaces, as an actor stores them.
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { WorkspaceId } from "../../src/domain/BrandedIds.ts"
import type { Journal } from "../../src/domain/ports/engine/Journal.ts"

/** Stores an event of a new subject, and returns its id. */
export const storeEvent = (journal: Journal["Service"], workspace_id: WorkspaceId, kind: string, payload = "{}") =>
  Effect.callback<string>((resume) => {
    const [id, subject_id] = [randomUUID(), randomUUID()]
    journal.append(
      {
        actor_type: "Toy",
        actor_id: subject_id,
        workspace_id,
        snapshot: { version: 1, state: "{}", columns: {} },
        events: [
          {
            id,
            workspace_id,
            subject_id,
            sequence: 1,
            kind,
            occurred_at: 0,
            late: false,
            payload,
            number_id: null,
            fan_out: true
          }
        ]
      },
      (outcome) => resume(outcome.ok ? Effect.succeed(id) : Effect.die(outcome.error))
    )
  })
