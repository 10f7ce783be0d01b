// Promises about keys, errors, paging and repeated requests.
import { type Asked, expected, type Kept, notError, type World } from "./World.ts"

const refused = (
  area: string,
  says: string,
  request: readonly [method: string, path: string],
  status: number,
  code: string,
  asked?: Asked | ((world: World) => Asked)
): Kept => ({
  area,
  says,
  check: async (world) => {
    const [method, path] = request
    return notError(await world.ask(method, path, typeof asked === "function" ? asked(world) : asked), status, code)
  }
})

const nobody = "00000000-0000-4000-8000-000000000000"
const hangup = [{ hangup: {} }]

/** A key with another signature. */
const forged = ({ key }: World): Asked => {
  const end = key.slice(-12)
  return { key: `${key.slice(0, -12)}${end.startsWith("A") ? "B" : "A"}${end.slice(1)}` }
}

const keys: ReadonlyArray<Kept> = [
  {
    area: "keys",
    says: "a request without a key is refused",
    check: async ({ ask }) => {
      const { body, status } = await ask("GET", "/v1/wallet/balance", { key: null })
      const code = String(body?.error?.code)
      return expected(status === 401 && code.startsWith("api_key."), `${status} ${code} came`)
    }
  },
  refused("keys", "a malformed key is refused", ["GET", "/v1/wallet/balance"], 401, "api_key.invalid", {
    key: "nonsense"
  }),
  refused("keys", "a forged key is refused", ["GET", "/v1/wallet/balance"], 401, "api_key.invalid", forged),
  {
    area: "keys",
    says: "no key makes keys",
    check: async ({ ask }) => {
      const { status } = await ask("POST", "/v1/api-keys", { body: { label: "conformance", scopes: ["calls.read"] } })
      return expected(status === 401 || status === 403, `${status} came`)
    }
  }
]

const errors: ReadonlyArray<Kept> = [
  refused("errors", "an unknown path is not found", ["GET", "/v1/nothing/here"], 404, "not_found"),
  refused(
    "errors",
    "a method that a path lacks is refused",
    ["DELETE", "/v1/wallet/balance"],
    405,
    "method_not_allowed"
  ),
  refused(
    "errors",
    "a body that is no JSON is refused",
    ["POST", "/v1/calls/originate"],
    400,
    "validation.bad_request",
    {
      raw: "{"
    }
  ),
  refused(
    "errors",
    "a call without a destination is refused",
    ["POST", "/v1/calls/originate"],
    400,
    "validation.bad_request",
    {
      body: { actions: hangup }
    }
  ),
  refused("errors", "an unknown currency is refused", ["POST", "/v1/topups"], 422, "currency.unsupported", {
    body: { provider: "mobilemoney", amount_minor: 10_000, currency: "USD", phone_e164: "+254722000000" }
  }),
  refused("errors", "a call that does not exist is not found", ["GET", `/v1/calls/${nobody}`], 404, "calls.not_found"),
  refused(
    "errors",
    "the end of a call that does not exist is not found",
    ["POST", `/v1/calls/${nobody}/terminate`],
    404,
    "calls.not_found"
  ),
  refused(
    "errors",
    "a webhook that does not exist is not found",
    ["GET", `/v1/webhooks/${nobody}`],
    404,
    "webhooks.not_found"
  ),
  refused(
    "errors",
    "a top-up that does not exist is not found",
    ["GET", `/v1/topups/${nobody}`],
    404,
    "topup.not_found"
  ),
  refused(
    "errors",
    "a number that is not on offer is not found",
    ["POST", `/v1/numbers/${nobody}/claim`],
    404,
    "numbers.not_found"
  ),
  refused("errors", "an unknown storage size is refused", ["PUT", "/v1/storage/tier"], 422, "storage.tier_invalid", {
    body: { tier_gb: 7 }
  }),
  refused("errors", "an unknown event is refused", ["POST", "/v1/webhooks"], 422, "webhooks.event_unsupported", {
    body: { url: "https://example.com/hooks", events: ["call.exploded"] }
  })
]

const destination =
  (to: string) =>
  (world: World): Asked => ({ body: { from: world.from, to, actions: hangup } })

const calling: ReadonlyArray<Kept> = [
  refused(
    "calls",
    "a destination that is no number is refused",
    ["POST", "/v1/calls/originate"],
    422,
    "calls.invalid_destination",
    destination("0722")
  ),
  refused(
    "calls",
    "a call from somebody else's number is refused",
    ["POST", "/v1/calls/originate"],
    404,
    "numbers.not_found",
    {
      body: { from: "+254999999999", to: "+254722000000", actions: hangup }
    }
  ),
  refused(
    "calls",
    "a callback that is no URL is refused",
    ["POST", "/v1/calls/originate"],
    422,
    "calls.invalid_callback_url",
    (world) => ({
      body: { from: world.from, to: "+254722000000", voice_callback_url: "ftp://example.com/" }
    })
  ),
  {
    area: "calls",
    says: "a routing URL without a host is refused",
    check: async ({ ask, client, from }) => {
      const [number] = await client.numbers
        .list({ status: "active" })
        .toArray({ max: 200 })
        .then((all) => all.filter((each) => each.number === from))
      if (number === undefined) return "the number is not listed"
      const answer = await ask("PATCH", `/v1/numbers/${number.id}/routing`, { body: { events_url: "https://" } })
      return answer.body?.error?.code === "numbers.invalid_routing_url"
        ? undefined
        : `${answer.status} ${String(answer.body?.error?.code)} came`
    }
  }
]

const paging: ReadonlyArray<Kept> = [
  refused(
    "paging",
    "a cursor that is none is refused",
    ["GET", "/v1/calls?cursor=nonsense"],
    400,
    "validation.invalid_cursor"
  ),
  {
    area: "paging",
    says: "calls are listed newest first, and pages neither repeat nor skip any",
    check: async ({ client }) => {
      const whole = await client.calls.list({ limit: 6 }).toArray({ max: 6 })
      const pages = await client.calls.list({ limit: 2 }).toArray({ max: 6 })
      const instants = whole.map(({ created_at }) => created_at)
      if (instants.some((instant, index) => index > 0 && instant > (instants[index - 1] ?? "")))
        return "they are not newest first"
      const ids = (calls: typeof whole) => calls.map(({ id }) => id).join()
      return expected(ids(whole) === ids(pages), "pages of two differ from one page of six")
    }
  }
]

export const requestPromises: ReadonlyArray<Kept> = [...keys, ...errors, ...calling, ...paging]
