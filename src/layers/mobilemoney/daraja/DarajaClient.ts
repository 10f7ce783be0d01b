// Safaricom's API ("Daraja", https://developer.safaricom.co.ke/APIs): a token that is kept while it lives, and JSON.
import { Clock, Data, Effect, Redacted, type Scope, Semaphore } from "effect"
import { Agent } from "undici"

export interface DarajaOptions {
  /** `https://api.safaricom.co.ke`, or the sandbox. */
  readonly url: string
  readonly consumer_key: string
  readonly consumer_secret: Redacted.Redacted
  readonly shortcode: string
  readonly passkey: Redacted.Redacted
  /** Where payments are announced: `<callbacks>/stk/<secret>/<top-up>`. */
  readonly callbacks: string
  readonly callback_secret: Redacted.Redacted
}

/** `sent`: it may have been carried out. */
export class DarajaFault extends Data.TaggedError("DarajaFault")<{
  readonly sent: boolean
  /** What it said, where it said anything. */
  readonly code: string | undefined
  readonly message: string
}> {}

type Document = Readonly<Record<string, unknown>>

/** Faults before a connection stands: surely nothing was asked. */
const unsent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])
const answer_within = "15 seconds"
/** A token is renewed so long before its end. */
const renewed_ms = 60_000
const token_refused = new Set(["404.001.03", "401.003.01", "400.003.01"])

const causeCode = (cause: unknown): string => String((cause as { readonly code?: unknown } | null)?.code ?? "")

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined

export interface DarajaClient {
  /** A POST with the token. Fails with what the provider says it is. */
  readonly post: (path: string, body: Document) => Effect.Effect<Document, DarajaFault>
}

export const makeDarajaClient = (options: DarajaOptions): Effect.Effect<DarajaClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connect: { timeout: 5_000 }, connections: 32, allowH2: false })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const one = yield* Semaphore.make(1)
    let token: { readonly text: string; readonly until: number } | undefined

    const send = (method: "GET" | "POST", path: string, authorization: string, body: string | null) =>
      Effect.tryPromise({
        try: async (signal) => {
          const { body: answer, statusCode } = await agent.request({
            origin: new URL(options.url).origin,
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
            sent: !unsent.has(causeCode(cause)),
            code: undefined,
            message: "The provider cannot be reached."
          })
      }).pipe(
        Effect.timeoutOrElse({
          duration: answer_within,
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

    const credentials = `Basic ${Buffer.from(`${options.consumer_key}:${Redacted.value(options.consumer_secret)}`).toString("base64")}`

    /** Nothing of the request itself was sent where no token could be had. */
    const bearer = one.withPermit(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (token !== undefined && now < token.until) return token.text
        const answer = yield* Effect.mapError(
          send("GET", "/oauth/v1/generate?grant_type=client_credentials", credentials, null),
          ({ code, message }) => new DarajaFault({ sent: false, code, message })
        )
        const access_token = text(answer["access_token"])
        if (access_token === undefined)
          return yield* new DarajaFault({ sent: false, code: undefined, message: "The provider gave no token." })
        token = { text: access_token, until: now + Number(answer["expires_in"] ?? 0) * 1_000 - renewed_ms }
        return access_token
      })
    )

    const post = (path: string, body: Document): Effect.Effect<Document, DarajaFault> => {
      const attempt = Effect.flatMap(bearer, (access_token) =>
        send("POST", path, `Bearer ${access_token}`, JSON.stringify(body))
      )
      return Effect.catch(attempt, (fault) => {
        if (fault.code === undefined || !token_refused.has(fault.code)) return Effect.fail(fault)
        token = undefined
        return attempt
      })
    }
    return { post }
  })
