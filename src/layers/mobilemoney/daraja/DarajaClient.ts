// Safaricom's API ("Daraja", https://developer.safaricom.co.ke/APIs): JSON over HTTP with a bearer token, which is
// reused until shortly before it expires.
import { Clock, Data, Effect, Redacted, type Scope, Semaphore } from "effect"
import { Agent } from "undici"
import { errorCode } from "../../node/ErrorCode.ts"

export interface DarajaOptions {
  /** `https://api.safaricom.co.ke`, or the sandbox. */
  readonly url: string
  readonly consumer_key: string
  readonly consumer_secret: Redacted.Redacted
  readonly shortcode: string
  readonly passkey: Redacted.Redacted
  /** The base URL of the callbacks: `<callbacks>/stk/<secret>/<top-up>`. */
  readonly callbacks: string
  readonly callback_secret: Redacted.Redacted
}

export class DarajaFault extends Data.TaggedError("DarajaFault")<{
  /** Whether the request may have been carried out. */
  readonly sent: boolean
  /** The provider's error code, if it sent one. */
  readonly code: string | undefined
  readonly message: string
}> {}

type Document = Readonly<Record<string, unknown>>

/** Connection errors that occur before a request is sent. */
const notSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])
const connectTimeout_ms = 5_000
const connections_max = 32
const responseTimeout = "15 seconds"
/** A token is replaced this long before it expires. */
const tokenMargin_ms = 60_000
const tokenRefused = new Set(["404.001.03", "401.003.01", "400.003.01"])

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined

export interface DarajaClient {
  /** Posts JSON with the token. Fails with the provider's own error code and message. */
  readonly post: (path: string, body: Document) => Effect.Effect<Document, DarajaFault>
}

interface Sending {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly authorization: string
  readonly body: string | null
}

const makeSend = (agent: Agent, { url }: DarajaOptions) => {
  const origin = new URL(url).origin

  const request = ({ authorization, body, method, path }: Sending) =>
    Effect.tryPromise({
      try: async (signal) => {
        const { body: answer, statusCode } = await agent.request({
          origin,
          path,
          method,
          headers: { authorization, "content-type": "application/json", accept: "application/json" },
          body,
          signal
        })
        return { status: statusCode, document: (await answer.json().catch(() => undefined)) as Document | undefined }
      },
      catch: (cause) =>
        new DarajaFault({
          sent: !notSent.has(errorCode(cause) ?? ""),
          code: undefined,
          message: "The provider cannot be reached."
        })
    })

  return (sending: Sending): Effect.Effect<Document, DarajaFault> =>
    request(sending).pipe(
      Effect.timeoutOrElse({
        duration: responseTimeout,
        orElse: () =>
          Effect.fail(new DarajaFault({ sent: true, code: undefined, message: "The provider did not answer." }))
      }),
      Effect.flatMap(({ document, status }) => {
        if (status < 300 && document !== undefined) return Effect.succeed(document)
        const code = text(document?.["errorCode"])
        return Effect.fail(
          new DarajaFault({
            sent: code === undefined && status >= 500,
            code,
            message: text(document?.["errorMessage"]) ?? `The provider answered ${status}.`
          })
        )
      })
    )
}

/** Creates a client whose connections are closed with the scope. */
export const makeDarajaClient = (options: DarajaOptions): Effect.Effect<DarajaClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(
        () => new Agent({ connect: { timeout: connectTimeout_ms }, connections: connections_max, allowH2: false })
      ),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const send = makeSend(agent, options)
    const oneAtATime = yield* Semaphore.make(1)
    let token: { readonly text: string; readonly expires_at: number } | undefined

    const credentials = Buffer.from(`${options.consumer_key}:${Redacted.value(options.consumer_secret)}`)
    const tokenRequest: Sending = {
      method: "GET",
      path: "/oauth/v1/generate?grant_type=client_credentials",
      authorization: `Basic ${credentials.toString("base64")}`,
      body: null
    }

    /** Without a token, the request itself was never sent. */
    const bearer = oneAtATime.withPermit(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (token !== undefined && now < token.expires_at - tokenMargin_ms) return token.text
        const answer = yield* Effect.mapError(
          send(tokenRequest),
          ({ code, message }) => new DarajaFault({ sent: false, code, message })
        )
        const access_token = text(answer["access_token"])
        if (access_token === undefined)
          return yield* new DarajaFault({ sent: false, code: undefined, message: "The provider sent no token." })
        token = { text: access_token, expires_at: now + Number(answer["expires_in"] ?? 0) * 1_000 }
        return access_token
      })
    )

    const post = (path: string, body: Document): Effect.Effect<Document, DarajaFault> => {
      const attempt = Effect.flatMap(bearer, (access_token) =>
        send({ method: "POST", path, authorization: `Bearer ${access_token}`, body: JSON.stringify(body) })
      )
      return Effect.catch(attempt, (fault) => {
        if (fault.code === undefined || !tokenRefused.has(fault.code)) return Effect.fail(fault)
        token = undefined
        return Effect.andThen(Effect.logDebug("Safaricom refused the token; retrying with a new one"), attempt)
      })
    }
    return { post }
  })
