/**
 * The chat app's own API: WhatsApp Business Calling over the Graph API (developers.facebook.com, "Configure call
 * settings" and "Configure and use SIP"). A number is found among those of the business account, and its settings are read
 * and written under its id there.
 */
import { Effect, Layer, type Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { CallSettings, initialSettings } from "../../domain/chatapp/CallSettings.ts"
import { notEligibleCode } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppFault, ChatAppProvider, Restriction } from "../../domain/ports/ChatAppProvider.ts"

export interface GraphOptions {
  /** With the version: `https://graph.facebook.com/v23.0`. */
  readonly url: string
  readonly token: Redacted.Redacted
  /** The business account that has the numbers. */
  readonly account_id: string
  /** Where the provider is to send calls: a SIP host with TLS. */
  readonly sip_host: string
}

const timeout = "10 seconds"
const sip_port = 5061

const GraphError = Schema.Struct({
  error: Schema.Struct({ message: Schema.String, code: Schema.Int, error_subcode: Schema.optionalKey(Schema.Int) })
})

const Numbers = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, display_phone_number: Schema.String }))
})

/** What was never set is absent, and has the provider's default. */
const Settings = Schema.Struct({
  calling: Schema.optionalKey(
    Schema.StructWithRest(
      Schema.Struct({
        audio: Schema.optionalKey(
          Schema.Struct({ additional_codecs: Schema.optionalKey(Schema.Array(Schema.String)) })
        ),
        restrictions: Schema.optionalKey(Schema.Struct({ restrictions: Schema.Array(Restriction) }))
      }),
      [Schema.Record(Schema.String, Schema.Unknown)]
    )
  )
})

const decodeLive = Schema.decodeUnknownEffect(CallSettings)

/** Codes that say nothing against the request: unknown and temporary faults, and limits (Graph API, "Error codes"). */
const passing = new Set([1, 2, 4, 17, 80_007, 130_429])

const away = (cause: unknown) =>
  new ChatAppFault({ kind: "unavailable", message: "The chat-app provider cannot be reached.", code: null, cause })

const digits = (number: string): string => number.replaceAll(/\D/g, "")

const faultOf = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.matchEffect(Effect.flatMap(response.json, Schema.decodeUnknownEffect(GraphError)), {
    onFailure: (cause) => Effect.fail(away(cause)),
    onSuccess: ({ error: { code, error_subcode, message } }) => {
      const kind = [code, error_subcode].includes(notEligibleCode)
        ? "not_eligible"
        : passing.has(code) || response.status >= 500
          ? "unavailable"
          : "rejected"
      return Effect.fail(new ChatAppFault({ kind, message, code: kind === "not_eligible" ? notEligibleCode : code }))
    }
  })

/** The provider's names of what has another name here. */
const toGraph = ({ audio_additional_codecs, ...settings }: CallSettings) => ({
  ...settings,
  audio: { additional_codecs: audio_additional_codecs }
})

export const layer = (options: GraphOptions) =>
  Layer.effect(
    ChatAppProvider,
    Effect.gen(function* () {
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

      const ask = (request: HttpClientRequest.HttpClientRequest) =>
        client.execute(request).pipe(
          Effect.timeout(timeout),
          Effect.mapError(away),
          Effect.flatMap((response) =>
            response.status < 300 ? Effect.mapError(response.json, away) : faultOf(response)
          )
        )

      const decoded = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S, document: unknown) =>
        Effect.mapError(Schema.decodeUnknownEffect(schema)(document), away)

      const readIds = Effect.gen(function* () {
        const { data } = yield* decoded(
          Numbers,
          yield* ask(
            HttpClientRequest.get(`/${options.account_id}/phone_numbers?fields=id,display_phone_number&limit=200`)
          )
        )
        for (const { display_phone_number, id } of data) ids.set(`+${digits(display_phone_number)}`, id)
      })

      /** The id of a number never changes, so it is asked for once. */
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

      const withId = (id: string): string | undefined => [...ids].find(([, other]) => other === id)?.[0]

      const post = (number: string, calling: unknown) =>
        Effect.flatMap(idOf(number), (id) =>
          Effect.asVoid(
            ask(HttpClientRequest.post(`/${id}/settings`).pipe(HttpClientRequest.bodyJsonUnsafe({ calling })))
          )
        )

      return ChatAppProvider.of({
        read: Effect.fnUntraced(function* (number) {
          const id = yield* idOf(number)
          const { calling = {} } = yield* decoded(Settings, yield* ask(HttpClientRequest.get(`/${id}/settings`)))
          const { audio, restrictions, ...rest } = calling
          const settings = yield* Effect.mapError(
            decodeLive({ ...initialSettings, ...rest, audio_additional_codecs: audio?.additional_codecs ?? [] }),
            away
          )
          return { settings, restrictions: restrictions?.restrictions ?? [] }
        }),
        numberOf: (id) =>
          Effect.suspend(() =>
            withId(id) === undefined ? Effect.map(readIds, () => withId(id)) : Effect.succeed(withId(id))
          ),
        write: (number, settings) => post(number, toGraph(settings)),
        provision: (number) =>
          Effect.as(
            post(number, { sip: { status: "ENABLED", servers: [{ hostname: options.sip_host, port: sip_port }] } }),
            { sip_host: options.sip_host }
          )
      })
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
