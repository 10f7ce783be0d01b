// Caller ids for the HTTP API and the library: numbers of others that a workspace may show, once it has proved that it
// answers them.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import { type CallerIdId, toCallerIdId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { CallerIdsCommands } from "../../domain/callerids/CallerIdCommand.ts"
import type { CallerIdRecord } from "../../domain/callerids/CallerIdRecord.ts"
import {
  CallerIdCodeWrong,
  type CallerIdCallsUnavailable,
  type CallerIdCodeExpired,
  type CallerIdLimitReached,
  CallerIdNotFound,
  CallerIdOfPlatform,
  type CallerIdRevoked,
  type CallerIdTooManyCalls
} from "../../domain/errors/CallerIdErrors.ts"
import type { CallDestinationRefused, CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { isSandbox, mayHold } from "../../domain/kit/Sandbox.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { NumberPlan } from "../../domain/ports/numbers/NumberPlan.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { traced } from "../../domain/Traced.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { CodeCalls } from "./CodeCalls.ts"

type EarlyRefusal =
  | BadRequest
  | CallerIdOfPlatform
  | CallerIdRevoked
  | CallerIdLimitReached
  | CallerIdTooManyCalls
  | NotCommitted
  | ReadFailed

export type RequestRefusal = EarlyRefusal | CallerIdCallsUnavailable | CallDestinationRefused | CallInvalidDestination

export class VerifiedCallerIds extends Context.Service<
  VerifiedCallerIds,
  {
    /** Refuses a request that the number or the workspace's limits do not allow. It begins nothing. */
    readonly mayRequest: (workspace_id: WorkspaceId, number: string) => Effect.Effect<void, EarlyRefusal>
    /** Begins the proof of a number: a call speaks a code there. In test mode no call is placed. */
    readonly request: (
      workspace_id: WorkspaceId,
      number: string,
      context: RequestContext
    ) => Effect.Effect<CallerIdRecord, RequestRefusal>
    /** Ends it with the code that was heard. */
    readonly verify: (
      workspace_id: WorkspaceId,
      id: CallerIdId,
      code: string,
      context: RequestContext
    ) => Effect.Effect<CallerIdRecord, CallerIdNotFound | CallerIdCodeExpired | CallerIdCodeWrong | NotCommitted>
    /** Newest first. */
    readonly list: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<CallerIdRecord>, NotCommitted>
    readonly get: (
      workspace_id: WorkspaceId,
      id: CallerIdId
    ) => Effect.Effect<CallerIdRecord, CallerIdNotFound | NotCommitted>
    readonly withdraw: (
      workspace_id: WorkspaceId,
      id: CallerIdId,
      origin: Origin
    ) => Effect.Effect<void, CallerIdNotFound | CallerIdRevoked | NotCommitted>
    /** An operator proves or forbids a number. */
    readonly approve: (
      workspace_id: WorkspaceId,
      number: string,
      origin: Origin
    ) => Effect.Effect<
      CallerIdRecord,
      BadRequest | CallerIdOfPlatform | CallerIdLimitReached | NotCommitted | ReadFailed
    >
    readonly revoke: (
      workspace_id: WorkspaceId,
      number: string,
      origin: Origin
    ) => Effect.Effect<CallerIdRecord, BadRequest | NotCommitted>
    /** Whether the workspace has proved that it answers the number. */
    readonly hasProved: (workspace_id: WorkspaceId, number: string) => Effect.Effect<boolean, NotCommitted>
  }
>()("trunkline/actors/VerifiedCallerIds") {
  static readonly layer = Layer.effect(
    VerifiedCallerIds,
    Effect.suspend(() => make)
  )
}

const badNumber = (reason: string, message: string, suggested_e164?: string) =>
  new BadRequest({
    message,
    reason,
    ...(suggested_e164 !== undefined && { suggested_e164 }),
    details: [{ field: "/number", code: reason, message }]
  })

const makeNumbers = Effect.gen(function* () {
  const directory = yield* Directory
  const plan = yield* NumberPlan
  const reads = yield* NumberReads

  /** The number in E.164, of the network that the workspace uses. */
  const read = (workspace_id: WorkspaceId, text: string): Effect.Effect<string, BadRequest> => {
    const reading = plan.read(text, { strict: true, allow_test: isSandbox(workspace_id) })
    if (!reading.ok) return Effect.fail(badNumber(reading.reason, "The number is not E.164.", reading.suggested_e164))
    return mayHold(workspace_id, reading.e164)
      ? Effect.succeed(reading.e164)
      : Effect.fail(badNumber("test_numbers_only", "In test mode a number begins with +999."))
  }

  /** Refuses numbers that the platform has, in inventory or for a workspace. */
  const requireOfOthers = Effect.fnUntraced(function* (workspace_id: WorkspaceId, number: string) {
    if ((yield* reads.holder(number)) === undefined) return
    return (yield* directory.number(workspace_id, number)) === undefined
      ? yield* new CallerIdOfPlatform()
      : yield* badNumber("own_number", "The number is the workspace's own, so it can be shown already.")
  })

  return { read, requireOfOthers }
})

const makeVerify = (calls: CodeCalls["Service"], system: ActorSystem["Service"]) =>
  traced("CallerIds.verify")(function* (
    workspace_id: WorkspaceId,
    id: CallerIdId,
    code: string,
    { idempotency, origin }: RequestContext
  ) {
    const call_id = yield* system.ask(CallerIdsCommands.Challenge, workspace_id, { id })
    const matches = calls.matches(workspace_id, call_id, code)
    const shown = yield* system.ask(CallerIdsCommands.Enter, workspace_id, {
      id,
      call_id,
      matches,
      origin,
      ...(matches && idempotency && { idempotency })
    })
    return shown ?? (yield* new CallerIdCodeWrong())
  })

const make = Effect.gen(function* () {
  const calls = yield* CodeCalls
  const ids = yield* Ids
  const system = yield* ActorSystem
  const { read, requireOfOthers } = yield* makeNumbers
  const newId = () => toCallerIdId(ids.uuid())

  const numberOfOthers = Effect.fnUntraced(function* (workspace_id: WorkspaceId, text: string) {
    const number = yield* read(workspace_id, text)
    yield* requireOfOthers(workspace_id, number)
    return number
  })

  const mayRequest = Effect.fnUntraced(function* (workspace_id: WorkspaceId, text: string) {
    const number = yield* numberOfOthers(workspace_id, text)
    yield* system.ask(CallerIdsCommands.MayRequest, workspace_id, { number })
  })

  const request = traced("CallerIds.request")(function* (
    workspace_id: WorkspaceId,
    text: string,
    context: RequestContext
  ) {
    const number = yield* numberOfOthers(workspace_id, text)
    const call_id = yield* calls.begin(workspace_id, number)
    const silent = calls.isSilent(workspace_id)
    return yield* system.ask(CallerIdsCommands.Request, workspace_id, {
      id: newId(),
      number,
      call_id,
      silent,
      ...context
    })
  })

  const verify = makeVerify(calls, system)
  const list = (workspace_id: WorkspaceId) => system.ask(CallerIdsCommands.List, workspace_id, {})

  return VerifiedCallerIds.of({
    mayRequest,
    request,
    verify,
    list,
    get: Effect.fnUntraced(function* (workspace_id, id) {
      const found = (yield* list(workspace_id)).find((shown) => shown.id === id)
      return found ?? (yield* new CallerIdNotFound())
    }),
    withdraw: (workspace_id, id, origin) => system.ask(CallerIdsCommands.Withdraw, workspace_id, { id, origin }),
    approve: Effect.fnUntraced(function* (workspace_id, text, origin) {
      const number = yield* numberOfOthers(workspace_id, text)
      return yield* system.ask(CallerIdsCommands.Approve, workspace_id, { id: newId(), number, origin })
    }),
    revoke: Effect.fnUntraced(function* (workspace_id, text, origin) {
      const number = yield* read(workspace_id, text)
      return yield* system.ask(CallerIdsCommands.Revoke, workspace_id, { id: newId(), number, origin })
    }),
    hasProved: (workspace_id, number) => system.ask(CallerIdsCommands.MayShow, workspace_id, { number })
  })
})
