// The promises about lists, their filters and pages, and statistics.
import { type Area, expected, isCount, type Kept, member, notStatus, promise, refused, refusedFor } from "../Kept.ts"
import { answered, busy, canceled, phones, reference, silent, referenceMember } from "../PlacedCalls.ts"
import type { Answer, Json, World } from "../World.ts"

const list = async (world: World, query: string): Promise<Answer> => {
  await busy(world)
  await answered(world)
  return await world.ask("GET", `/v1/calls?${query}`)
}

const listed = (sentence: string, query: string, isRight: (call: Json) => boolean): Kept =>
  promise(sentence, async (world) => {
    const answer = await list(world, query)
    const wrong = Array.isArray(answer.body) ? answer.body.find((call: Json) => !isRight(call)) : undefined
    return (
      notStatus(answer, 200) ??
      expected(Array.isArray(answer.body) && answer.body.length > 0, "no call came") ??
      expected(wrong === undefined, `${JSON.stringify(wrong)?.slice(0, 120)} came, too`)
    )
  })

const emptied = (sentence: string, query: string): Kept =>
  promise(sentence, async (world) => {
    const answer = await list(world, query)
    return notStatus(answer, 200) ?? expected(answer.body?.length === 0, `${answer.body?.length} calls came`)
  })

const badQuery = (sentence: string, path: string, field: string): Kept =>
  refusedFor(
    sentence,
    ["GET", path],
    [400, "validation.bad_request"],
    ({ details }) => Array.isArray(details) && details[0]?.field === field
  )

const ids = (calls: ReadonlyArray<Json>) => calls.map(({ id }) => id).join()

const pagesOf = async (world: World, path: string, most: number): Promise<ReadonlyArray<Json>> => {
  const found: Array<Json> = []
  let cursor: string | null = null
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const { body, headers } = await world.ask("GET", `${path}${more}`)
    if (!Array.isArray(body)) return found
    found.push(...body)
    cursor = headers.get("x-next-cursor")
  } while (cursor !== null && found.length < most)
  return found.slice(0, most)
}

const settled = async (world: World) => {
  await Promise.all([answered(world), busy(world), canceled(world), silent(world)])
}

const paging: ReadonlyArray<Kept> = [
  promise("Calls are listed newest first.", async (world) => {
    await settled(world)
    const { body } = await world.ask("GET", "/v1/calls?limit=20")
    const instants: ReadonlyArray<string> = Array.isArray(body) ? body.map((call: Json) => call.created_at) : []
    return expected(
      instants.length > 1 && instants.every((instant, index) => index === 0 || instant <= (instants[index - 1] ?? "")),
      instants.slice(0, 3).join(", ")
    )
  }),
  promise("A page has as many calls as `limit` says.", async (world) => {
    const { body } = await list(world, "limit=1")
    return expected(body?.length === 1, `${body?.length} came`)
  }),
  promise("A page that is not the last names the next one.", async (world) => {
    const { headers } = await list(world, "limit=1")
    return expected(
      headers.get("x-next-cursor") !== null && /rel="next"/.test(headers.get("link") ?? ""),
      "there is no X-Next-Cursor, or no Link"
    )
  }),
  promise("Pages neither repeat nor skip a call.", async (world) => {
    await settled(world)
    const whole = await world.ask("GET", "/v1/calls?limit=4")
    const pages = await pagesOf(world, "/v1/calls?limit=1", 4)
    return expected(Array.isArray(whole.body) && ids(whole.body) === ids(pages), "they differ from one long page")
  }),
  promise("Entries of the statement are paged as calls are.", async (world) => {
    await settled(world)
    const whole = await world.ask("GET", "/v1/wallet/statements?limit=3")
    const pages = await pagesOf(world, "/v1/wallet/statements?limit=1", 3)
    return expected(Array.isArray(whole.body) && ids(whole.body) === ids(pages), "they differ from one long page")
  }),
  refused(
    "A cursor that is none is refused.",
    ["GET", "/v1/calls?cursor=nonsense"],
    [400, "validation.invalid_cursor"]
  ),
  refused(
    "A cursor of another filter is refused.",
    [
      "GET",
      async (world) => {
        const { headers } = await list(world, "limit=1")
        return `/v1/calls?limit=1&status=busy&cursor=${encodeURIComponent(headers.get("x-next-cursor") ?? "none")}`
      }
    ],
    [400, "validation.invalid_cursor"]
  ),
  badQuery("A limit of 0 is refused.", "/v1/calls?limit=0", "/limit"),
  badQuery("A limit that is no number is refused.", "/v1/calls?limit=x", "/limit"),
  badQuery("An unknown parameter of a query is refused.", "/v1/calls?colour=red", "/colour"),
  promise("A limit above the maximum is taken for the maximum.", async (world) =>
    notStatus(await list(world, "limit=100000"), 200)
  )
]

const filters: ReadonlyArray<Kept> = [
  listed("Calls can be filtered by status.", "status=busy&limit=20", ({ status }) => status === "busy"),
  listed(
    "Calls can be filtered by direction.",
    "direction=outbound&limit=20",
    ({ direction }) => direction === "outbound"
  ),
  listed(
    "Calls can be filtered by destination.",
    `to=${encodeURIComponent(phones.busy)}&limit=20`,
    ({ to }) => to === phones.busy
  ),
  promise("Calls can be filtered by the number that they call from.", async (world) => {
    const { body } = await list(world, `from=${encodeURIComponent(world.from)}&limit=20`)
    return expected(
      Array.isArray(body) && body.length > 0 && body.every(({ from }: Json) => from === world.from),
      "there are others, or none"
    )
  }),
  listed(
    "Calls can be filtered by their client's reference.",
    `${referenceMember}=${reference}`,
    (call) => call[referenceMember] === reference
  ),
  listed(
    "Calls can be filtered by the time at which they were made.",
    "created_after=2020-01-01T00:00:00Z&limit=5",
    ({ created_at }) => created_at > "2020"
  ),
  emptied("No call was made before the service existed.", "created_before=2020-01-01T00:00:00Z"),
  emptied("A reference that no call has finds none.", `${referenceMember}=conformance-no-call-has-this`),
  badQuery("An unknown status is refused.", "/v1/calls?status=complete", "/status"),
  badQuery("An unknown direction is refused.", "/v1/calls?direction=sideways", "/direction")
]

const statistics = (world: World) =>
  world.shared("the statistics", async () => {
    await settled(world)
    return (await world.ask("GET", "/v1/calls/stats")).body as Json
  })

const count = (what: string, name: string): Kept =>
  member(`The statistics count the ${what}.`, statistics, `totals.${name}`, isCount)

const stats: ReadonlyArray<Kept> = [
  count("calls", "calls"),
  count("answered calls", "answered"),
  count("completed calls", "completed"),
  count("unanswered calls", "no_answer"),
  count("busy calls", "busy"),
  count("failed calls", "failed"),
  count("canceled calls", "canceled"),
  count("seconds of calls", "duration_seconds"),
  count("cost of calls", "cost_minor"),
  promise("The statistics are those of days.", async (world) => {
    const { buckets } = await statistics(world)
    return expected(
      Array.isArray(buckets) && buckets.length > 0 && buckets.every(({ day }: Json) => /^\d{4}-\d\d-\d\d$/.test(day)),
      "there are no days"
    )
  }),
  promise("The totals of the statistics are the sums of their days.", async (world) => {
    const { buckets, totals } = await statistics(world)
    const sum = (Array.isArray(buckets) ? buckets : []).reduce((sofar: number, { calls }: Json) => sofar + calls, 0)
    return expected(sum === totals?.calls && sum > 0, `the days have ${sum} calls, the totals ${totals?.calls}`)
  })
]

export const lists: Area = { name: "lists", promises: filters }
export const pages: Area = { name: "paging", promises: paging }
export const callStatistics: Area = { name: "statistics", promises: stats }
