import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import { Id } from "../CallRef.ts"
import { ListOf, paging } from "../Lists.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../Responses.ts"
import { Rules } from "../Rules.ts"

const list = HttpApiEndpoint.get("list", "/v1/numbers", {
  query: paging,
  success: ListOf(NumberRecord),
  error: responses(BadRequest, InvalidCursor)
}).annotate(Rules, { scope: "numbers.read" }).annotateMerge(
  OpenApi.annotations({ summary: "List the workspace's numbers", description: "Last claimed first." })
)

const get = HttpApiEndpoint.get("get", "/v1/numbers/:id", {
  params: { id: Id },
  success: NumberRecord,
  error: responses(NumberNotFound)
}).annotate(Rules, { scope: "numbers.read", absent: NumberNotFound }).annotateMerge(
  OpenApi.annotations({ summary: "Read a number", description: "A number of the workspace, with its routing." })
)

export class NumbersApi extends HttpApiGroup.make("numbers")
  .add(list, get)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Numbers", description: "The numbers that the workspace calls from." }))
{}
