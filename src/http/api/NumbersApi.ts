import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import {
  NumberAlreadyClaimed,
  NumberByoRequiresTrunk,
  NumberE164Taken,
  NumberLimitReached,
  NumberProofRequired,
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
import { CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { NumberLookup } from "../../domain/calls/policy/NumberLookup.ts"
import { InventoryItem } from "../../domain/numbers/InventoryItem.ts"
import { Capability, NumberRecord, NumberType } from "../../domain/numbers/NumberRecord.ts"
import { Routing, RoutingRequest } from "../../domain/numbers/Routing.ts"
import { Currency } from "../../domain/wallet/Currency.ts"
import { idOf } from "../request/CallRef.ts"
import { FilterText } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { NumberId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

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

const endpoint = customerEndpoints({ read: { scope: "numbers.read" }, write: { scope: "numbers.write" } })

export class NumbersApi extends HttpApiGroup.make("numbers")
  .add(
    endpoint.list("available", "/v1/numbers/available", {
      summary: "Browse numbers",
      description: "Lists the numbers that can be claimed, by country and number, with their prices in one currency.",
      query: {
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
      success: InventoryItem,
      errors: [CurrencyUnsupported, WalletNotFound]
    }),
    endpoint.list("list", "/v1/numbers", {
      summary: "List the workspace's numbers",
      description: "The most recently claimed number is first.",
      query: {
        status: Schema.optionalKey(NumberRecord.fields.status),
        source: Schema.optionalKey(NumberRecord.fields.source),
        country: Schema.optionalKey(Country)
      },
      success: NumberRecord
    }),
    endpoint.post("bring", "/v1/numbers/byo", {
      summary: "Bring a number",
      description: "Registers a number of your own that is reached over your SIP trunk. It has no monthly price.",
      payload: BringRequest,
      success: HttpApiSchema.WithHeaders(NumberRecord, location).pipe(HttpApiSchema.status(201)),
      errors: [
        BadRequest,
        NumberByoRequiresTrunk,
        NumberE164Taken,
        NumberLimitReached,
        NumberProofRequired,
        NumberInvalidRoutingUrl,
        WorkspaceLockedToPlatformNumbers
      ]
    }),
    endpoint.remove("remove", "/v1/numbers/byo/:id", {
      summary: "Remove your own number",
      description: "Removes a number that you brought. The platform no longer handles its calls.",
      params: { id: idOf(NumberId) },
      success: HttpApiSchema.NoContent,
      errors: [NumberNotFound]
    }),
    endpoint.get("lookup", "/v1/lookup/:number", {
      summary: "Look up a number",
      description:
        "What the numbering plans, the rates and the calling policy say of a number (E.164), and whether calls may show it. `carrier` needs a source, which an engine does not have by itself.",
      params: { number: Schema.String.annotate({ description: "The number in E.164 form." }) },
      success: NumberLookup,
      errors: [BadRequest, WalletNotFound, CallInvalidDestination]
    }),
    endpoint.get("get", "/v1/numbers/:id", {
      summary: "Read a number",
      description: "Returns a number of the workspace with its routing.",
      params: { id: idOf(NumberId) },
      success: NumberRecord,
      errors: [NumberNotFound]
    }),
    endpoint.post("claim", "/v1/numbers/:id/claim", {
      summary: "Claim a number",
      description:
        "Charges the first month and assigns the number to the workspace. The rental renews each month until you release the number.",
      params: { id: idOf(NumberId) },
      success: HttpApiSchema.WithHeaders(NumberRecord, location).pipe(HttpApiSchema.status(201)),
      errors: [
        NumberNotFound,
        NumberAlreadyClaimed,
        NumberRetired,
        NumberPriceMissing,
        NumberWalletUnavailable,
        WalletInsufficientFunds,
        WalletInvalidAmount,
        WalletNotFound,
        WorkspaceLockedToByoc
      ]
    }),
    endpoint.post("release", "/v1/numbers/:id/release", {
      summary: "Release a number",
      description:
        "Ends the rental. There are no further charges and no refunds. After 30 days any workspace can claim the number.",
      params: { id: idOf(NumberId) },
      success: NumberRecord,
      errors: [NumberNotFound, NumberNotAssigned]
    }),
    endpoint.get("routing", "/v1/numbers/:id/routing", {
      summary: "Read a routing",
      description: "Returns how calls to the number are handled and where their events are sent.",
      params: { id: idOf(NumberId) },
      success: NumberRoutingView,
      errors: [NumberNotFound]
    }),
    endpoint.patch("mergeRouting", "/v1/numbers/:id/routing", {
      summary: "Change a routing",
      description: "Absent members keep their values.",
      params: { id: idOf(NumberId) },
      payload: RoutingBody,
      success: NumberRoutingView,
      errors: [BadRequest, NumberNotFound, NumberNotAssigned, NumberInvalidRoutingUrl]
    }),
    endpoint.put("replaceRouting", "/v1/numbers/:id/routing", {
      summary: "Replace a routing",
      description: "Absent members get their default values. An absent label keeps its value.",
      params: { id: idOf(NumberId) },
      payload: RoutingBody,
      success: NumberRoutingView,
      errors: [BadRequest, NumberNotFound, NumberNotAssigned, NumberInvalidRoutingUrl]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Numbers", description: "Claim numbers, bring your own and route their calls." })
  ) {}
