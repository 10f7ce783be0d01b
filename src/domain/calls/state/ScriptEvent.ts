// What can happen to the script of a call and to the legs that it dials. Instants are epoch milliseconds.
import type { CallbackAttempt } from "./CallbackAttempt.ts"
import type { LegRefusal } from "./CallFacts.ts"
import type { LegOutcome } from "./Dial.ts"
import type { Metadata } from "../../kit/Metadata.ts"
import type { Question } from "./Script.ts"
import type { VoiceAction } from "../verbs/VoiceAction.ts"
import type { CallId, SessionId } from "../../BrandedIds.ts"

export type ScriptEvent =
  | {
      readonly _tag: "CallbackAnswered"
      readonly at: number
      readonly actions: ReadonlyArray<VoiceAction>
      readonly attempts?: ReadonlyArray<CallbackAttempt>
    }
  /** `result`: how the action ended; absent if it took no time. */
  | { readonly _tag: "ActionDone"; readonly at: number; readonly result?: Readonly<Record<string, unknown>> }
  | {
      readonly _tag: "ActionsReplaced"
      readonly at: number
      readonly actions: ReadonlyArray<VoiceAction>
      /** The command of the action that is cut short. */
      readonly cut_command_id: string | null
    }
  | { readonly _tag: "CallbackAsked"; readonly at: number; readonly question: Question }
  | { readonly _tag: "Tagged"; readonly at: number; readonly metadata: Metadata }
  /** Every destination was checked; those that may be called are dialled next. */
  | { readonly _tag: "DialSurveyed"; readonly available_minor?: number }
  | { readonly _tag: "DialRefused"; readonly at: number; readonly to: string; readonly refusal: LegRefusal }
  /** The party has heard that the dialled destination has no rate, or could not be told in time. */
  | { readonly _tag: "RefusalSpoken"; readonly at: number }
  | { readonly _tag: "ChildAdded"; readonly child_call_id: CallId }
  /** A leg exists that this call does not wait for. */
  | { readonly _tag: "ChildOrphaned"; readonly child_call_id: CallId }
  | {
      readonly _tag: "ChildJoined"
      readonly at: number
      readonly child_call_id: CallId
      readonly session_id: SessionId
    }
  | {
      readonly _tag: "ChildEnded"
      readonly child_call_id: CallId
      readonly outcome: LegOutcome
      readonly sip_code: number | null
      readonly duration_seconds: number | null
    }
  | { readonly _tag: "ChildStopped"; readonly child_call_id: CallId }
  | { readonly _tag: "SpareHoldReleased"; readonly hold_id: string }
