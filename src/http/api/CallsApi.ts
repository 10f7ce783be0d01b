import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CallEventRecord } from "../../domain/calls/views/CallEventRecord.ts"
import { StreamedEvent } from "../../domain/calls/views/CallNotice.ts"
import { TranscriptDelta, TranscriptTurn } from "../../domain/calls/state/Transcript.ts"
import { DestinationCheck } from "../../domain/calls/policy/DestinationCheck.ts"
import { CallRecord, CallStatus } from "../../domain/calls/state/CallRecord.ts"
import { Termination } from "../../domain/calls/state/CallCommand.ts"
import { OriginateRequest } from "../../domain/calls/verbs/OriginateRequest.ts"
import { UpdateCallRequest } from "../../domain/calls/verbs/UpdateCallRequest.ts"
import {
  CallConcurrencyLimitReached,
  CallDestinationRefused,
  CallEventsFailed,
  CallGatewayUnavailable,
  CallGetFailed,
  CallInvalidCallbackUrl,
  CallInvalidDestination,
  CallListFailed,
  CallNotFound,
  CallActionUnsupported,
  CallNotInProgress,
  CallRateLimited,
  CallSpendLimitReached
} from "../../domain/errors/CallErrors.ts"
import { BadRequest, RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletInsufficientFunds, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { WebhookDispatcherUnavailable, WebhookLimitReached } from "../../domain/errors/WebhookErrors.ts"
import { CallRef, idOf } from "../request/CallRef.ts"
import { FilterInstant, FilterNumber, FilterText } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { NumberId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

export const CallWithEvents = Schema.Struct({
  ...CallRecord.fields,
  events: Schema.Array(CallEventRecord).annotate({
    description: "The newest 200 events of the call, oldest first."
  }),
  events_has_more: Schema.Boolean.annotate({
    description: "Whether the call has older events. `GET /v1/calls/{id}/events` lists all of them."
  }),
  transcript: Schema.optionalKey(Schema.Array(TranscriptTurn)).annotate({
    description: "The newest 1,000 turns of the transcript, oldest first. Present with `transcript=1`."
  }),
  transcript_has_more: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Whether the transcript has older turns. `GET /v1/calls/{id}/events?transcript=1` lists all of them. Present with `transcript=1`."
  })
}).annotate({ identifier: "CallWithEvents" })

export const TerminatedCall = Schema.Struct({
  ...CallRecord.fields,
  termination: Termination.annotate({
    description: "Whether this request ended the call, an earlier request ended it, or it had already ended."
  })
}).annotate({ identifier: "TerminatedCall" })

const TerminateRequest = Schema.Struct({
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(256))).annotate({
    description: "A reason for your own records."
  })
}).annotate({ identifier: "TerminateRequest" })

const ref = { id: CallRef }

const endpoint = customerEndpoints({ read: { scope: "calls.read" }, write: { scope: "calls.write", role: "member" } })

export class CallsApi extends HttpApiGroup.make("calls")
  .add(
    endpoint.post("originate", "/v1/calls/originate", {
      summary: "Place a call",
      description:
        "Places a hold for the first minute and rings the destination. The response comes at once, with the status " +
        "`ringing`. Follow the call with its stream, with webhooks or by reading it. When the remote party answers, " +
        "the platform carries out `actions`, or asks `voice_callback_url` what to do.",
      policy: { shed: "calls" },
      payload: OriginateRequest,
      success: HttpApiSchema.WithHeaders(CallRecord, {
        location: Schema.String.annotate({ description: "The URL of the call." })
      }).pipe(HttpApiSchema.status(201)),
      errors: [
        WalletInsufficientFunds,
        CallSpendLimitReached,
        NumberNotFound,
        WalletNotFound,
        NumberNotActive,
        CallInvalidDestination,
        CallDestinationRefused,
        CallActionUnsupported,
        CallInvalidCallbackUrl,
        CallConcurrencyLimitReached,
        CallRateLimited,
        CallGatewayUnavailable,
        WebhookLimitReached,
        WebhookDispatcherUnavailable
      ]
    }),
    endpoint.list("list", "/v1/calls", {
      summary: "List calls",
      description: "Newest first. In the query, the `+` of a number may be encoded as `%2B`.",
      query: {
        status: Schema.optionalKey(CallStatus),
        direction: Schema.optionalKey(Schema.Literals(["outbound", "inbound"])),
        from: Schema.optionalKey(FilterNumber),
        to: Schema.optionalKey(FilterNumber),
        number_id: Schema.optionalKey(idOf(NumberId)),
        client_reference: Schema.optionalKey(FilterText),
        created_after: Schema.optionalKey(FilterInstant),
        created_before: Schema.optionalKey(FilterInstant)
      },
      success: CallRecord,
      errors: [CallListFailed]
    }),
    endpoint.get("destinationCheck", "/v1/calls/destination-check", {
      summary: "Check whether a destination can be called",
      description:
        "Returns the price of a minute and whether the wallet can pay it, or why the workspace may not call the " +
        "destination. The call itself is checked again. In the query, the `+` of a number may be encoded as `%2B`.",
      query: {
        from: FilterNumber.pipe(
          Schema.annotateEncoded({ description: "An active number of the workspace, in E.164 form." })
        ),
        to: FilterNumber.pipe(
          Schema.annotateEncoded({
            description: "The number to call. National numbers, the prefix 00 and dashes are accepted."
          })
        )
      },
      success: DestinationCheck,
      errors: [BadRequest, NumberNotFound, WalletNotFound, NumberNotActive, CallInvalidDestination]
    }),
    endpoint.get("get", "/v1/calls/:id", {
      summary: "Read a call",
      description: "Returns the current state of the call and its events.",
      params: ref,
      query: {
        transcript: Schema.optionalKey(Schema.Literals(["0", "1"])).annotate({
          description: "`1` includes the transcript."
        })
      },
      success: CallWithEvents,
      errors: [BadRequest, CallNotFound, CallGetFailed]
    }),
    endpoint.list("events", "/v1/calls/:id/events", {
      summary: "List a call's events",
      description: "Oldest first.",
      params: ref,
      query: {
        transcript: Schema.optionalKey(Schema.Literals(["0", "1"])).annotate({
          description:
            "`1` also lists the turns of the transcript, each as an event `transcript.turn`, in their places."
        })
      },
      success: CallEventRecord,
      errors: [CallNotFound, CallEventsFailed]
    }),
    endpoint.get("stream", "/v1/calls/:id/stream", {
      summary: "Follow a call live",
      description:
        "Sends server-sent events: first the comment `: ready`, then the current call, then each change with the " +
        "call's sequence as `id`. After the last change the stream sends `event: end` and closes. A browser's " +
        "EventSource cannot send the API key, so follow calls from a server. A session id is accepted at once. If " +
        "the workspace has no such call, the stream stays empty. As text:\n\n```\n: ready\n\nid: 1\n" +
        'event: call.ringing\ndata: {"kind":"call.ringing","status":"ringing","sequence":1}\n\n' +
        "event: end\ndata: {}\n```",
      params: ref,
      headers: {
        "last-event-id": Schema.optionalKey(Schema.String).annotate({
          description: "The last `id` that you received. Later events are sent first."
        })
      },
      success: HttpApiSchema.StreamSse({
        data: Schema.Union([Schema.Struct(StreamedEvent.fields), TranscriptTurn, TranscriptDelta])
      }),
      errors: [CallNotFound, CallGetFailed, RateLimited]
    }),
    endpoint.post("terminate", "/v1/calls/:id/terminate", {
      summary: "End a call",
      description: "Hangs up, or stops the ringing. If the call has ended, the request changes nothing and succeeds.",
      policy: { endsWork: true },
      params: ref,
      payload: [TerminateRequest, Schema.Null],
      success: TerminatedCall,
      errors: [CallNotFound]
    }),
    endpoint.post("update", "/v1/calls/:id/update", {
      summary: "Change an answered call",
      description:
        "Replaces the running actions, mutes or holds the call, and sets your own values. All given members are applied " +
        "together. Only an answered call can be changed.",
      params: ref,
      payload: UpdateCallRequest,
      success: CallRecord,
      errors: [CallNotFound, CallNotInProgress, CallActionUnsupported]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Calls", description: "Place calls, follow them and end them." })) {}
