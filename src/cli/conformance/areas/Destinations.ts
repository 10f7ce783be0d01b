// The promises about the check of a destination.
import { type Area, is, isText, type Kept, member, refused, refusedFor } from "../Kept.ts"
import { phones } from "../PlacedCalls.ts"
import type { Json, World } from "../World.ts"

const path = (world: World, to: string) =>
  `/v1/calls/destination-check?from=${encodeURIComponent(world.from)}&to=${encodeURIComponent(to)}`

const checked = (to: string) => (world: World) =>
  world.shared(`the check of ${to}`, async () => (await world.ask("GET", path(world, to))).body as Json)

const rated = checked(phones.answers)
const unrated = checked(phones.unrated)

const promises: ReadonlyArray<Kept> = [
  member("The check of a destination repeats the destination.", rated, "to", is(phones.answers)),
  member("The check repeats the number to call from.", rated, "from", (value, _, { from }) => value === from),
  member("A destination with a rate is rated.", rated, "rated", is(true)),
  member("A rated destination has no reason.", rated, "reason", is(undefined)),
  member("The check has a text for people.", rated, "message", isText),
  member("A destination without a rate is not rated.", unrated, "rated", is(false)),
  member("The reason is that no rate is configured.", unrated, "reason", is("rate_not_configured")),
  member("An unrated destination has a text for people, too.", unrated, "message", isText),
  member("Numbers are read in any form.", checked("+999 0000 0001"), "normalized_to", is(phones.answers)),
  refusedFor(
    "A destination that no number can be read from is refused in the error envelope.",
    ["GET", (world) => path(world, "abc")],
    [422, "calls.invalid_destination"],
    ({ reason }) => reason === "invalid_characters"
  ),
  refused(
    "The check needs a number to call from.",
    ["GET", `/v1/calls/destination-check?to=${encodeURIComponent(phones.answers)}`],
    [400, "validation.bad_request"]
  ),
  refused(
    "The check needs a destination.",
    ["GET", ({ from }) => `/v1/calls/destination-check?from=${encodeURIComponent(from)}`],
    [400, "validation.bad_request"]
  ),
  refused(
    "The check of somebody else's number is refused.",
    ["GET", `/v1/calls/destination-check?from=%2B254999999999&to=${encodeURIComponent(phones.answers)}`],
    [404, "numbers.not_found"]
  )
]

export const destinations: Area = { name: "destinations", promises }
