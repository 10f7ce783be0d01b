// What the engine refuses when it has too much to do, by what this process shows.
import { Layer } from "effect"
import { Overload } from "../http/request/Overload.ts"
import * as PostgresJournal from "../layers/postgres/journal/Journal.ts"
import * as ProcessSignals from "../layers/telemetry/ProcessSignals.ts"
import type { Settings } from "./Settings.ts"

/** Watches the journal that the actors write to: layers are built once. */
export const overload = ({ max_event_loop_delay_ms, max_requests }: Settings["Service"]) =>
  Overload.layer({ max_requests, event_loop_ms: max_event_loop_delay_ms }).pipe(
    Layer.provide([PostgresJournal.layer, ProcessSignals.layer])
  )
