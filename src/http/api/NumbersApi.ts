import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import {
  NumberAlreadyClaimed,
  NumberByoRequiresTrunk,
  NumberE164Taken,
  NumberInvalidRoutingUrl,
  NumberNotAssigned,
  NumberNotFound,
  NumberPriceMissing,
  NumberRetired,
  NumberWalletUnavailable
} from "../../domain/errors/NumberErrors.ts"
import { WorkspaceLockedToByoc, WorkspaceLockedToPlatformNumbers } from "../../domain/errors/TrunkErrors.ts"
import {
  CurrencyUnsupported,
  WalletInsufficientFunds,
  WalletInvalidAmount,
  WalletNotFound
} from "../../domain/errors/WalletErrors.ts"
import { InventoryItem } from "../../domain/numbers/InventoryItem.ts"
import { Capability, NumberRecord, NumberType } from "../../domain/numbers/NumberRecord.ts"
import { Routing, RoutingRequest } from "../../domain/numbers/Routing.ts"
import { Currency } from "../../domain/wallet/Currency.ts"
import { idOf } from "../request/CallRef.ts"
import { FilterText, ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { NumberId } from "../../domain/BrandedIds.ts"

const Country = Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/)).annotate({ description: "ISO 3166-1 alpha-2." })
const Label = Schema.NullOr(Schema.String.check(Schema.isMaxLength(64))).annotate({
  description: "Your name for the number."
})

/** The routing of a number, as it is read and as it is after a change. */
export const NumberRoutingView = Schema.Struct({
  id: Schema.String.annotate({ description: "The number's id." }),
  number: Schema.String,
  label: Schema.NullOr(Schema.String),
  ...Routing.fields,
  secret: Schema.optionalKey(Schema.String).annotate({
    description:
      "The secret that signs the events of the number's calls. It is shown only when the number gets an `events_url`."
  })
}).annotate({ identifier: "NumberRoutingView" })

const RoutingBody = Schema.Struct({ ...RoutingRequest.fields, label: Schema.optionalKey(Label) }).annotate({
  identifier: "NumberRoutingChange"
})

const BringRequest = Schema.Struct({
  number: Schema.String.check(Schema.isMaxLength(32)).annotate({ description: "The number in E.164 form." }),
  label: Schema.optionalKey(Label),
  routing: Schema.optionalKey(RoutingRequest)
}).annotate({ identifier: "BringNumberRequest" })

const location = { location: Schema.String.annotate({ description: "The URL of the number." }) }
const ofNumber = { scope: "numbers.write", whenIdMalformed: NumberNotFound } as const

const available = HttpApiEndpoint.get("available", "/v1/numbers/available", {
  query: {
    ...paging,
    country: Schema.optionalKey(Country),
    currency: Schema.optionalKey(FilterText).annotate({
      description: `The currency of the prices: ${Currency.literals.join(", ")}. Default: the currency of your wallet.`
    }),
    type: Schema.optionalKey(NumberType),
    capability: Schema.optionalKey(Capability),
    contains: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{1,15}$/))).annotate({
      description: "Consecutive digits anywhere in the number."
    })
  },
  success: ListOf(InventoryItem),
  error: responses(BadRequest, CurrencyUnsupported, InvalidCursor, WalletNotFound)
})
  .annotate(EndpointPolicy, { scope: "numbers.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Browse numbers",
      description: "Lists the numbers that can be claimed, by country and number, with their prices in one currency."
    })
  )

const claim = HttpApiEndpoint.post("claim", "/v1/numbers/:id/claim", {
  params: { id: idOf(NumberId) },
  headers: idempotencyHeader,
  success: HttpApiSchema.WithHeaders(NumberRecord, location).pipe(HttpApiSchema.status(201)),
  error: responses(
    NumberNotFound,
    NumberAlreadyClaimed,
    NumberRetired,
    NumberPriceMissing,
    NumberWalletUnavailable,
    WalletInsufficientFunds,
    WalletInvalidAmount,
    WalletNotFound,
    WorkspaceLockedToByoc
  )
})
  .annotate(EndpointPolicy, ofNumber)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Claim a number",
      description:
        "Charges the first month and assigns the number to the workspace. The rental renews each month until you release the number."
    })
  )
  .middleware(JsonWrite)

const list = HttpApiEndpoint.get("list", "/v1/numbers", {
  query: {
    ...paging,
    status: Schema.optionalKey(NumberRecord.fields.status),
    source: Schema.optionalKey(NumberRecord.fields.source),
    country: Schema.optionalKey(Country)
  },
  success: ListOf(NumberRecord),
  error: responses(BadRequest, InvalidCursor)
})
  .annotate(EndpointPolicy, { scope: "numbers.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List the workspace's numbers",
      description: "The most recently claimed number is first."
    })
  )

const get = HttpApiEndpoint.get("get", "/v1/numbers/:id", {
  params: { id: idOf(NumberId) },
  success: NumberRecord,
  error: responses(NumberNotFound)
})
  .annotate(EndpointPolicy, { scope: "numbers.read", whenIdMalformed: NumberNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read a number",
      description: "Returns a number of the workspace with its routing."
    })
  )

const release = HttpApiEndpoint.post("release", "/v1/numbers/:id/release", {
  params: { id: idOf(NumberId) },
  headers: idempotencyHeader,
  success: NumberRecord,
  error: responses(NumberNotFound, NumberNotAssigned)
})
  .annotate(EndpointPolicy, ofNumber)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Release a number",
      description:
        "Ends the rental. There are no further charges and no refunds. After 30 days any workspace can claim the number."
    })
  )
  .middleware(JsonWrite)

const routing = HttpApiEndpoint.get("routing", "/v1/numbers/:id/routing", {
  params: { id: idOf(NumberId) },
  success: NumberRoutingView,
  error: responses(NumberNotFound)
})
  .annotate(EndpointPolicy, { scope: "numbers.read", whenIdMalformed: NumberNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read a routing",
      description: "Returns how calls to the number are handled and where their events are sent."
    })
  )

const rerouting = {
  params: { id: idOf(NumberId) },
  payload: RoutingBody,
  success: NumberRoutingView,
  error: responses(BadRequest, NumberNotFound, NumberNotAssigned, NumberInvalidRoutingUrl)
}

const mergeRouting = HttpApiEndpoint.patch("mergeRouting", "/v1/numbers/:id/routing", rerouting)
  .annotate(EndpointPolicy, ofNumber)
  .annotateMerge(OpenApi.annotations({ summary: "Change a routing", description: "Absent members keep their values." }))
  .middleware(JsonWrite)

const replaceRouting = HttpApiEndpoint.put("replaceRouting", "/v1/numbers/:id/routing", rerouting)
  .annotate(EndpointPolicy, ofNumber)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Replace a routing",
      description: "Absent members get their default values. An absent label keeps its value."
    })
  )
  .middleware(JsonWrite)

const bring = HttpApiEndpoint.post("bring", "/v1/numbers/byo", {
  headers: idempotencyHeader,
  payload: BringRequest,
  success: HttpApiSchema.WithHeaders(NumberRecord, location).pipe(HttpApiSchema.status(201)),
  error: responses(
    BadRequest,
    NumberByoRequiresTrunk,
    NumberE164Taken,
    NumberInvalidRoutingUrl,
    WorkspaceLockedToPlatformNumbers
  )
})
  .annotate(EndpointPolicy, { scope: "numbers.write" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Bring a number",
      description: "Registers a number of your own that is reached over your SIP trunk. It has no monthly price."
    })
  )
  .middleware(JsonWrite)

const remove = HttpApiEndpoint.delete("remove", "/v1/numbers/byo/:id", {
  params: { id: idOf(NumberId) },
  success: HttpApiSchema.NoContent,
  error: responses(NumberNotFound)
})
  .annotate(EndpointPolicy, ofNumber)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Remove your own number",
      description: "Removes a number that you brought. The platform no longer handles its calls."
    })
  )

export class NumbersApi extends HttpApiGroup.make("numbers")
  .add(available, list, bring, remove, get, claim, release, routing, mergeRouting, replaceRouting)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Numbers", description: "Claim numbers, bring your own and route their calls." })
  ) {}
