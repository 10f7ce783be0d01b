// Checks of what a talk can do: speak, play, gather, mute, hold and record.
import { randomUUID } from "node:crypto"
import type { PbxEvent, PbxEventType } from "../../domain/pbx/PbxEvent.ts"
import type { EngineEnd } from "./EngineEnd.ts"
import { acknowledged, type Check, hangUp, must, received, sleep, talking } from "./Talk.ts"
import { toRecordingId } from "../../domain/BrandedIds.ts"

export const said: Check = {
  name: "speaks, and reports the end",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    const id = end.command(session_id, 2, { kind: "say", text: "Hello.", loop: 1 })
    await acknowledged(end, id)
    const { data } = await received(end, session_id, "playback.finished", 20_000)
    must(data.command_id === id, `playback.finished names command ${data.command_id} and not ${id}`)
    must(data.result === "completed", `playback.finished says ${data.result} and not completed`)
    await hangUp(end, session_id)
  }
}

/** The answer to a command by name: `playback.finished`, `gather.finished`. */
const finished = (end: EngineEnd, type: PbxEventType, command_id: string): Promise<PbxEvent> =>
  end.until(`${type} of command ${command_id}`, () =>
    end.events.find((event) => event.type === type && event.data.command_id === command_id)
  )

export const played: Check = {
  name: "plays a file, and cuts it short",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    const once = end.command(session_id, 2, { kind: "play", url: end.sound_url, loop: 1 })
    must(
      (await finished(end, "playback.finished", once)).data.result === "completed",
      "a file that was played to its end is not completed"
    )
    const long = end.command(session_id, 3, { kind: "play", url: end.sound_url, loop: 1_000 })
    await acknowledged(end, long)
    await acknowledged(end, end.command(session_id, 4, { kind: "cut", command_id: long }))
    must(
      (await finished(end, "playback.finished", long)).data.result === "cut",
      "a file that was cut short does not say so"
    )
    await hangUp(end, session_id)
  }
}

export const gathered: Check = {
  name: "waits for keys until the timeout, and sends keys",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    const id = end.command(session_id, 2, {
      kind: "gather",
      min_digits: 1,
      max_digits: 4,
      finish_on_key: "#",
      timeout_ms: 1_000,
      inter_digit_timeout_ms: 1_000
    })
    const {
      data: { result }
    } = await finished(end, "gather.finished", id)
    must(result === "timeout", `gather.finished says ${result} though no key was pressed`)
    const sent = end.command(session_id, 3, { kind: "send_digits", digits: "1w2" })
    await finished(end, "playback.finished", sent)
    await hangUp(end, session_id)
  }
}

export const switched: Check = {
  name: "mutes and holds a party, and undoes both",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    let seq = 2
    for (const kind of ["mute", "hold"] as const) {
      for (const on of [true, false]) await acknowledged(end, end.command(session_id, seq++, { kind, on }))
    }
    end.command(session_id, seq, { kind: "snapshot" })
    must(
      (await received(end, session_id, "session.snapshot")).data.state === "answered",
      "the session did not outlive mute and hold"
    )
    await hangUp(end, session_id)
  }
}

export const recorded: Check = {
  name: "records, and reports the file",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    const recording_id = toRecordingId(randomUUID())
    end.command(session_id, 2, { kind: "record.start", recording_id, channels: 1, from: "answer" })
    const started = await received(end, session_id, "recording.started")
    must(started.data.recording_id === recording_id, "recording.started names another recording")
    await sleep(1_200)
    end.command(session_id, 3, { kind: "record.stop", recording_id })
    const { data } = await received(end, session_id, "recording.completed")
    must(
      data.recording_id === recording_id && (data.object_key ?? "") !== "" && (data.size_bytes ?? 0) > 0,
      "recording.completed lacks recording_id, object_key or size_bytes"
    )
    await hangUp(end, session_id)
  }
}
