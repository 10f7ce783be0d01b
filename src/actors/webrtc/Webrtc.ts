// Tokens for browsers that make and take calls: minting, admission, and the digest secret behind a token.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import { type Extension, extensionsOf } from "../../domain/credentials/Extension.ts"
import { MagicLinkExpired, MagicLinkInvalid } from "../../domain/errors/AuthErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SipCredentialNotFound, SipTokenUnavailable } from "../../domain/errors/SipCredentialErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { CredentialReads } from "../../domain/ports/pbx/CredentialReads.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { SipUpstream } from "../../domain/ports/pbx/SipUpstream.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { WebrtcKeys } from "../../domain/ports/pbx/WebrtcKeys.ts"
import type { DigestSecret } from "../../domain/webrtc/DigestAnswer.ts"
import type { WebrtcClaims, WebrtcSession, WebrtcTokenRequest } from "../../domain/webrtc/WebrtcSession.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { passwordPlace, tokenPlace } from "../credentials/CredentialSecrets.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { makeRefusedTokens } from "./RefusedTokens.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

export class WebrtcSettings extends Context.Service<
  WebrtcSettings,
  {
    /** The WebSocket URL for browsers. */
    readonly endpoint: string
    /** The domain of SIP addresses. */
    readonly domain: string
    /** Mint tokens even if the PBX accepts no browsers: for development with the simulated PBX. */
    readonly simulated: boolean
    /** The longest life of a token. A request for a longer one gets this. */
    readonly token_max_seconds: number
  }
>()("trunkline/actors/WebrtcSettings") {}

export class Webrtc extends Context.Service<
  Webrtc,
  {
    /** The domain of SIP addresses. */
    readonly domain: string
    /** Mints a token for one client. `idempotency` stores the response, with the token sealed. */
    readonly token: (
      workspace_id: WorkspaceId,
      request: WebrtcTokenRequest,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<
      { readonly session: WebrtcSession; readonly token: string },
      SipTokenUnavailable | SipCredentialNotFound | NotCommitted | ReadFailed
    >
    /** The claims of a token that is valid and whose credential is active. Counts wrong tokens by their address. */
    readonly admit: (
      token: Redacted.Redacted,
      address: string
    ) => Effect.Effect<WebrtcClaims, MagicLinkExpired | MagicLinkInvalid>
    /** Whether the credential behind the token is still active. */
    readonly isActive: (claims: WebrtcClaims) => Effect.Effect<boolean>
    /** The digest user name and password of the credential on the PBX; undefined if it is not active any more. */
    readonly secret: (claims: WebrtcClaims) => Effect.Effect<DigestSecret | undefined, ReadFailed>
  }
>()("trunkline/actors/Webrtc") {
  static readonly layer = Layer.effect(
    Webrtc,
    Effect.flatMap(WebrtcSettings, (settings) => make(settings))
  )
}

const defaultLifetime_seconds = 900

const resolution = "Make a new one with POST /v1/webrtc/token."
const expired = { message: "The SIP token has expired.", resolution }
const invalid = { message: "The SIP token is not one of this deployment, or its credential was revoked.", resolution }

/** A page can ask for tokens of test mode, and show what it does without a line. */
const ofTestMode = {
  message: "The SIP token is of test mode, and the simulated network takes no browsers.",
  resolution: "Make a token with a live key to place calls from a browser."
}

const selectExtension = (
  extensions: ReadonlyArray<Extension>,
  { extension, number_id }: WebrtcTokenRequest
): Extension | undefined =>
  extensions.find(
    (each) =>
      (extension === undefined || each.extension === extension) &&
      (number_id === undefined || each.number_id === number_id.toLowerCase())
  )

interface Client {
  readonly extension: Extension
  readonly claims: WebrtcClaims
  readonly expiresIn: number
}

const sessionOf = (
  { domain, endpoint }: WebrtcSettings["Service"],
  keys: WebrtcKeys["Service"],
  { claims, expiresIn, extension: { display_name, extension, number, username } }: Client
): WebrtcSession => ({
  id: claims.jti,
  endpoint,
  protocol: "sip",
  turnServer: keys.turn(username, claims.exp),
  clientName: claims.client_name,
  sipProfile: { uri: `sip:${username}@${domain}`, extension, display_name, number },
  expiresIn
})

const makeExtensions = Effect.gen(function* () {
  const directory = yield* Directory
  const reads = yield* CredentialReads

  /** From the database: the directory learns of a new extension a moment later, but its creator uses it at once. */
  const fromDatabase = (workspace_id: WorkspaceId) =>
    Effect.flatMap(reads.list(workspace_id), (credentials) =>
      Effect.filter(extensionsOf(credentials), ({ number }) =>
        Effect.map(directory.number(workspace_id, number), (own) => own !== undefined && isWorking(own))
      )
    )

  const isActive = traced("Webrtc.isActive")(function* ({ credential_id, workspace_id }: WebrtcClaims) {
    const includesIt = (extensions: ReadonlyArray<Extension>) =>
      extensions.some((each) => each.credential_id === credential_id)
    if (includesIt(yield* directory.extensions(workspace_id))) return true
    return includesIt(yield* Effect.orElseSucceed(fromDatabase(workspace_id), () => []))
  })

  return { fromDatabase, isActive }
})

const make = Effect.fnUntraced(function* (settings: WebrtcSettings["Service"]) {
  const ids = yield* Ids
  const keys = yield* WebrtcKeys
  const reads = yield* CredentialReads
  const system = yield* ActorSystem
  const upstream = yield* SipUpstream
  const vault = yield* Vault
  const { fromDatabase, isActive } = yield* makeExtensions
  const countRefused = makeRefusedTokens(system)

  const claimsOf = Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    { credential_id, extension, username }: Extension,
    { allow = {}, client_name = extension, metadata }: WebrtcTokenRequest,
    ttl_seconds: number
  ): Effect.fn.Return<WebrtcClaims> {
    return {
      sub: username,
      jti: ids.uuid(),
      workspace_id,
      credential_id,
      ext: extension,
      client_name,
      endpoint: settings.endpoint,
      allow: { incoming: allow.incoming ?? true, outgoing: allow.outgoing ?? true },
      ...(metadata && { metadata }),
      exp: Math.floor((yield* Clock.currentTimeMillis) / 1000) + ttl_seconds
    }
  })

  return Webrtc.of({
    domain: settings.domain,
    isActive,
    token: traced("Webrtc.token")(function* (workspace_id, request, idempotency) {
      if (!upstream.exists && !settings.simulated && !isSandbox(workspace_id)) return yield* new SipTokenUnavailable()
      const extension = selectExtension(yield* fromDatabase(workspace_id), request)
      if (extension === undefined)
        return yield* new SipCredentialNotFound({ message: "The workspace has no such active SIP credential." })
      const expiresIn = Math.min(request.ttl_seconds ?? defaultLifetime_seconds, settings.token_max_seconds)
      const claims = yield* claimsOf(workspace_id, extension, request, expiresIn)
      const token = Redacted.value(yield* keys.mint(claims))
      const session = sessionOf(settings, keys, { extension, claims, expiresIn })
      if (idempotency !== undefined) {
        const sealed = vault.seal(token, sealContext(tokenPlace, session.id, workspace_id))
        yield* system.ask(CredentialsCommands.StoreToken, workspace_id, { session, token: sealed, idempotency })
      }
      return { session, token }
    }),
    admit: traced("Webrtc.admit")(function* (token, address) {
      const claims = yield* keys.verify(token).pipe(
        Effect.tapError(({ why }) => (why === "invalid" ? countRefused(token, address) : Effect.void)),
        Effect.mapError(({ why }) =>
          why === "expired" ? new MagicLinkExpired(expired) : new MagicLinkInvalid(invalid)
        )
      )
      if (isSandbox(claims.workspace_id)) return yield* new MagicLinkInvalid(ofTestMode)
      return (yield* isActive(claims)) ? claims : yield* new MagicLinkInvalid(invalid)
    }),
    secret: traced("Webrtc.secret")(function* ({ credential_id, workspace_id }) {
      const credential = (yield* reads.list(workspace_id)).find(
        ({ id, status }) => id === credential_id && status === "active"
      )
      if (credential === undefined) return undefined
      const password = vault.open(credential.password, sealContext(passwordPlace, credential_id, workspace_id))
      return password === undefined ? undefined : { username: upstream.browsersOf(credential.username), password }
    })
  })
})
