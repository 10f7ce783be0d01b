// Carries out the tasks of a call. Each may be done twice: its id or key travels with it.
import { Clock, Context, Effect, Layer } from "effect"
import type { Call, PlacedCall } from "../../domain/calls/state/Call.ts"
import {
  type CallbackRequest,
  type RawCallbackAttempt,
  shownAttempts
} from "../../domain/calls/state/CallbackAttempt.ts"
import { callbackBudget_ms } from "../../domain/calls/decide/ScriptSteps.ts"
import { callbackBody } from "../../domain/calls/views/CallbackBody.ts"
import type { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import type { Question } from "../../domain/calls/state/Script.ts"
import { toWorkspaceId } from "../../domain/BrandedIds.ts"
import type { CallWork } from "../../domain/calls/decide/PlanCall.ts"
import type { PbxCommand } from "../../domain/pbx/PbxCommand.ts"
import { Charges } from "../../domain/ports/calls/Charges.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { StreamHeaders } from "../../domain/ports/calls/StreamHeaders.ts"
import { CallbackFailure, VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import { CallActor } from "./CallActor.ts"
import { makeCallDial } from "./CallDial.ts"
import { makeDialledLeg } from "./DialledLeg.ts"
import { makeCallMoney, makeWaive } from "./CallMoney.ts"
import { makeCallConferences } from "./CallConferences.ts"
import { makeCallInbound } from "./CallInbound.ts"
import { makeCallRecordings } from "./CallRecordings.ts"
import { type CallSelf, type Done, placedCall, type WorkOf } from "./CallWork.ts"
import { dispatchSessionCommand } from "../pbx/DispatchCommand.ts"
import { Legs } from "./Legs.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform } from "../runtime/Definition.ts"
import { Wallets } from "../wallet/Wallets.ts"
import { traced } from "../../domain/Traced.ts"

type Ask = ReturnType<VoiceCallback["Service"]["ask"]>

/** One attempt for a port that reports none. */
const wholeExchange = (
  request: Pick<CallbackRequest, "url" | "body">,
  at: number,
  ended_at: number,
  answer: Effect.Success<Ask> | Effect.Error<Ask>
): RawCallbackAttempt => {
  const failure = answer instanceof CallbackFailure ? answer : undefined
  return {
    url: request.url,
    at,
    duration_ms: ended_at - at,
    http_status: failure?.http_status ?? null,
    error: failure?.detail ?? null,
    request: request.body,
    response: failure === undefined ? JSON.stringify({ actions: answer }) : null
  }
}

const isOfRouting = ({ facts }: PlacedCall, { url }: Question): boolean =>
  facts.direction === "inbound" && url === facts.voice_callback_url

const makeAskCallback = (callback: VoiceCallback["Service"]) =>
  traced("PerformCall.askCallback")(function* (work: WorkOf<"AskCallback">, self: CallSelf) {
    const call = placedCall(self)
    const { facts } = call
    const { question, step } = work
    const asked_at = yield* Clock.currentTimeMillis
    const body = callbackBody(call, question, asked_at)
    const reported: Array<RawCallbackAttempt> = []
    const asked = callback.ask({
      ...(isOfRouting(call, question) && { allow_http: true }),
      attempted: (attempt) => reported.push(attempt),
      url: question.url,
      fallback_url: facts.voice_fallback_url,
      workspace_id: facts.workspace_id,
      call_id: call.id,
      idempotency_key: `${call.id}:${step}:${question.reason}`,
      body,
      deadline_at: asked_at + callbackBudget_ms
    })
    const answer = yield* Effect.match(asked, { onSuccess: (actions) => actions, onFailure: (failure) => failure })
    const ended_at = yield* Clock.currentTimeMillis
    const attempts = shownAttempts(
      reported.length > 0 ? reported : [wholeExchange({ url: question.url, body }, asked_at, ended_at, answer)]
    )
    if (!(answer instanceof CallbackFailure))
      return yield* self.tell({ _tag: "CallbackSucceeded", step, actions: answer, attempts })
    const { cause, detail, http_status = null, pointer = null } = answer
    yield* self.tell({ _tag: "CallbackFailed", step, cause, detail, http_status, pointer, attempts })
  })

/** Adds what is known only when the command is sent: the signature, and the limit that the operator has set. */
const makeCompleteCommand = (headers: StreamHeaders["Service"], tenant_streams: number) =>
  Effect.fnUntraced(function* (command: PbxCommand) {
    const { action } = command
    if (action.kind !== "stream.start") return command
    const { account_id, call_id, stream_id, url } = action
    const workspace_id = toWorkspaceId(account_id)
    const signed = yield* headers.of({ workspace_id, call_id, stream_id, url })
    return { ...command, action: { ...action, headers: signed, tenant_streams } }
  })

const makeSendToPbx = (system: ActorSystem["Service"], complete: ReturnType<typeof makeCompleteCommand>) =>
  traced("PerformCall.sendToPbx")(function* ({ command, gateway_id, until }: WorkOf<"SendToPbx">) {
    if (until !== undefined && (yield* Clock.currentTimeMillis) >= until) return
    yield* dispatchSessionCommand(system, gateway_id, yield* complete(command))
  })

export class CallSettings extends Context.Service<
  CallSettings,
  {
    /** How many charges of calls whose first voice callback failed a workspace is given back in a day. 0: none. */
    readonly waived_calls_per_day: number
    /** How many media streams a workspace may have at once. */
    readonly max_streams: number
    /** How many conferences a workspace may have at once. */
    readonly max_conferences: number
  }
>()("trunkline/actors/CallSettings") {}

const make = ({ max_conferences, max_streams, waived_calls_per_day }: CallSettings["Service"]) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const sendToPbx = makeSendToPbx(system, makeCompleteCommand(yield* StreamHeaders, max_streams))
    const askCallback = makeAskCallback(yield* VoiceCallback)
    const ids = yield* Ids
    const waive = waived_calls_per_day > 0 ? makeWaive(yield* Wallets, ids, waived_calls_per_day) : undefined
    const money = makeCallMoney({ system, charges: yield* Charges, ids, waive })
    const admit = makeCallInbound(system, yield* Directory)
    const dial = makeCallDial(system, yield* Legs)
    const conferences = makeCallConferences(system, ids, max_conferences)
    const leg = makeDialledLeg(system)
    const notifyRecording = makeCallRecordings(system)

    const done = (work: CallWork, self: CallSelf): Done => {
      switch (work._tag) {
        case "SendToPbx":
          return sendToPbx(work)
        case "AskCallback":
          return askCallback(work, self)
        case "PrepayMinute":
        case "Settle":
        case "ReleaseHold":
          return money(work, self)
        case "Admit":
          return admit(self)
        case "SurveyDial":
          return dial.surveyDial(work, self)
        case "StartChild":
          return dial.startChild(work, self)
        case "StopChild":
          return dial.stopChild(work, self)
        case "ReleaseSpareHold":
          return dial.releaseSpareHold(work, self)
        case "ClaimPickUp":
          return leg.claimPickUp(work, self)
        case "NotifyParent":
          return leg.notifyParent(work, self)
        case "JoinConference":
          return conferences.joinConference(work, self)
        case "LeaveConference":
          return conferences.leaveConference(work, self)
        case "NotifyRecording":
          return notifyRecording(work, self)
      }
    }

    const perform: Perform<Call, CallCommands, CallWork> = (work, self) =>
      Effect.asVoid(retryWithBackoff(done(work, self)))
    yield* system.register(CallActor, perform)
  })

export const layer = Layer.effectDiscard(Effect.flatMap(CallSettings, make))
