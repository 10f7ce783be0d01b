// The promises about the inventory, the numbers of a workspace and their routing.
import {
  type Area,
  currencies,
  expected,
  is,
  isCount,
  isE164,
  isUuid,
  type Kept,
  member,
  nobody,
  notError,
  notStatus,
  oneOf,
  promise,
  refused,
  refusedFor
} from "../Kept.ts"
import { type Json, Skipped, type World } from "../World.ts"

const inventory = (world: World) =>
  world.shared("the inventory", async (): Promise<ReadonlyArray<Json>> => {
    const { body } = await world.ask("GET", "/v1/numbers/available?limit=5")
    return Array.isArray(body) ? body : []
  })

const item = async (world: World): Promise<Json> => (await inventory(world))[0]

const own = (world: World) =>
  world.shared(
    "the workspace's number",
    async () => (await world.ask("GET", `/v1/numbers/${world.numberId}`)).body as Json
  )

/** A number that is claimed, and released again. */
const claimed = (world: World) =>
  world.shared("a claimed number", async () => {
    if (world.env === "live") throw new Skipped("a live key would buy a number")
    const found = (await inventory(world)).at(-1)
    if (found === undefined) throw new Skipped("no number is on offer")
    const claim = await world.ask("POST", `/v1/numbers/${found.inventory_id}/claim`)
    const { body: statement } = await world.ask("GET", "/v1/wallet/statements?limit=5")
    const again = await world.ask("POST", `/v1/numbers/${found.inventory_id}/claim`)
    const { body: read } = await world.ask("GET", `/v1/numbers/${claim.body?.id}`)
    const { body: offered } = await world.ask("GET", "/v1/numbers/available?limit=5")
    const release = await world.ask("POST", `/v1/numbers/${claim.body?.id}/release`)
    const twice = await world.ask("POST", `/v1/numbers/${claim.body?.id}/release`)
    return {
      found,
      claim,
      statement: statement as Json,
      again,
      read: read as Json,
      offered: offered as Json,
      release,
      twice
    }
  })

const claim = async (world: World): Promise<Json> => (await claimed(world)).claim.body

const offered: ReadonlyArray<Kept> = [
  promise("The numbers on offer are an array.", async ({ ask }) => {
    const { body } = await ask("GET", "/v1/numbers/available")
    return expected(Array.isArray(body), JSON.stringify(body)?.slice(0, 80) ?? "nothing came")
  }),
  member("A number on offer has an id to claim it by.", item, "inventory_id", isUuid),
  member("A number on offer is in E.164.", item, "number", isE164),
  member("A number on offer says what an incoming minute costs.", item, "inbound_per_min_minor", isCount),
  member("A number on offer says what an outgoing minute costs.", item, "outbound_per_min_minor", isCount),
  member("A number on offer says what a month costs.", item, "monthly_price_minor", isCount),
  member("A number on offer is priced in one of seven currencies.", item, "currency", oneOf(...currencies)),
  promise("The numbers on offer can be filtered by country.", async (world) => {
    const { country } = (await item(world)) ?? {}
    if (country === undefined) throw new Skipped("no number is on offer")
    const { body } = await world.ask("GET", `/v1/numbers/available?country=${country}&limit=20`)
    const other = country === "KE" ? "UG" : "KE"
    const { body: others } = await world.ask("GET", `/v1/numbers/available?country=${other}&limit=20`)
    return expected(
      Array.isArray(body) &&
        body.length > 0 &&
        body.every((each: Json) => each.country === country) &&
        Array.isArray(others) &&
        others.every((each: Json) => each.country === other),
      "numbers of other countries came, or none"
    )
  }),
  refused(
    "An unknown currency is refused.",
    ["GET", "/v1/numbers/available?currency=USD"],
    [422, "currency.unsupported"]
  )
]

const claims: ReadonlyArray<Kept> = [
  promise("A claim is answered with 201.", async (world) => notStatus((await claimed(world)).claim, 201)),
  member("A claimed number has a UUID.", claim, "id", isUuid),
  promise("A claim gives the number that was on offer.", async (world) => {
    const { claim: made, found } = await claimed(world)
    return expected(made.body?.number === found.number, `${made.body?.number} came instead of ${found.number}`)
  }),
  member("A claimed number is active.", claim, "status", is("active")),
  promise("A claimed number costs what it was offered for.", async (world) => {
    const { claim: made, found } = await claimed(world)
    return expected(
      made.body?.monthly_price_minor === found.monthly_price_minor,
      `${made.body?.monthly_price_minor} came`
    )
  }),
  member("A claimed number says its currency.", claim, "currency", oneOf(...currencies)),
  promise("The first month is taken at once.", async (world) => {
    const { claim: made, statement } = await claimed(world)
    const rent = (Array.isArray(statement) ? statement : []).find(
      (entry: Json) => entry?.reference_id === made.body?.id
    )
    return expected(rent?.amount_minor === -made.body?.monthly_price_minor, `the entry is ${JSON.stringify(rent)}`)
  }),
  promise("A number that is claimed cannot be claimed again.", async (world) =>
    notError((await claimed(world)).again, 409, "numbers.already_claimed")
  ),
  promise("A number that is claimed is no longer on offer.", async (world) => {
    const { found, offered: left } = await claimed(world)
    return expected(
      Array.isArray(left) && left.length > 0 && left.every((each: Json) => each.number !== found.number),
      "it is still on offer"
    )
  }),
  promise("A claimed number can be read.", async (world) => {
    const { claim: made, read } = await claimed(world)
    return expected(isUuid(read?.id) && read.id === made.body?.id, `${read?.id} came`)
  }),
  promise("A number can be released.", async (world) => {
    const { release } = await claimed(world)
    return notStatus(release, 200) ?? expected(release.body?.status === "released", `it is ${release.body?.status}`)
  }),
  promise("A number that is released cannot be released again.", async (world) =>
    notError((await claimed(world)).twice, 409, "numbers.not_assigned")
  ),
  refused(
    "A number that is not on offer is not found.",
    ["POST", `/v1/numbers/${nobody}/claim`],
    [404, "numbers.not_found"]
  ),
  refused("A number that does not exist is not found.", ["GET", `/v1/numbers/${nobody}`], [404, "numbers.not_found"]),
  member("A workspace's number is active.", own, "status", is("active")),
  promise("A workspace's numbers are listed.", async ({ ask, numberId }) => {
    const { body } = await ask("GET", "/v1/numbers?limit=200")
    return expected(Array.isArray(body) && body.some(({ id }: Json) => id === numberId), "its number is not there")
  }),
  promise("A number of one's own needs a trunk, and no number of the platform.", async ({ ask }) => {
    const { body: workspace } = await ask("GET", "/v1/workspace")
    const answer = await ask("POST", "/v1/numbers/byo", { body: { number: "+99912345678" } })
    return workspace?.number_mode === "platform"
      ? notError(answer, 409, "workspace.locked_to_platform_numbers")
      : notError(answer, 409, "numbers.byo_requires_trunk")
  })
]

const routingPath = ({ numberId }: World) => `/v1/numbers/${numberId}/routing`

const badUrl = (method: string, what: string, events_url: string): Kept =>
  refusedFor(
    `${method}: a routing URL ${what} is refused.`,
    [method, routingPath],
    [422, "numbers.invalid_routing_url"],
    ({ details }) => Array.isArray(details) && details[0]?.field === "/events_url",
    { body: { events_url } }
  )

const routed = (method: string): Kept =>
  promise(`The events_url of a number can be set by ${method}, and is read again.`, async (world) => {
    const path = routingPath(world)
    const { body: before } = await world.ask("GET", path)
    const events_url = `https://example.com/events/${method.toLowerCase()}`
    const { id: _, number: __, ...whole } = before ?? {}
    const changed = await world.ask(method, path, {
      body: method === "PUT" ? { ...whole, events_url } : { events_url }
    })
    const { body: after } = await world.ask("GET", path)
    await world.ask("PATCH", path, { body: { events_url: before?.events_url ?? null } })
    return notStatus(changed, 200) ?? expected(after?.events_url === events_url, `it is ${after?.events_url}`)
  })

export const numbers: Area = { name: "numbers", promises: claims }
export const inventoryOffers: Area = { name: "inventory", promises: offered }
export const routing: Area = {
  name: "routing",
  promises: [
    routed("PATCH"),
    routed("PUT"),
    badUrl("PATCH", "of another scheme than http", "ftp://example.com/x"),
    badUrl("PATCH", "without a host", "https://"),
    badUrl("PATCH", "that does not parse", "not a URL"),
    badUrl("PUT", "without a host", "https://"),
    refused(
      "The routing of a number that does not exist is not found.",
      ["PATCH", `/v1/numbers/${nobody}/routing`],
      [404, "numbers.not_found"],
      { body: { events_url: null } }
    )
  ]
}
