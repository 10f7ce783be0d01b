// How long a gateway lets a talk go on by itself, and what it makes of commands that are newer than it is.
import type { PbxAction } from "../../src/domain/pbx/PbxCommand.ts"
import type { EngineEnd } from "./EngineEnd.ts"
import { acknowledged, type Check, hangUp, must, named, originate, type Phones, sleep, talking, told } from "./Talk.ts"

/** Ended this much before or after its limit, it was not for the limit. */
const tolerance_ms = 1_000

const lasts = async (end: EngineEnd, session_id: string, seconds: number): Promise<void> => {
  const {
    data: { reason, source },
    occurred_at
  } = await told(end, session_id, "leg.hangup", seconds * 1000 + 5_000)
  const lasted_ms = Date.parse(occurred_at) - Date.parse(named(end, session_id, "leg.answered")!.occurred_at)
  must(
    Math.abs(lasted_ms - seconds * 1000) <= tolerance_ms,
    `a talk with a limit of ${seconds} s lasted ${lasted_ms} ms`
  )
  must(
    reason === "talk_limit" && source === "platform",
    `leg.hangup of a talk that reached its limit has reason ${reason} and source ${source}`
  )
}

const answeredWithin = async (end: EngineEnd, phones: Phones, talk_limit_seconds: number): Promise<string> => {
  const { session_id } = originate(end, phones, phones.answers, 30, { talk_limit_seconds })
  await told(end, session_id, "leg.answered")
  return session_id
}

export const limited: Check = {
  name: "ends a talk by itself when its limit is over",
  run: async (end, phones) => lasts(end, await answeredWithin(end, phones, 2), 2)
}

export const relimited: Check = {
  name: "lets a talk last as long as it was told last",
  run: async (end, phones) => {
    const session_id = await answeredWithin(end, phones, 2)
    await acknowledged(end, end.command(session_id, 2, { kind: "limit", seconds: 60 }))
    await sleep(2_500)
    must(named(end, session_id, "leg.hangup") === undefined, "a talk was ended by a limit that was raised before")
    await acknowledged(end, end.command(session_id, 3, { kind: "limit", seconds: 4 }))
    await lasts(end, session_id, 4)
  }
}

export const unknownKind: Check = {
  name: "acknowledges a command of a kind that it does not know, and goes on",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    await acknowledged(end, end.command(session_id, 2, { kind: "from_the_future" } as unknown as PbxAction))
    end.command(session_id, 3, { kind: "snapshot" })
    must(
      (await told(end, session_id, "session.snapshot")).data.state === "answered",
      "the session did not outlive an unknown command"
    )
    await hangUp(end, session_id)
  }
}
