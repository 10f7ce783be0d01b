/**
 * WhatsApp Business Calling over the Graph API (developers.facebook.com, "Configure call settings" and "Configure and
 * use SIP"). The settings of a number are read and written under its id at the provider.
 */
import { Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { CallSettings, initialSettings, Restriction } from "../../domain/chatapp/CallSettings.ts"
import { ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
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

/** The settings with the provider's names. */
const toGraph = ({ audio_additional_codecs, voicemail, ...settings }: CallSettings) => ({
  ...settings,
  voicemail: { ...voicemail, announcement_media_id: voicemail.announcement_media_id || null },
  audio: { additional_codecs: audio_additional_codecs }
})

export const layer = (options: GraphOptions) =>
  Layer.effect(
    ChatAppProvider,
    Effect.gen(function* () {
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
        provision: traced("ChatAppProvider.provision")(function* (number) {
          const { sip_host } = options
          yield* post(number, { sip: { status: "ENABLED", servers: [{ hostname: sip_host, port: sipPort }] } })
          return { sip_host }
        })
      })
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
