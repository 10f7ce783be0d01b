import type { Failure } from "../../domain/errors/Failure.ts"

/**
 * What became of one PBX event. `accepted`: processed. `duplicate`: it had been processed before. `ignored_late`: it
 * has no effect, because its session has ended or is unknown here. `failed`: it was not stored, and the gateway must
 * send it again. A Failure refuses the event for good.
 */
export type IngestOutcome = "accepted" | "duplicate" | "ignored_late" | "failed" | Failure
