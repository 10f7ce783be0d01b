// The provider's notification that a user has granted or revoked the permission to call them (developers.facebook.com,
// "Obtain user call permissions": webhook field `messages`, interactive type `call_permission_reply`).
import { Option, Schema } from "effect"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"

export const PermissionReply = Schema.Struct({
  /** The provider's id of the message. A repeated reply has the same id. */
  id: Schema.String,
  /** The provider's id of the business's number. */
  provider_number_id: Schema.String,
  /** The user's number, E.164. */
  user: Schema.String,
  status: Schema.Literals(["granted", "denied"]),
  permanent: Schema.Boolean,
  expires_at: Schema.NullOr(Schema.Int),
  source: Schema.Literals(["user", "automatic"]),
  at: Schema.Int
})
export type PermissionReply = typeof PermissionReply.Type

/**
 * Whether a reply came after `since`. The provider's times are in whole seconds, so a reply may seem up to a second
 * older than it is.
 */
export const isSince = (replied_at: number, since: number): boolean => replied_at + 1_000 > since

export const PermissionRecord = Schema.Struct({
  user: Schema.String.annotate({ description: "The user's number, E.164." }),
  status: PermissionReply.fields.status.annotate({ description: "What the user decided." }),
  permanent: Schema.Boolean.annotate({ description: "Granted until it is revoked." }),
  expires_at: Schema.NullOr(Schema.String).annotate({
    description: "When the grant expires; null: denied or permanent."
  }),
  source: PermissionReply.fields.source.annotate({
    description: "`automatic`: the provider granted it because the user called."
  }),
  replied_at: Schema.String
}).annotate({ identifier: "ChatAppPermission" })

export const permissionRecord = ({
  at,
  expires_at,
  permanent,
  source,
  status,
  user
}: PermissionReply): typeof PermissionRecord.Type => ({
  user,
  status,
  permanent,
  expires_at: instantOrNull(expires_at),
  source,
  replied_at: isoInstant(at)
})

const { String: Text, Struct, optionalKey, Array: ArrayOf } = Schema
/** Seconds since the epoch: text in one member, a number in the other. */
const Seconds = Schema.Union([Schema.Int, Text.check(Schema.isPattern(/^\d{1,12}$/))])

const Notification = Struct({
  object: Schema.Literal("whatsapp_business_account"),
  entry: ArrayOf(Struct({ changes: ArrayOf(Struct({ field: Text, value: Schema.Unknown })) }))
})

const Messages = Struct({ metadata: Struct({ phone_number_id: Text }), messages: optionalKey(ArrayOf(Schema.Unknown)) })

const Message = Struct({
  id: Text.check(Schema.isBetweenLength(1, 256)),
  from: Text.check(Schema.isPattern(/^\+?[1-9]\d{4,14}$/)),
  timestamp: Seconds,
  interactive: Struct({
    call_permission_reply: Struct({
      response: Schema.Literals(["accept", "reject"]),
      is_permanent: optionalKey(Schema.NullOr(Schema.Boolean)),
      expiration_timestamp: optionalKey(Schema.NullOr(Seconds)),
      response_source: optionalKey(Schema.NullOr(Text))
    })
  })
})

const readNotification = Schema.decodeUnknownOption(Notification)
const readMessages = Schema.decodeUnknownOption(Messages)
const readMessage = Schema.decodeUnknownOption(Message)

const ms = (seconds: number | string): number => Number(seconds) * 1_000

const replyOf = (provider_number_id: string, message: unknown): ReadonlyArray<PermissionReply> =>
  Option.match(readMessage(message), {
    onNone: () => [],
    onSome: ({ from, id, interactive: { call_permission_reply: reply }, timestamp }) => {
      const granted = reply.response === "accept"
      const permanent = granted && reply.is_permanent === true
      const until = reply.expiration_timestamp ?? null
      return [
        {
          id,
          provider_number_id,
          user: `+${from.replace("+", "")}`,
          status: granted ? "granted" : "denied",
          permanent,
          expires_at: granted && !permanent && until !== null ? ms(until) : null,
          source: reply.response_source === "automatic" ? "automatic" : "user",
          at: ms(timestamp)
        }
      ]
    }
  })

/** The permission replies in a notification. Undefined: the document is no notification of a business account. */
export const permissionReplies = (document: unknown): ReadonlyArray<PermissionReply> | undefined =>
  Option.getOrUndefined(
    Option.map(readNotification(document), ({ entry }) =>
      entry
        .flatMap(({ changes }) => changes)
        .flatMap(({ field, value }) => {
          const found = field === "messages" ? readMessages(value) : Option.none()
          return Option.match(found, {
            onNone: () => [],
            onSome: ({ messages = [], metadata }) =>
              messages.flatMap((message) => replyOf(metadata.phone_number_id, message))
          })
        })
    )
  )
