// Tokens for browsers that make and take calls: minting, admission, and the digest secret behind a token.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { type Extension, type Extensions, extensionsBy, extensionsOf } from "../../domain/credentials/Extension.ts"
import { MagicLinkExpired, MagicLinkInvalid } from "../../domain/errors/AuthErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SipCredentialNotFound, SipTokenUnavailable } from "../../domain/errors/SipCredentialErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { CredentialReads } from "../../domain/ports/pbx/CredentialReads.ts"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
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
import { sealContext, sealedIn } from "../shared/SealedResponse.ts"
import { makeRefusedTokens } from "./RefusedTokens.ts"
import { toNumberId, type WorkspaceId } from "../../domain/BrandedIds.ts"
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

/** The extensions that the request may mean, oldest first. */
const meantBy = (extensions: Extensions, { extension, number_id }: WebrtcTokenRequest): ReadonlyArray<Extension> => {
  const number = number_id === undefined ? undefined : toNumberId(number_id.toLowerCase())
  if (extension === undefined) return number === undefined ? extensions.all : (extensions.byNumber.get(number) ?? [])
  const one = extensions.byDigits.get(extension)
  return one === undefined || (number !== undefined && one.number_id !== number) ? [] : [one]
}

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

  const works = (workspace_id: WorkspaceId, { number }: Extension) =>
    Effect.map(directory.number(workspace_id, number), (own) => own !== undefined && isWorking(own))

  const firstWorking = Effect.fnUntraced(function* (workspace_id: WorkspaceId, meant: ReadonlyArray<Extension>) {
    for (const extension of meant) if (yield* works(workspace_id, extension)) return extension
    return undefined
  })

  /** The directory learns of an extension that another process made a moment later, but its creator uses it at once. */
  const fromDatabase = (workspace_id: WorkspaceId) =>
    Effect.map(reads.list(workspace_id), (credentials) => extensionsBy(extensionsOf(credentials)))

  const select = Effect.fnUntraced(function* (workspace_id: WorkspaceId, request: WebrtcTokenRequest) {
    const known = yield* firstWorking(workspace_id, meantBy(yield* directory.extensions(workspace_id), request))
    return known ?? (yield* firstWorking(workspace_id, meantBy(yield* fromDatabase(workspace_id), request)))
  })

  const isActive = traced("Webrtc.isActive")(function* ({ credential_id, workspace_id }: WebrtcClaims) {
    const known = yield* directory.extensions(workspace_id)
    if (known.byCredential.has(credential_id)) return true
    return yield* fromDatabase(workspace_id).pipe(
      Effect.map(({ byCredential }) => byCredential.get(credential_id)),
      Effect.flatMap((own) => (own === undefined ? Effect.succeed(false) : works(workspace_id, own))),
      Effect.orElseSucceed(() => false)
    )
  })

  /** The sealed password of an active credential. */
  const passwordOf = Effect.fnUntraced(function* ({ credential_id, workspace_id }: WebrtcClaims) {
    const { byCredential, passwords } = yield* directory.extensions(workspace_id)
    const known = byCredential.get(credential_id)
    const password = passwords.get(credential_id)
    if (known !== undefined && password !== undefined) return { username: known.username, password }
    return (yield* reads.list(workspace_id)).find(({ id, status }) => id === credential_id && status === "active")
  })

  return { isActive, passwordOf, select }
})

const make = Effect.fnUntraced(function* (settings: WebrtcSettings["Service"]) {
  const ids = yield* Ids
  const keys = yield* WebrtcKeys
  const answers = yield* Idempotency
  const system = yield* ActorSystem
  const upstream = yield* SipUpstream
  const vault = yield* Vault
  const { isActive, passwordOf, select } = yield* makeExtensions
  const countRefused = yield* makeRefusedTokens(system)

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
      const extension = yield* select(workspace_id, request)
      if (extension === undefined)
        return yield* new SipCredentialNotFound({ message: "The workspace has no such active SIP credential." })
      const expiresIn = Math.min(request.ttl_seconds ?? defaultLifetime_seconds, settings.token_max_seconds)
      const claims = yield* claimsOf(workspace_id, extension, request, expiresIn)
      const token = Redacted.value(yield* keys.mint(claims))
      const session = sessionOf(settings, keys, { extension, claims, expiresIn })
      if (idempotency !== undefined) {
        const headers = sealedIn(tokenPlace, vault.seal(token, sealContext(tokenPlace, session.id, workspace_id)))
        yield* answers.keep(idempotency, { status: 200, body: JSON.stringify(session), headers })
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
    secret: traced("Webrtc.secret")(function* (claims) {
      const { credential_id, workspace_id } = claims
      const credential = yield* passwordOf(claims)
      if (credential === undefined) return undefined
      const password = vault.open(credential.password, sealContext(passwordPlace, credential_id, workspace_id))
      return password === undefined ? undefined : { username: upstream.browsersOf(credential.username), password }
    })
  })
})
