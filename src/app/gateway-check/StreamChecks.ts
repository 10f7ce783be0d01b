// Checks of media streams, of gateways that say that they can.
import { randomUUID } from "node:crypto"
import type { PbxAction } from "../../domain/pbx/PbxCommand.ts"
import type { EngineEnd, StreamMessage } from "./EngineEnd.ts"
import { type Check, hangUp, must, named, received, talking } from "./Talk.ts"

const canStream = (end: EngineEnd): boolean => end.hellos.at(-1)?.capabilities?.includes("stream.v1") === true

const start = (stream_id: string, url: string): PbxAction => ({
  kind: "stream.start",
  stream_id,
  call_id: randomUUID(),
  account_id: randomUUID(),
  name: "check",
  url,
  mode: "duplex",
  tracks: ["inbound"],
  format: "mulaw-8000",
  parameters: { check: "1" },
  time_limit_seconds: 60,
  resumed: false
})

const silence = Buffer.alloc(1_600, 0xff).toString("base64")

export const streamed: Check = {
  name: "streams the audio of a call, if its hello says stream.v1",
  run: async (end, phones) => {
    if (!canStream(end)) return
    const session_id = await talking(end, phones)
    const stream_id = `ST_${randomUUID()}`
    const messages = () => end.streamed.filter(({ message }) => message.streamSid === stream_id)
    const first = (event: string, fits: (message: StreamMessage) => boolean = () => true) =>
      end.until(`${event} of ${stream_id}`, () =>
        messages().find(({ message }) => message.event === event && fits(message))
      )
    end.command(session_id, 2, start(stream_id, end.stream_url))
    const { message, socket } = await first("start")
    must(message.start?.customParameters["check"] === "1", "start lacks the parameters of the command")
    await received(end, session_id, "stream.started")
    const { message: sound } = await first("media")
    must(Buffer.from(sound.media?.payload ?? "", "base64").length === 160, "media does not have 20 ms of audio")
    const send = (sent: object) => socket.send(JSON.stringify({ ...sent, streamSid: stream_id }))
    send({ event: "media", media: { payload: silence } })
    send({ event: "mark", mark: { name: "heard" } })
    await first("mark", ({ mark }) => mark?.name === "heard")
    send({ event: "media", media: { payload: Buffer.alloc(80_000, 0xff).toString("base64") } })
    send({ event: "mark", mark: { name: "cleared" } })
    send({ event: "clear" })
    await first("mark", ({ mark }) => mark?.name === "cleared")
    send({ event: "transcript", transcript: { role: "agent", text: "Hello", final: true } })
    const { data: turn } = await received(end, session_id, "transcript.turn")
    must(turn.text === "Hello" && turn.role === "agent", "transcript.turn lacks the text and the role")
    end.command(session_id, 3, { kind: "stream.stop", stream_id })
    const { data } = await received(end, session_id, "stream.ended")
    must(
      data.stream_id === stream_id && data.result === "completed",
      `stream.ended says ${data.result} and not completed`
    )
    await first("stop")
    await hangUp(end, session_id)
  }
}

export const streamRefused: Check = {
  name: "reports a stream that cannot be connected, if its hello says stream.v1",
  run: async (end, phones) => {
    if (!canStream(end)) return
    const session_id = await talking(end, phones)
    end.command(session_id, 2, start(`ST_${randomUUID()}`, end.stream_url.replace("/stream", "/nowhere")))
    const { data } = await received(end, session_id, "stream.ended")
    must(data.result === "connect_failed", `stream.ended says ${data.result} and not connect_failed`)
    must(named(end, session_id, "stream.started") === undefined, "stream.started came before the connection")
    await hangUp(end, session_id)
  }
}
