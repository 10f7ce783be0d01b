// Where a workspace may call from one of its numbers, and at what price: the same rules for a check beforehand and for
// each leg that is placed.
import { Clock, Effect, Result } from "effect"
import {
  authorise,
  type Authorisation,
  type Destination,
  destinationRefused,
  emergency,
  testNumbersOnly
} from "../../domain/calls/policy/Authorisation.ts"
import { allowsUnproved } from "../../domain/calls/policy/CallingPolicy.ts"
import type { Quote } from "../../domain/calls/policy/DestinationCheck.ts"
import { authoriseSip, type DialledUser, dialledUser, isSipUri } from "../../domain/calls/policy/SipDestination.ts"
import { CallerIdsCommands } from "../../domain/callerids/CallerIdCommand.ts"
import type { PricedNumber } from "../../domain/calls/policy/Rating.ts"
import type { NumberUse } from "../../domain/calls/policy/NumberLookup.ts"
import { CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { isEmergency } from "../../domain/numbers/EmergencyNumbers.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import type { OwnedNumber } from "../../domain/numbers/OwnedNumber.ts"
import { isPaying, type PayingWorkspace } from "../../domain/workspace/Workspace.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { NumberPlan } from "../../domain/ports/numbers/NumberPlan.ts"
import { testRate } from "../../domain/numbers/TestNetwork.ts"
import { isSandbox, isTestNumber } from "../../domain/kit/Sandbox.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { LegRisk } from "./LegRequest.ts"
import type { PbxTrunkId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { chatAppUser } from "../../domain/calls/policy/ChatAppDestination.ts"
import { ChatAppCalls } from "../chatapp/ChatAppCalls.ts"
import { SipHosts } from "./SipHosts.ts"

/** A SIP URI without a telephone number has neither country nor rate. */
const noRisk: LegRisk = { abroad: undefined, high_risk: false }

const riskOf = (from: OwnedNumber, { high_risk, to: { country } }: Allowed): LegRisk => ({
  abroad: country === null || country === from.country ? undefined : country,
  high_risk
})

type Allowed = Extract<Authorisation, { readonly ok: true }>

interface TestNumbers {
  /** Whether live workspaces, too, may call the test network. */
  readonly allow_test_numbers: boolean
}

/** What the authorisation of a destination needs of the number that calls. */
type CallingNumber = PricedNumber & Pick<OwnedNumber, "number" | "source">

interface DestinationOptions {
  /** Epoch milliseconds: the rates of that instant apply. */
  readonly at: number
  /** Only E.164 is accepted; otherwise any usual spelling. */
  readonly strict: boolean
}

/** The workspace and the numbers that it calls from. */
const makeCallers = (directory: Directory["Service"], system: ActorSystem["Service"]) => {
  /** Fails with WalletNotFound if the workspace does not exist or has no wallet. */
  const workspaceOf = (workspace_id: WorkspaceId): Effect.Effect<PayingWorkspace, WalletNotFound> =>
    Effect.flatMap(directory.workspace(workspace_id), (workspace) =>
      workspace !== undefined && isPaying(workspace) ? Effect.succeed(workspace) : Effect.fail(new WalletNotFound())
    )

  /** A number of the workspace, whatever its status. */
  const numberOf = (workspace_id: WorkspaceId, e164: string): Effect.Effect<OwnedNumber, NumberNotFound> =>
    Effect.flatMap(directory.number(workspace_id, e164), (number) =>
      number === undefined ? Effect.fail(new NumberNotFound()) : Effect.succeed(number)
    )

  /** Whether the workspace may show a number that is not its own. */
  const mayShow = Effect.fnUntraced(function* ({ calling_policy, id }: PayingWorkspace, number: string) {
    // The platform may have got the number since it was proved.
    if ((yield* directory.numberOf(number)) !== undefined) return false
    if (allowsUnproved(calling_policy, number, yield* Clock.currentTimeMillis)) return true
    return yield* Effect.catch(system.ask(CallerIdsCommands.MayShow, id, { number }), (cause) =>
      Effect.die(new ServiceUnavailable({ cause }))
    )
  })

  const isShowable = Effect.fnUntraced(function* (workspace: PayingWorkspace, number: string) {
    const own = yield* directory.number(workspace.id, number)
    return own === undefined ? yield* mayShow(workspace, number) : isWorking(own)
  })

  /**
   * The number that a leg shows: its own, that of the inbound call it belongs to, or another that the workspace may
   * show.
   */
  const shownNumber = Effect.fnUntraced(function* (
    workspace: PayingWorkspace,
    number: OwnedNumber,
    { caller_id, inbound_caller }: { readonly caller_id: string | null; readonly inbound_caller?: string }
  ) {
    if (caller_id === null) return { number: number.number, working: true }
    if (caller_id === inbound_caller) return { number: caller_id, working: true }
    const own = yield* directory.number(workspace.id, caller_id)
    if (own !== undefined) return { number: own.number, working: isWorking(own) }
    if (yield* mayShow(workspace, caller_id)) return { number: caller_id, working: true }
    return yield* new NumberNotFound()
  })

  return { workspaceOf, numberOf, shownNumber, isShowable }
}

/** Checks destinations against the emergency numbers, the number plan, the rates and the calling policy. */
const makeAuthorise =
  (directory: Directory["Service"], plan: NumberPlan["Service"], { allow_test_numbers }: TestNumbers) =>
  (
    workspace: PayingWorkspace,
    from: CallingNumber,
    text: string,
    { at, strict }: DestinationOptions
  ): Effect.Effect<Authorisation, CallInvalidDestination> => {
    if (isEmergency(text, from.country)) return Effect.succeed(emergency)
    const sandbox = isSandbox(workspace.id)
    const to = plan.read(text, { strict, default_country: from.country, allow_test: sandbox || allow_test_numbers })
    if (!to.ok) {
      const { reason, suggested_e164 } = to
      return Effect.fail(
        new CallInvalidDestination({ reason, ...(suggested_e164 !== undefined && { suggested_e164 }) })
      )
    }
    if (to.e164 === from.number) return Effect.fail(new CallInvalidDestination({ reason: "same_as_from" }))
    const digits = to.e164.slice(1)
    if (sandbox)
      return Effect.succeed(
        isTestNumber(to.e164)
          ? authorise(workspace.calling_policy, from, to, testRate(workspace.currency, digits))
          : testNumbersOnly(to)
      )
    const rateOf = (source: OwnedNumber["source"]) => directory.rate(workspace.currency, "outbound", digits, at, source)
    return Effect.zipWith(rateOf(from.source), rateOf("platform"), (rate, platform_rate) =>
      authorise(workspace.calling_policy, from, to, rate, platform_rate)
    )
  }

type Authorise = ReturnType<typeof makeAuthorise>

/** Routes to SIP URIs. What does not go through a carrier costs nothing, unless its user is a telephone number. */
const makeSipRoute = (directory: Directory["Service"], hosts: SipHosts["Service"], authorisationOf: Authorise) => {
  /**
   * The price of a URI whose user is a telephone number: that of the number, because the host may be a way into the
   * telephone network. Each of its readings must be allowed, and the dearest counts.
   */
  const priceOf = Effect.fnUntraced(function* (
    workspace: PayingWorkspace,
    from: OwnedNumber,
    { readings, text }: DialledUser,
    at: number
  ) {
    if (isEmergency(text, from.country)) return yield* destinationRefused("emergency_number")
    const readable = yield* Effect.forEach(readings, (reading) =>
      Effect.result(authorisationOf(workspace, from, reading, { at, strict: false }))
    )
    const [first] = readable
    if (first !== undefined && Result.isFailure(first) && readable.every(Result.isFailure)) return yield* first.failure
    let dearest: Allowed | undefined
    for (const authorisation of readable.filter(Result.isSuccess).map(({ success }) => success)) {
      if (!authorisation.ok) return yield* destinationRefused(authorisation.reason)
      if (dearest === undefined || authorisation.price.rate_per_min_minor > dearest.price.rate_per_min_minor)
        dearest = authorisation
    }
    return dearest
  })

  return Effect.fnUntraced(function* (workspace: PayingWorkspace, from: OwnedNumber, to: string, at: number) {
    const free = { to, rate_per_min_minor: 0, matched_prefix: null, risk: noRisk, trunk: undefined }
    const authorised = authoriseSip(to, workspace.calling_policy, yield* directory.extensions(workspace.id))
    if (!authorised.ok) return yield* destinationRefused(authorised.reason)
    if ("endpoint" in authorised) return { ...free, endpoint: authorised.endpoint }
    if (isSandbox(workspace.id)) return yield* destinationRefused("test_numbers_only")
    const { uri } = authorised
    const priced = yield* priceOf(workspace, from, dialledUser(uri), at)
    const address = yield* Effect.catch(hosts.locate(workspace.id, uri), destinationRefused)
    if (priced === undefined) return { ...free, address }
    const { price, to: number } = priced
    return {
      ...free,
      ...price,
      risk: riskOf(from, priced),
      address,
      ...(number.country !== null && { country: number.country })
    }
  })
}

interface Verdict {
  readonly authorisation: Authorisation
  /** The trunk of the chat app's provider. Undefined: the call takes another way, or is refused. */
  readonly trunk_id: PbxTrunkId | undefined
}

/** The verdict on a user of the chat app: that on the number, at the platform's price, and then the chat app's own. */
const makeChatAppRoute = ({ judge }: ChatAppCalls["Service"], authorisationOf: Authorise) =>
  Effect.fnUntraced(function* (
    workspace: PayingWorkspace,
    from: OwnedNumber,
    user: string,
    options: DestinationOptions
  ): Effect.fn.Return<Verdict, CallInvalidDestination> {
    const authorisation = yield* authorisationOf(workspace, { ...from, source: "platform" }, user, options)
    if (!authorisation.ok) return { authorisation, trunk_id: undefined }
    const calling = { workspace_id: workspace.id, number_id: from.id, number: from.number }
    const verdict = yield* judge(calling, authorisation.to.e164)
    if (verdict.ok) return { authorisation, trunk_id: verdict.trunk_id }
    const { price, to } = authorisation
    const refusal: Authorisation = { ok: false, reason: verdict.reason, to, price }
    return { authorisation: refusal, trunk_id: undefined }
  })

export const makeDestinations = Effect.fnUntraced(function* (options: TestNumbers) {
  const directory = yield* Directory
  const { isShowable, numberOf, shownNumber, workspaceOf } = makeCallers(directory, yield* ActorSystem)
  const authorisationOf = makeAuthorise(directory, yield* NumberPlan, options)
  const sipRoute = makeSipRoute(directory, yield* SipHosts, authorisationOf)
  const chatAppRoute = makeChatAppRoute(yield* ChatAppCalls, authorisationOf)

  const verdictOn = (workspace: PayingWorkspace, from: OwnedNumber, to: string, options: DestinationOptions) => {
    const user = chatAppUser(to)
    return user === undefined
      ? Effect.map(authorisationOf(workspace, from, to, options), (authorisation): Verdict => ({
          authorisation,
          trunk_id: undefined
        }))
      : chatAppRoute(workspace, from, user, options)
  }

  /**
   * The route and price of a leg. Refuses what the workspace may not call. Only dialled legs may go to a SIP URI
   * (`sip`).
   */
  const routeTo = Effect.fnUntraced(function* (
    workspace: PayingWorkspace,
    from: OwnedNumber,
    to: string,
    options: { readonly at: number; readonly sip: boolean }
  ) {
    const { at, sip } = options
    if (sip && isSipUri(to)) return yield* sipRoute(workspace, from, to, at)
    const { authorisation, trunk_id } = yield* verdictOn(workspace, from, to, { at, strict: true })
    if (!authorisation.ok) return yield* destinationRefused(authorisation.reason)
    const { country, e164 } = authorisation.to
    const trunk = from.source === "byo" && trunk_id === undefined ? yield* directory.trunk(workspace.id) : undefined
    return {
      to: e164,
      ...authorisation.price,
      risk: riskOf(from, authorisation),
      trunk,
      ...(trunk_id !== undefined && { kind: "chatapp" as const, trunk_id }),
      ...(country !== null && { country })
    }
  })

  const quote = Effect.fnUntraced(function* (workspace_id: WorkspaceId, from: string, to: string) {
    const workspace = yield* workspaceOf(workspace_id)
    const number = yield* numberOf(workspace_id, from)
    const at = yield* Clock.currentTimeMillis
    const { authorisation } = yield* verdictOn(workspace, number, to, { at, strict: false })
    if (!isWorking(number)) return yield* new NumberNotActive()
    return { to, from, currency: workspace.currency, authorisation } satisfies Quote
  })

  /** What the workspace may do with a number, whichever number of the platform it would call from. */
  const use = Effect.fnUntraced(function* (workspace_id: WorkspaceId, { country, e164: number }: Destination) {
    const workspace = yield* workspaceOf(workspace_id)
    const at = yield* Clock.currentTimeMillis
    const from = { number: "", country: country ?? "", source: "platform" as const, outbound_per_min_minor: null }
    const authorisation = yield* authorisationOf(workspace, from, number, { at, strict: true })
    const showable = yield* isShowable(workspace, number)
    return { number, country, currency: workspace.currency, authorisation, showable } satisfies NumberUse
  })

  return { workspaceOf, numberOf, shownNumber, routeTo, quote, use }
})
