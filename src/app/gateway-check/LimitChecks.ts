// Checks of the talk-time limit and of unknown commands.
import type { EngineEnd } from "./EngineEnd.ts"
import {
  acknowledged,
  type Check,
  hangUp,
  must,
  named,
  originate,
  type Phones,
  sleep,
  talking,
  received
} from "./Talk.ts"
import type { SessionId } from "../../domain/BrandedIds.ts"

/** How far the end of a talk may be from its limit. */
const tolerance_ms = 1_000

const lasts = async (end: EngineEnd, session_id: SessionId, seconds: number): Promise<void> => {
  const {
    data: { reason, source },
    occurred_at
  } = await received(end, session_id, "leg.hangup", seconds * 1000 + 5_000)
  const lasted_ms = Date.parse(occurred_at) - Date.parse((await received(end, session_id, "leg.answered")).occurred_at)
  must(
    Math.abs(lasted_ms - seconds * 1000) <= tolerance_ms,
    `a talk with a limit of ${seconds} s lasted ${lasted_ms} ms`
  )
  must(
    reason === "talk_limit" && source === "platform",
    `leg.hangup of a talk that reached its limit has reason ${reason} and source ${source}`
  )
}

const answeredWithin = async (end: EngineEnd, phones: Phones, talk_limit_seconds: number): Promise<SessionId> => {
  const { session_id } = originate(end, phones, phones.answers, 30, { talk_limit_seconds })
  await received(end, session_id, "leg.answered")
  return session_id
}

export const limited: Check = {
  name: "ends a talk by itself at its limit",
  run: async (end, phones) => lasts(end, await answeredWithin(end, phones, 2), 2)
}

export const relimited: Check = {
  name: "follows the latest talk limit",
  run: async (end, phones) => {
    const session_id = await answeredWithin(end, phones, 2)
    await acknowledged(end, end.command(session_id, 2, { kind: "limit", seconds: 60 }))
    await sleep(2_500)
    must(named(end, session_id, "leg.hangup") === undefined, "a talk was ended by a limit that had been raised")
    await acknowledged(end, end.command(session_id, 3, { kind: "limit", seconds: 4 }))
    await lasts(end, session_id, 4)
  }
}

export const overdue: Check = {
  name: "calls nobody for an originate that comes at its not_after or later",
  run: async (end, phones) => {
    const not_after = new Date(Date.now() - 1_000).toISOString()
    const { id, session_id } = originate(end, phones, phones.answers, 30, { not_after })
    await acknowledged(end, id)
    const {
      data: { state }
    } = await received(end, session_id, "session.snapshot")
    must(state === "absent", `the snapshot of a session that came too late says ${state} and not absent`)
    await sleep(1_500)
    must(named(end, session_id, "session.created") === undefined, "a phone rang for a call that was over")
  }
}

export const unknownKind: Check = {
  name: "acknowledges a command of an unknown kind, and continues",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    await acknowledged(end, end.command(session_id, 2, { kind: "from_the_future" }))
    end.command(session_id, 3, { kind: "snapshot" })
    must(
      (await received(end, session_id, "session.snapshot")).data.state === "answered",
      "the session did not survive an unknown command"
    )
    await hangUp(end, session_id)
  }
}
