// Browsers as phones: the tokens that they come with, and who is behind one when it comes.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { type Extension, extensionsOf } from "../../domain/credentials/Extension.ts"
import { MagicLinkExpired, MagicLinkInvalid } from "../../domain/errors/AuthErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { SipCredentialNotFound, SipTokenUnavailable } from "../../domain/errors/SipCredentialErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { CredentialReads } from "../../domain/ports/CredentialReads.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SipUpstream } from "../../domain/ports/SipUpstream.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { WebrtcKeys } from "../../domain/ports/WebrtcKeys.ts"
import type { DigestSecret } from "../../domain/webrtc/DigestAnswer.ts"
import type { WebrtcClaims, WebrtcSession, WebrtcTokenRequest } from "../../domain/webrtc/WebrtcSession.ts"
import { CredentialsActor, passwordPlace, tokenPlace } from "../credentials/CredentialsActor.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { boundTo } from "../shared/SealedResponse.ts"

export interface WebrtcOptions {
  /** Where browsers connect. */
  readonly endpoint: string
  /** Of SIP addresses. */
  readonly domain: string
  /** Whether tokens are made though the PBX takes no browsers: with the simulated one. */
  readonly simulated: boolean
}

export class Webrtc extends Context.Service<
  Webrtc,
  {
    readonly token: (
      workspace_id: string,
      request: WebrtcTokenRequest,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<{ readonly session: WebrtcSession; readonly token: string }, Failure | NotCommitted | ReadFailed>
    /** What the token says, while it lasts and its credential is in use. */
    readonly admit: (token: Redacted.Redacted) => Effect.Effect<WebrtcClaims, Failure>
    readonly isActive: (claims: WebrtcClaims) => Effect.Effect<boolean>
    /** What the PBX knows the credential by; undefined where it is no more. */
    readonly secret: (claims: WebrtcClaims) => Effect.Effect<DigestSecret | undefined, ReadFailed>
  }
>()("trunkline/actors/Webrtc") {
  static readonly layer = (options: WebrtcOptions) => Layer.effect(Webrtc, make(options))
}

const lifetime_seconds = 900

const resolution = "Make a new one with POST /v1/webrtc/token."
const expired = { message: "The SIP token has ended.", resolution }
const invalid = { message: "This is no SIP token of this deployment, or its credential was revoked.", resolution }

const chosen = (
  extensions: ReadonlyArray<Extension>,
  { extension, number_id }: WebrtcTokenRequest
): Extension | undefined =>
  extensions.find(
    (each) =>
      (extension === undefined || each.extension === extension) &&
      (number_id === undefined || each.number_id === number_id.toLowerCase())
  )

const make = Effect.fnUntraced(function* ({ domain, endpoint, simulated }: WebrtcOptions) {
  const directory = yield* Directory
  const ids = yield* Ids
  const keys = yield* WebrtcKeys
  const reads = yield* CredentialReads
  const system = yield* ActorSystem
  const upstream = yield* SipUpstream
  const vault = yield* Vault

  /** From the database: the directory hears of a new extension a moment later, and whoever made it asks at once. */
  const extensionsNow = (workspace_id: string) =>
    Effect.flatMap(reads.list(workspace_id), (credentials) =>
      Effect.filter(extensionsOf(credentials), ({ number }) =>
        Effect.map(directory.number(workspace_id, number), (own) => own !== undefined && isWorking(own))
      )
    )

  const isActive = ({ credential_id, workspace_id }: WebrtcClaims) => {
    const isOwn = (extensions: ReadonlyArray<Extension>) =>
      extensions.some((each) => each.credential_id === credential_id)
    return Effect.flatMap(directory.extensions(workspace_id), (extensions) =>
      isOwn(extensions)
        ? Effect.succeed(true)
        : Effect.map(
            Effect.orElseSucceed(extensionsNow(workspace_id), () => []),
            isOwn
          )
    )
  }

  const sessionOf = (
    { display_name, extension, number, username }: Extension,
    claims: WebrtcClaims,
    expiresIn: number
  ): WebrtcSession => ({
    id: claims.jti,
    endpoint,
    protocol: "sip",
    turnServer: keys.turn(username, claims.exp),
    clientName: claims.client_name,
    sipProfile: { uri: `sip:${username}@${domain}`, extension, display_name, number },
    expiresIn
  })

  return Webrtc.of({
    isActive,
    token: Effect.fnUntraced(function* (workspace_id, request, idempotency) {
      if (!upstream.exists && !simulated) return yield* new SipTokenUnavailable()
      const own = chosen(yield* extensionsNow(workspace_id), request)
      if (own === undefined)
        return yield* new SipCredentialNotFound({ message: "The workspace has no such active SIP credential." })
      const { allow = {}, client_name = own.extension, metadata, ttl_seconds = lifetime_seconds } = request
      const claims: WebrtcClaims = {
        sub: own.username,
        jti: ids.uuid(),
        workspace_id,
        credential_id: own.credential_id,
        ext: own.extension,
        client_name,
        allow: { incoming: allow.incoming ?? true, outgoing: allow.outgoing ?? true },
        ...(metadata && { metadata }),
        exp: Math.floor((yield* Clock.currentTimeMillis) / 1000) + ttl_seconds
      }
      const token = Redacted.value(yield* keys.mint(claims))
      const session = sessionOf(own, claims, ttl_seconds)
      if (idempotency !== undefined) {
        const sealed = vault.seal(token, boundTo(tokenPlace, session.id, workspace_id))
        yield* system.ask(CredentialsActor, workspace_id, { _tag: "KeepToken", session, token: sealed, idempotency })
      }
      return { session, token }
    }),
    admit: Effect.fnUntraced(function* (token) {
      const claims = yield* Effect.mapError(keys.verify(token), ({ why }): Failure =>
        why === "expired" ? new MagicLinkExpired(expired) : new MagicLinkInvalid(invalid)
      )
      return (yield* isActive(claims)) ? claims : yield* new MagicLinkInvalid(invalid)
    }),
    secret: Effect.fnUntraced(function* ({ credential_id, workspace_id }) {
      const credential = (yield* reads.list(workspace_id)).find(
        ({ id, status }) => id === credential_id && status === "active"
      )
      const password =
        credential && vault.open(credential.password, boundTo(passwordPlace, credential_id, workspace_id))
      return password === undefined ? undefined : { username: upstream.browsersOf(credential!.username), password }
    })
  })
})
