// The promises about chat-app call settings and trunks. Simulated where the key is a test key.
import {
  type Area,
  expected,
  isInteger,
  isText,
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

const path = ({ numberId }: World) => `/v1/numbers/${numberId}/chatapp/call-settings`

const wanted = {
  status: "ENABLED",
  call_icon_visibility: "DEFAULT",
  call_icons: { restrict_to_user_countries: ["KE"] },
  call_hours: {
    status: "ENABLED",
    timezone_id: "Africa/Nairobi",
    weekly_operating_hours: [{ day_of_week: "MONDAY", open_time: "0800", close_time: "1700" }],
    holiday_schedule: [{ date: "2030-12-25", start_time: "0800", end_time: "1200" }]
  },
  callback_permission_status: "ENABLED",
  voicemail: { status: "DISABLED", triggers: ["no_answer"], announcement_media_id: 0, timeout_seconds: 30 },
  audio_additional_codecs: ["PCMA"]
}

const read = (world: World) =>
  world.shared("the chat-app settings", async () => {
    const { ask } = world
    if (world.env === "live") throw new Skipped("a live key would change what users see")
    const trunkPath = `/v1/numbers/${world.numberId}/chatapp/trunk`
    if ((await ask("GET", trunkPath)).status === 404) await ask("POST", trunkPath, { body: {} })
    const trunk = await world.wait("the chat-app trunk", async () => {
      const answer = await ask("GET", trunkPath)
      return answer.body?.status === "pending" ? undefined : answer
    })
    const retry = await ask("POST", `${trunkPath}/retry`)
    const before = await ask("GET", path(world))
    const written = await ask("PUT", path(world), { body: wanted })
    const after = await ask("GET", path(world))
    if (before.body?.stored !== undefined) await ask("PUT", path(world), { body: before.body.stored })
    return { trunk, retry, before, written, after }
  })

const before = async (world: World): Promise<Json> => (await read(world)).before.body

const shaped = (of: string): ReadonlyArray<Kept> =>
  (
    [
      ["a status", "status", isText],
      ["the visibility of the call icon", "call_icon_visibility", isText],
      ["the countries of the call icon", "call_icons.restrict_to_user_countries", Array.isArray],
      ["the status of the call hours", "call_hours.status", isText],
      ["the time zone of the call hours", "call_hours.timezone_id", isText],
      ["the hours of the week", "call_hours.weekly_operating_hours", Array.isArray],
      ["the holidays", "call_hours.holiday_schedule", Array.isArray],
      ["the permission to call back", "callback_permission_status", isText],
      ["the status of the voicemail", "voicemail.status", isText],
      ["the triggers of the voicemail", "voicemail.triggers", Array.isArray],
      ["the announcement of the voicemail", "voicemail.announcement_media_id", isInteger],
      ["the timeout of the voicemail", "voicemail.timeout_seconds", isInteger],
      ["further codecs", "audio_additional_codecs", Array.isArray]
    ] as const
  ).map(([what, name, isRight]) => member(`The ${of} settings have ${what}.`, before, `${of}.${name}`, isRight))

const wrong = (sentence: string, change: object, field: string): Kept =>
  refusedFor(
    sentence,
    ["PUT", path],
    [422, "chatapp.settings_invalid"],
    ({ details }) => Array.isArray(details) && details.some((each: Json) => String(each?.field).startsWith(field)),
    { body: { ...wanted, ...change } }
  )

export const chatapp: Area = {
  name: "chatapp",
  promises: [
    promise("The settings of a number are read with 200.", async (world) => notStatus((await read(world)).before, 200)),
    ...shaped("stored"),
    ...shaped("live"),
    member("The settings list the provider's restrictions.", before, "restrictions", Array.isArray),
    promise("Settings are written with 200.", async (world) => notStatus((await read(world)).written, 200)),
    promise("What was written is stored.", async (world) => {
      const { stored } = (await read(world)).after.body
      return expected(
        JSON.stringify(stored?.call_hours?.weekly_operating_hours) ===
          JSON.stringify(wanted.call_hours.weekly_operating_hours),
        "it is not"
      )
    }),
    promise("What was written is live.", async (world) => {
      const { live } = (await read(world)).after.body
      return expected(live?.call_hours?.timezone_id === "Africa/Nairobi" && live.status === "ENABLED", "it is not")
    }),
    promise("A holiday has the members `date`, `start_time` and `end_time`.", async (world) => {
      const [holiday] = (await read(world)).after.body?.stored?.call_hours?.holiday_schedule ?? []
      return expected(
        Object.keys(holiday ?? {})
          .toSorted()
          .join() === "date,end_time,start_time",
        JSON.stringify(holiday) ?? "none"
      )
    }),
    promise("A trunk is pending, active or failed.", async (world) => {
      const { trunk } = await read(world)
      return expected(oneOf("pending", "active", "failed")(trunk.body?.status), `it is ${trunk.body?.status}`)
    }),
    promise("A trunk that works cannot be retried.", async (world) => {
      const { retry, trunk } = await read(world)
      if (trunk.body?.status !== "active") throw new Skipped(`the trunk is ${trunk.body?.status}`)
      return notError(retry, 409, "chatapp.trunk_not_retryable")
    }),
    wrong("An unknown status of the settings is refused.", { status: "on" }, "/status"),
    wrong(
      "An unknown visibility of the icon is refused.",
      { call_icon_visibility: "SOMETIMES" },
      "/call_icon_visibility"
    ),
    wrong("A country that is none is refused.", { call_icons: { restrict_to_user_countries: ["KEN"] } }, "/call_icons"),
    wrong(
      "A time zone that is none is refused.",
      { call_hours: { ...wanted.call_hours, timezone_id: "Mars/Base" } },
      "/call_hours/timezone_id"
    ),
    wrong("An unknown codec is refused.", { audio_additional_codecs: ["MP3"] }, "/audio_additional_codecs"),
    wrong(
      "An unknown trigger of the voicemail is refused.",
      { voicemail: { ...wanted.voicemail, triggers: ["bored"] } },
      "/voicemail/triggers"
    ),
    refused(
      "The settings of a number that does not exist are not found.",
      ["GET", `/v1/numbers/${nobody}/chatapp/call-settings`],
      [404, "numbers.not_found"]
    )
  ]
}
