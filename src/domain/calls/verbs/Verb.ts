// The shape of a row in the table of voice verbs (VoiceVerbs.ts).
import type { Schema } from "effect"
import type { Capability } from "../../pbx/Capabilities.ts"
import type { PbxAction } from "../../pbx/PbxCommand.ts"
import type { PbxEvent, PbxEventType } from "../../pbx/PbxEvent.ts"
import type { RecordingId } from "../../BrandedIds.ts"

/**
 * When an action may be carried out. `unanswered`: only before an inbound call is answered. `answered`: only on an
 * answered call; the engine answers an inbound call first. `any`: before the answer or after it.
 */
export type VerbPhase = "unanswered" | "answered" | "any"

/** What the voice callback at `action_url` is sent after the action. */
interface VerbResult<Payload> {
  /** The callback's `reason`. */
  readonly reason: string
  /** Where to ask for the next actions; undefined: the script goes on with the next action. */
  readonly action_url: (payload: Payload) => string | undefined
  /** The callback's `result`. `report`: how the PBX reported the end; null: it did not report within the timeout. */
  readonly read: (
    payload: Payload,
    report: PbxEvent | null,
    recording_id: RecordingId
  ) => Readonly<Record<string, unknown>>
}

/** The PBX carries the action out with one command, and reports its end. */
export interface RunByPbx<Payload> {
  readonly by: "pbx"
  /** After this many milliseconds without a report the call continues. */
  readonly timeout_ms: (payload: Payload) => number
  /** `recording_id`: the id of what this action records, if it records. */
  readonly toPbx: (payload: Payload, recording_id: RecordingId) => PbxAction
  /** Events that report the end. They are matched by command id; those of a recording by recording id. */
  readonly reports: ReadonlyArray<PbxEventType>
  readonly result: VerbResult<Payload> | null
}

/** Nothing happens for a while. */
interface RunByTime<Payload> {
  readonly by: "time"
  readonly timeout_ms: (payload: Payload) => number
}

/** The engine places legs, and the action ends with them. */
interface RunByLegs {
  readonly by: "legs"
  readonly result: { readonly reason: string }
}

/** The audio goes to the customer's application, and the action ends when the stream is over or is only a copy. */
interface RunByStream {
  readonly by: "stream"
  readonly result: { readonly reason: string }
}

/** What the engine does itself, in no time. `end`: it ends the call. */
export type EngineStep =
  | { readonly kind: "ask"; readonly url: string }
  | { readonly kind: "tag"; readonly metadata: Readonly<Record<string, string>> }
  /** Without a name all streams stop. */
  | { readonly kind: "stop_stream"; readonly name: string | undefined }
  | { readonly kind: "end"; readonly reason: "normal" | "busy" | "rejected" }

interface RunByEngine<Payload> {
  readonly by: "engine"
  readonly step: (payload: Payload) => EngineStep
}

/** The call is in a conference until one of them ends. */
interface RunByConference {
  readonly by: "conference"
  readonly result: { readonly reason: string }
}

export type VerbRun<Payload> =
  | RunByPbx<Payload>
  | RunByTime<Payload>
  | RunByLegs
  | RunByStream
  | RunByConference
  | RunByEngine<Payload>

export interface Verb<S extends Schema.Top, Run extends VerbRun<S["Type"]> = VerbRun<S["Type"]>> {
  readonly schema: S
  /**
   * Schemas that `schema` is the union of, by the one key that tells them apart: faults are then reported precisely.
   */
  readonly variants?: Readonly<Record<string, Schema.Top>>
  readonly phase: VerbPhase
  /** What the gateway of the call must be able to do beyond the first version of the protocol. */
  readonly needs?: Capability
  /** Whether the other party hears it, is asked by it, recorded or connected. */
  readonly engages: boolean
  readonly run: Run
}

/** A row, whose functions are typed by the schema of its payload. */
export const verb = <S extends Schema.Top, const Run extends VerbRun<S["Type"]>>(
  schema: S,
  row: Omit<Verb<S, Run>, "schema">
): Verb<S, Run> => ({ schema, ...row })
