// The query parameters and the response of every list.
import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { GivenDay, GivenInstant } from "../../domain/GivenInstant.ts"

const Text = (max: number) => Schema.String.check(Schema.isMaxLength(max), Schema.isPattern(/^[^\0]*$/))

/** The text of a filter in a query. */
export const FilterText = Text(128)

/** A telephone number in a query, whose `+` becomes a blank if it is not encoded. */
export const FilterNumber = FilterText.annotate({ description: "A number in E.164 form." }).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((text) => text.replace(/^ (?=\d)/, "+")),
    encode: SchemaGetter.passthrough<string>()
  })
)

/** A time in a query, as epoch milliseconds. The document shows the annotations of the text alone. */
const timeOf = (text: Schema.Codec<string>, given: Schema.Codec<string>) =>
  text.pipe(
    Schema.decodeTo(given),
    Schema.decodeTo(Schema.Number, {
      decode: SchemaGetter.transform((text) => Date.parse(text)),
      encode: SchemaGetter.transform((at) => new Date(at).toISOString())
    })
  )

/** An RFC 3339 instant. */
export const FilterInstant = timeOf(Schema.String, GivenInstant)
export const filterInstant = (description: string) => timeOf(Schema.String.annotate({ description }), GivenInstant)

/** A date. An instant is read as its date. */
export const filterDay = (description: string) => timeOf(Schema.String.annotate({ description }), GivenDay)

/** The query parameters of every list. */
export const paging = {
  limit: Schema.optionalKey(Text(32)).annotate({
    description: "How many rows to return. Default 50, max 200; larger values are clamped."
  }),
  cursor: Schema.optionalKey(Text(1024)).annotate({ description: "`X-Next-Cursor` of the previous page." })
}

/** The headers that lead to the next page. */
export const nextPageHeaders = {
  "x-next-cursor": Schema.optionalKey(Schema.String).annotate({ description: "Absent on the last page." }),
  link: Schema.optionalKey(Schema.String).annotate({ description: 'The next page, `rel="next"` (RFC 8288).' })
}

/** The response of every list: a bare array, with the next page in its headers. */
export const ListOf = <S extends Schema.Top>(row: S) => HttpApiSchema.WithHeaders(Schema.Array(row), nextPageHeaders)
