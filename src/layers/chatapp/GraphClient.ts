// Requests to the Graph API, and the ids of a business account's numbers.
import { Effect, type Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { notEligibleCode } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppFault } from "../../domain/ports/pbx/ChatAppProvider.ts"

export interface GraphOptions {
  /** With the version: `https://graph.facebook.com/v23.0`. */
  readonly url: string
  readonly token: Redacted.Redacted
  /** The business account that owns the numbers. */
  readonly account_id: string
  /** The SIP host with TLS to which the provider sends calls. */
  readonly sip_host: string
  /** The provider's own SIP host and port. */
  readonly provider_host: string
  readonly provider_port: number
}

const requestTimeout = "10 seconds"

const GraphError = Schema.Struct({
  error: Schema.Struct({ message: Schema.String, code: Schema.Int, error_subcode: Schema.optionalKey(Schema.Int) })
})

const Numbers = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, display_phone_number: Schema.String }))
})

/** Codes of unknown and temporary faults and of rate limits (Graph API, "Error codes"). */
const temporaryCodes = new Set([1, 2, 4, 17, 80_007, 130_429])

export const unavailable = (cause: unknown) =>
  new ChatAppFault({ kind: "unavailable", message: "The chat-app provider cannot be reached.", code: null, cause })

const faultOf = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.matchEffect(Effect.flatMap(response.json, Schema.decodeUnknownEffect(GraphError)), {
    onFailure: (cause) => Effect.fail(unavailable(cause)),
    onSuccess: ({ error: { code, error_subcode, message } }) => {
      const kind = [code, error_subcode].includes(notEligibleCode)
        ? "not_eligible"
        : temporaryCodes.has(code) || response.status >= 500
          ? "unavailable"
          : "rejected"
      return Effect.fail(new ChatAppFault({ kind, message, code: kind === "not_eligible" ? notEligibleCode : code }))
    }
  })

/** Decodes a document of the provider. A document of another shape counts as no response. */
export const decoded = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S, document: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(document), unavailable)

const digits = (number: string): string => number.replaceAll(/\D/g, "")

export const makeGraphClient = Effect.fnUntraced(function* (options: GraphOptions) {
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest((request) =>
      request.pipe(
        HttpClientRequest.prependUrl(options.url),
        HttpClientRequest.bearerToken(options.token),
        HttpClientRequest.acceptJson
      )
    )
  )
  const ids = new Map<string, string>()

  const request = (request: HttpClientRequest.HttpClientRequest) =>
    client.execute(request).pipe(
      Effect.timeout(requestTimeout),
      Effect.mapError(unavailable),
      Effect.flatMap((response) =>
        response.status < 300 ? Effect.mapError(response.json, unavailable) : faultOf(response)
      )
    )

  const readIds = Effect.gen(function* () {
    const path = `/${options.account_id}/phone_numbers?fields=id,display_phone_number&limit=200`
    const { data } = yield* decoded(Numbers, yield* request(HttpClientRequest.get(path)))
    for (const { display_phone_number, id } of data) ids.set(`+${digits(display_phone_number)}`, id)
  })

  /** The id of a number never changes, so it is cached. */
  const idOf = Effect.fnUntraced(function* (number: string) {
    if (!ids.has(number)) yield* readIds
    const id = ids.get(number)
    if (id !== undefined) return id
    return yield* new ChatAppFault({
      kind: "rejected",
      message: "The number is not registered with the provider.",
      code: null
    })
  })

  const cachedNumber = (id: string): string | undefined => [...ids].find(([, other]) => other === id)?.[0]

  /** The number with this id; undefined: the account has none. */
  const numberOf = (id: string) =>
    Effect.suspend(() => {
      const number = cachedNumber(id)
      return number === undefined ? Effect.map(readIds, () => cachedNumber(id)) : Effect.succeed(number)
    })

  return { request, idOf, numberOf }
})
