// Asks a customer's voice callback what to do with a call (docs/voice-actions.md).
import { Clock, Effect, Exit, Layer, Option, Result } from "effect"
import { type FairSharesOptions, makeFairShares } from "../../domain/access/FairShares.ts"
import type { CallbackRequest, RawCallbackAttempt } from "../../domain/calls/state/CallbackAttempt.ts"
import { parseVoiceActions, maxVoiceActions_bytes } from "../../domain/calls/verbs/ParseVoiceActions.ts"
import { budgets } from "../../domain/limits/Budgets.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { CallbackFailure, VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import { type TargetPolicy, targetUrl } from "../../domain/targets/TargetUrl.ts"
import { type Answer, type GuardedClient, makeGuardedClient } from "./GuardedClient.ts"
import type { Resolve } from "./GuardedConnector.ts"
import { signingSecrets } from "../../domain/workspace/VoiceSecret.ts"
import { signature } from "./Signatures.ts"
import { traced } from "../../domain/Traced.ts"

const connect_timeout_ms = 3_000

/**
 * Questions that are under way in a process. A callback that hangs keeps a socket until its time is over, so that no
 * workspace may have so many that others get none. The caller limits how long a question may wait.
 */
const callbackShares: FairSharesOptions = {
  total: 2_048,
  each: budgets.workspace_callbacks.limit,
  waiting: budgets.workspace_callbacks_waiting.limit,
  waiting_total: 16_384,
  wait_ms: 600_000
}
const maxRedirects = 3
/** With less time left, a second request would not be answered in time. */
const minRetry_ms = 3_000

const failure = (detail: string, http_status?: number) =>
  new CallbackFailure({ cause: "callback_failed", detail, ...(http_status !== undefined && { http_status }) })

const tooMany = failure("Too many questions to voice callbacks wait for their answers.")

const late = new CallbackFailure({ cause: "callback_timeout", detail: "No answer within the time for the callback." })

/** Why one request brought no actions. After a `transient` fault the callback is asked once more. */
interface Refusal {
  readonly transient: boolean
  readonly failure: CallbackFailure
}

/** How one request ended, for the timeline of the call. */
const attemptOf = (
  sent: Pick<RawCallbackAttempt, "at" | "duration_ms" | "request" | "url">,
  exit: Exit.Exit<Answer, Refusal>
): RawCallbackAttempt => {
  if (Exit.isSuccess(exit)) {
    const { body, status } = exit.value
    const understood = interpreted(exit.value)
    const error = Result.isFailure(understood) ? understood.failure.failure.detail : null
    return { ...sent, http_status: status, error, response: body.toString("utf8") }
  }
  const refusal = Option.getOrUndefined(Exit.findErrorOption(exit))
  return { ...sent, http_status: null, error: refusal?.failure.detail ?? late.detail, response: null }
}

const interpreted = ({ body, status, truncated }: Answer) => {
  if (status < 200 || status > 299) {
    return Result.fail<Refusal>({
      transient: status >= 500,
      failure: failure(`The callback answered ${status}.`, status)
    })
  }
  const parsed = truncated
    ? Result.fail({ pointer: "", detail: "The document is larger than 64 KiB." })
    : parseVoiceActions(body.toString("utf8"))
  return Result.mapError(parsed, (fault): Refusal => ({
    transient: false,
    failure: new CallbackFailure({ cause: "voice_action_invalid", http_status: status, ...fault })
  }))
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Reports how the request ended; an interrupted one took too long. */
const reporting = (
  sent: Effect.Effect<Answer, Refusal>,
  url: string,
  request: string,
  attempted: CallbackRequest["attempted"]
): Effect.Effect<Answer, Refusal> => {
  if (attempted === undefined) return sent
  return Effect.flatMap(Clock.currentTimeMillis, (at) =>
    Effect.onExit(sent, (exit) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        attempted(attemptOf({ url, at, duration_ms: now - at, request }, exit))
      )
    )
  )
}

/** Posts to a URL and follows redirects. Every target is checked like the first. */
const makePost = (client: GuardedClient, policy: TargetPolicy) => {
  const post = (
    target: string,
    body: string,
    headers: Record<string, string>,
    options: Pick<CallbackRequest, "allow_http" | "attempted">,
    redirects_left = maxRedirects
  ): Effect.Effect<Answer, Refusal> => {
    const { allow_http = policy.allow_insecure, attempted } = options
    // Plain http is for a URL that somebody entered, not for where it leads.
    const redirected = attempted === undefined ? {} : { attempted }
    const url = targetUrl(target, { ...policy, allow_insecure: allow_http })
    if (Result.isFailure(url)) return Effect.fail({ transient: false, failure: failure(url.failure.message) })
    const sent = client
      .post({ url: url.success, body, headers })
      .pipe(Effect.mapError(({ code }): Refusal => ({ transient: code !== "address_refused", failure: failure(code) })))
    return reporting(sent, target, body, attempted).pipe(
      Effect.flatMap((answer) => {
        const location = redirects.has(answer.status) ? answer.header("location") : undefined
        if (location === undefined || !URL.canParse(location, url.success)) return Effect.succeed(answer)
        return redirects_left > 0
          ? post(new URL(location, url.success).href, body, headers, redirected, redirects_left - 1)
          : Effect.fail<Refusal>({ transient: false, failure: failure("Too many redirects.", answer.status) })
      })
    )
  }
  return post
}

/** Asks the callback, and after a transient fault once more: the fallback URL if there is one. */
const makeConversation = (post: ReturnType<typeof makePost>, ids: Ids["Service"]) => {
  const askOnce = (url: string, request: CallbackRequest, secrets: ReadonlyArray<string>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      post(
        url,
        request.body,
        {
          "content-type": "application/json",
          accept: "application/json",
          "user-agent": "trunkline-voice/1",
          "x-service-signature": signature("timestamped", secrets, request.body, Math.floor(now / 1_000)),
          "x-service-call-id": request.call_id,
          "x-service-idempotency-key": request.idempotency_key,
          "x-request-id": ids.uuid(),
          ...(request.simulated === true && { "x-service-simulation": "1" })
        },
        request
      )
    ).pipe(Effect.flatMap((answer) => Effect.fromResult(interpreted(answer))))

  return (request: CallbackRequest, secrets: ReadonlyArray<string>) =>
    askOnce(request.url, request, secrets).pipe(
      Effect.catch((refusal) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          refusal.transient && request.deadline_at - now > minRetry_ms
            ? askOnce(request.fallback_url ?? request.url, request, secrets)
            : Effect.fail(refusal)
        )
      ),
      Effect.mapError(({ failure }) => failure)
    )
}

/** Asks by a client that it is given. */
export const makeVoiceCallback = Effect.fnUntraced(function* (
  client: GuardedClient,
  policy: TargetPolicy,
  limits = callbackShares
) {
  const directory = yield* Directory
  const shares = makeFairShares(limits)
  const converse = makeConversation(makePost(client, policy), yield* Ids)
  return VoiceCallback.of({
    ask: traced("HttpVoiceCallback.ask")(function* (request) {
      const workspace = yield* directory.workspace(request.workspace_id)
      if (workspace === undefined) return yield* failure("The workspace does not exist.")
      const now = yield* Clock.currentTimeMillis
      const left_ms = request.deadline_at - now
      return yield* shares.run(request.workspace_id, converse(request, signingSecrets(workspace, now))).pipe(
        Effect.mapError((error) => (error instanceof CallbackFailure ? error : tooMany)),
        Effect.timeoutOrElse({ duration: Math.max(0, left_ms), orElse: () => Effect.fail(late) })
      )
    })
  })
})

export const HttpVoiceCallback = (options: {
  readonly policy: TargetPolicy
  readonly resolve?: Resolve
  readonly shares?: FairSharesOptions
}) =>
  Layer.effect(
    VoiceCallback,
    Effect.flatMap(
      makeGuardedClient({
        ...options,
        connect_timeout_ms,
        // Workspaces may share a host, and slow ones must not block the others.
        connections_per_origin: null,
        read_limit_bytes: maxVoiceActions_bytes
      }),
      (client) => makeVoiceCallback(client, options.policy, options.shares)
    )
  )
