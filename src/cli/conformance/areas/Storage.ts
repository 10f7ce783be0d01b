// The promises about the storage of recordings, and recordings.
import {
  type Area,
  currencies,
  expected,
  is,
  isCount,
  isInstant,
  isText,
  isUuid,
  type Kept,
  member,
  nobody,
  notError,
  notStatus,
  oneOf,
  promise,
  refused
} from "../Kept.ts"
import { busy, callTo, endOf, place, someone } from "../PlacedCalls.ts"
import { type Json, Skipped, type World } from "../World.ts"

const tierPath = "/v1/storage/tier"
const storage = (world: World) =>
  world.shared("the storage", async () => (await world.ask("GET", "/v1/storage")).body as Json)

const sizes = [5, 10, 25, 50, 100, 250]

/** The next larger size, or the same where there is none. */
const upgraded = (world: World) =>
  world.shared("a larger storage", async () => {
    if (world.env === "live") throw new Skipped("a live key would buy storage")
    const { ask } = world
    const { body: before } = await ask("GET", "/v1/storage")
    const tier_gb = before?.tier_gb ?? 5
    const { body: balance } = await ask("GET", "/v1/wallet/balance")
    const answer = await ask("PUT", tierPath, { body: { tier_gb } })
    if (answer.body?.error?.code === "wallet.insufficient_funds") throw new Skipped("the sandbox has too little money")
    const { body: after } = await ask("GET", "/v1/wallet/balance")
    const { body: read } = await ask("GET", "/v1/storage")
    return { tier_gb, answer, read: read as Json, spent: balance?.balance_minor - after?.balance_minor }
  })

const upgrade = async (world: World): Promise<Json> => (await upgraded(world)).answer.body

const noSize = (what: string, tier_gb: number): Kept =>
  refused(`A size of ${what} is refused.`, ["PUT", tierPath], [422, "storage.tier_invalid"], { body: { tier_gb } })

const storing: ReadonlyArray<Kept> = [
  member("The storage of a workspace has a size.", storage, "tier_mb", (value) =>
    [100, ...sizes.map((gb) => gb * 1024)].includes(value)
  ),
  member("The storage says how much is used.", storage, "used_bytes", isCount),
  member("The storage says how many recordings it has.", storage, "recordings", isCount),
  member("The storage says for how many days recordings are kept.", storage, "retention_days", isCount),
  member("The storage says what a month costs.", storage, "price_minor", isCount),
  member("The storage says its currency.", storage, "currency", oneOf(...currencies)),
  promise("A size can be chosen, and takes effect at once.", async (world) => {
    const { answer, tier_gb } = await upgraded(world)
    return notStatus(answer, 200) ?? expected(answer.body.tier_mb === tier_gb * 1024, `it is ${answer.body.tier_mb} MB`)
  }),
  member("The choice of a size says what it costs now.", upgrade, "charge_minor", isCount),
  promise("What a choice of a size costs now is taken from the wallet.", async (world) => {
    const { answer, spent } = await upgraded(world)
    return expected(spent === answer.body?.charge_minor, `${spent} was taken, not ${answer.body?.charge_minor}`)
  }),
  promise("The chosen size is read again.", async (world) => {
    const { read, tier_gb } = await upgraded(world)
    return expected(read?.tier_gb === tier_gb, `it is ${read?.tier_gb}`)
  }),
  member("A size that costs money renews on the 1st of the month.", upgrade, "renews_at", (value) =>
    /-01T00:00:00/.test(String(value))
  ),
  noSize("7 GB", 7),
  noSize("0 GB", 0),
  noSize("-5 GB", -5),
  refused("A size that is no number is refused.", ["PUT", tierPath], [400, "validation.bad_request"], {
    body: { tier_gb: "5" }
  }),
  refused("A choice without a size is refused.", ["PUT", tierPath], [400, "validation.bad_request"], { body: {} })
]

const recorded = (world: World) =>
  world.shared("a recorded call", async () => {
    const { ask } = world
    const said = "This call is recorded, so that the recording can be read."
    const body = callTo(world, someone(world), {
      actions: [{ say: { text: said } }, { hangup: {} }],
      record: "record-from-answer"
    })
    const { id } = await place(world, body)
    await endOf(world, id)
    const path = `/v1/calls/${id}/recording`
    const recording = await world.wait("the recording", async () => {
      const answer = await ask("GET", path)
      return answer.body?.status === "available" ? answer : undefined
    })
    const url: Json = recording.body.download_url
    const link = isText(url) ? new URL(url) : undefined
    const open = async (query: string) =>
      link === undefined ? recording : await ask("GET", link.pathname + query, { key: null })
    const audio = await open(link?.search ?? "")
    const forged = await open("?token=forged")
    const download = await ask("GET", `${path}/download`)
    const { body: listed } = await ask("GET", "/v1/recordings?limit=50")
    const deleted = await ask("DELETE", path)
    const gone = await ask("GET", path)
    return { id, recording, audio, download, forged, listed: listed as Json, deleted, gone }
  })

const recording = async (world: World): Promise<Json> => (await recorded(world)).recording.body

const recordingPromises: ReadonlyArray<Kept> = [
  member("A recorded call has a recording.", recording, "id", isUuid),
  promise("A recording names its call.", async (world) => {
    const { id, recording: answer } = await recorded(world)
    return expected(answer.body.call_id === id, `it names ${answer.body.call_id}`)
  }),
  member("A recording says how long it is.", recording, "duration_seconds", isCount),
  member("A recording says how large it is.", recording, "size_bytes", (value) => isCount(value) && value > 0),
  member("A recording says its format.", recording, "format", is("wav")),
  member("A recording has a checksum.", recording, "sha256", (value) => /^[0-9a-f]{64}$/.test(String(value))),
  member("A recording says when it expires.", recording, "expires_at", isInstant),
  member("A recording has a link to its sound.", recording, "download_url", isText),
  promise("The link opens the sound without a key.", async (world) => {
    const { audio } = await recorded(world)
    return (
      notStatus(audio, 200) ??
      expected(
        audio.headers.get("content-type")?.startsWith("audio/") === true && audio.text.startsWith("RIFF"),
        "it is no sound"
      )
    )
  }),
  promise("A forged link opens nothing.", async (world) => {
    const { status } = (await recorded(world)).forged
    return expected(status >= 400 && status < 500, `${status} came`)
  }),
  promise("The sound can be downloaded with a key.", async (world) => {
    const { download } = await recorded(world)
    return (
      notStatus(download, 200, 302, 307) ??
      expected(download.status !== 200 || download.text.startsWith("RIFF"), "it is no sound")
    )
  }),
  promise("Recordings are listed.", async (world) => {
    const { id, listed } = await recorded(world)
    return expected(Array.isArray(listed) && listed.some((each: Json) => each.call_id === id), "it is not there")
  }),
  promise("A recording can be deleted.", async (world) => notStatus((await recorded(world)).deleted, 204)),
  promise("A recording that was deleted is gone.", async (world) =>
    notError((await recorded(world)).gone, 410, "calls.recording_expired")
  ),
  refused(
    "A call that was not recorded has no recording.",
    ["GET", async (world) => `/v1/calls/${(await busy(world)).id}/recording`],
    [404, "calls.recording_not_found"]
  ),
  refused(
    "The recording of a call that does not exist is not found.",
    ["GET", `/v1/calls/${nobody}/recording`],
    [404, "calls.not_found"]
  )
]

export const storageTier: Area = { name: "storage", promises: storing }
export const recordings: Area = { name: "recordings", promises: recordingPromises }
