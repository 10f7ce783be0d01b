// Which requests are refused while the engine has too much to do.
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { Sheddable } from "../../domain/journal/Shedding.ts"
import { EndpointPolicy } from "./EndpointPolicy.ts"
import { namesOf } from "./QueryNames.ts"

const lists = new WeakMap<HttpApiEndpoint.Top, boolean>()

/** Whether the endpoint has pages. */
const isList = (endpoint: HttpApiEndpoint.Top): boolean => {
  const known = lists.get(endpoint)
  if (known !== undefined) return known
  const found = endpoint.method === "GET" && namesOf(endpoint).includes("cursor")
  lists.set(endpoint, found)
  return found
}

/** What requests to the endpoint are, if they may be refused. */
export const sheddable = (endpoint: HttpApiEndpoint.Top): Sheddable | undefined =>
  Context.get(endpoint.annotations, EndpointPolicy).shed ?? (isList(endpoint) ? "reads" : undefined)

export const tooMuchToDo = (): ServiceUnavailable =>
  new ServiceUnavailable({ message: "The engine has too much to do at the moment.", retry_after_seconds: 2 })
