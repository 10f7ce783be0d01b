/**
 * WhatsApp Business Calling over the Graph API (developers.facebook.com, "Configure call settings" and "Configure and
 * use SIP"). The settings of a number are read and written under its id at the provider.
 */
import { Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { CallSettings, initialSettings, Restriction } from "../../domain/chatapp/CallSettings.ts"
import { ChatAppFault, ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { decoded, type GraphOptions, makeGraphClient } from "./GraphClient.ts"
import { traced } from "../../domain/Traced.ts"

const sipPort = 5061

/** Settings that were never written are absent. They have the provider's defaults. */
const Settings = Schema.Struct({
  calling: Schema.optionalKey(
    Schema.StructWithRest(
      Schema.Struct({
        voicemail: Schema.optionalKey(
          Schema.StructWithRest(
            Schema.Struct({ announcement_media_id: Schema.optionalKey(Schema.NullOr(Schema.Int)) }),
            [Schema.Record(Schema.String, Schema.Unknown)]
          )
        ),
        audio: Schema.optionalKey(
          Schema.Struct({ additional_codecs: Schema.optionalKey(Schema.Array(Schema.String)) })
        ),
        restrictions: Schema.optionalKey(Schema.Struct({ restrictions: Schema.Array(Restriction) }))
      }),
      [Schema.Record(Schema.String, Schema.Unknown)]
    )
  )
})

/** The provider has made a password for each server. It tells them only if asked with `include_sip_credentials`. */
const SipSettings = Schema.Struct({
  calling: Schema.Struct({
    sip: Schema.Struct({
      servers: Schema.Array(
        Schema.Struct({ hostname: Schema.String, sip_user_password: Schema.optionalKey(Schema.String) })
      )
    })
  })
})

/** The settings with the provider's names. */
const toGraph = ({ audio_additional_codecs, voicemail, ...settings }: CallSettings) => ({
  ...settings,
  voicemail: { ...voicemail, announcement_media_id: voicemail.announcement_media_id || null },
  audio: { additional_codecs: audio_additional_codecs }
})

const withoutPassword = new ChatAppFault({
  kind: "rejected",
  message: "The chat-app provider told no SIP password for the number.",
  code: null
})

export const layer = (options: GraphOptions) =>
  Layer.effect(
    ChatAppProvider,
    Effect.gen(function* () {
      const { sip_host } = options
      const { idOf, numberOf, request } = yield* makeGraphClient(options)

      const post = Effect.fnUntraced(function* (number: string, calling: unknown) {
        const id = yield* idOf(number)
        yield* request(HttpClientRequest.post(`/${id}/settings`).pipe(HttpClientRequest.bodyJsonUnsafe({ calling })))
      })

      return ChatAppProvider.of({
        read: traced("ChatAppProvider.read")(function* (number) {
          const id = yield* idOf(number)
          const { calling = {} } = yield* decoded(Settings, yield* request(HttpClientRequest.get(`/${id}/settings`)))
          const { audio, restrictions, voicemail, ...rest } = calling
          const settings = yield* decoded(CallSettings, {
            ...initialSettings,
            ...rest,
            ...(voicemail && {
              voicemail: { ...voicemail, announcement_media_id: voicemail.announcement_media_id ?? 0 }
            }),
            audio_additional_codecs: audio?.additional_codecs ?? []
          })
          return { settings, restrictions: restrictions?.restrictions ?? [] }
        }),
        numberOf,
        write: traced("ChatAppProvider.write")((number, settings) => post(number, toGraph(settings))),
        account: traced("ChatAppProvider.account")(function* (number) {
          const id = yield* idOf(number)
          const asked = HttpClientRequest.get(`/${id}/settings`, { urlParams: { include_sip_credentials: "true" } })
          const { calling } = yield* decoded(SipSettings, yield* request(asked))
          const password = calling.sip.servers.find(({ hostname }) => hostname === sip_host)?.sip_user_password
          if (password === undefined) return yield* withoutPassword
          const { provider_host: host, provider_port: port } = options
          // The provider writes the number without its plus sign here ("Configure and use SIP").
          return { host, port, username: number.slice(1), password: Redacted.make(password) }
        }),
        provision: traced("ChatAppProvider.provision")(function* (number) {
          yield* post(number, {
            sip: { status: "ENABLED", servers: [{ hostname: sip_host, port: sipPort }] },
            srtp_key_exchange_protocol: "SDES"
          })
          return { sip_host }
        })
      })
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
