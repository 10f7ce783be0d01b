import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { WebSocket } from "ws"
import { openSocket } from "../../support/SipSocket.ts"
import { credential, eventually, gateUrl, request, tokenFor } from "../../support/WebrtcClient.ts"
import { SipPbxUnderTest, webrtcEngine } from "../../support/WebrtcEngine.ts"

const newInstance = () => randomBytes(16).toString("hex")

/** Opens a connection of this instance with a token of the extension. */
const connectAs = (extension: string, instance?: string) =>
  Effect.gen(function* () {
    const url = yield* gateUrl((yield* tokenFor(extension)).token)
    return yield* openSocket(url, ["sip", ...(instance === undefined ? [] : [`instance.${instance}`])])
  })

const inCall = (method: string, username: string, n: number, tag = "") =>
  request(method, username, "+254711000001")
    .replace("z9hG4bK1", `z9hG4bK${n}`)
    .replace("@pbx>\r\nCall-ID", `@pbx>${tag}\r\nCall-ID`)

type Line = Effect.Success<ReturnType<typeof openSocket>>

const hears = ({ frames }: Line, status: string) =>
  eventually(status, () => frames.some((frame) => frame.startsWith(`SIP/2.0 ${status}`)))

/** An answered call of a new extension. */
const calling = (extension: string, instance?: string) =>
  Effect.gen(function* () {
    const { username } = yield* credential(extension)
    const line = yield* connectAs(extension, instance)
    line.socket.send(inCall("INVITE", username, 1))
    yield* hears(line, "200")
    line.socket.send(inCall("ACK", username, 1, ";tag=gate"))
    return { line, username, bye: inCall("BYE", username, 2, ";tag=gate") }
  })

/**
 * Breaks a connection, and waits until the engine has noticed: after it breaks another one, of a new extension, whose
 * connection to the PBX the engine does not keep.
 */
const breaks = ({ socket }: Line, extension: string) =>
  Effect.gen(function* () {
    const pbx = yield* SipPbxUnderTest
    const before = pbx.connections()
    const { line: other } = yield* calling(extension)
    assert.strictEqual(pbx.connections(), before + 1)
    socket.terminate()
    other.socket.terminate()
    yield* eventually("end of the other connection", () => pbx.connections() === before)
  })

layer(webrtcEngine, { excludeTestServices: true, timeout: "60 seconds" })("a call whose connection broke", (it) => {
  it.effect("goes on over the next connection of its instance, and its PBX connection stays", () =>
    Effect.gen(function* () {
      const pbx = yield* SipPbxUnderTest
      const instance = newInstance()
      const { bye, line } = yield* calling("6001", instance)
      const connections = pbx.connections()
      yield* breaks(line, "6008")
      assert.strictEqual(pbx.connections(), connections)
      const next = yield* connectAs("6001", instance)
      next.socket.send(bye)
      yield* hears(next, "200")
      assert.strictEqual(pbx.connections(), connections)
      next.socket.close()
      yield* eventually("disconnected", () => pbx.connections() === connections - 1)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on while the engine still believes in the first connection, which it closes", () =>
    Effect.gen(function* () {
      const instance = newInstance()
      const { bye, line } = yield* calling("6002", instance)
      const next = yield* connectAs("6002", instance)
      assert.strictEqual(yield* Effect.promise(() => line.closed), 1000)
      next.socket.send(bye)
      yield* hears(next, "200")
      assert.strictEqual(next.socket.readyState, WebSocket.OPEN)
    }).pipe(Effect.scoped)
  )

  it.effect("is taken by the last of several connections that come at once", () =>
    Effect.gen(function* () {
      const instance = newInstance()
      const { bye } = yield* calling("6003", instance)
      const lines = yield* Effect.all(
        [1, 2, 3].map(() => connectAs("6003", instance)),
        { concurrency: 3 }
      )
      yield* eventually(
        "one is left",
        () => lines.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length === 1
      )
      const last = lines.find(({ socket }) => socket.readyState === WebSocket.OPEN)!
      last.socket.send(bye)
      yield* hears(last, "200")
    }).pipe(Effect.scoped)
  )

  it.effect("is nobody else's: not another instance's, not a nameless one's, not another subject's", () =>
    Effect.gen(function* () {
      const instance = newInstance()
      const { bye, line } = yield* calling("6004", instance)
      const { username } = yield* credential("6005")
      for (const other of [
        yield* connectAs("6004", newInstance()),
        yield* connectAs("6004"),
        yield* connectAs("6004", instance.toUpperCase())
      ]) {
        other.socket.send(bye)
        yield* hears(other, "481")
      }
      const stranger = yield* connectAs("6005", instance)
      stranger.socket.send(inCall("BYE", username, 2, ";tag=gate"))
      yield* hears(stranger, "481")
      assert.strictEqual(line.socket.readyState, WebSocket.OPEN)
    }).pipe(Effect.scoped)
  )

  it.effect("counts as one of the ten connections of its extension while it waits", () =>
    Effect.gen(function* () {
      const { line } = yield* calling("6006", newInstance())
      yield* breaks(line, "6009")
      yield* Effect.all(Array.from({ length: 9 }, () => connectAs("6006")))
      assert.strictEqual((yield* Effect.flip(connectAs("6006"))).message, "429")
    }).pipe(Effect.scoped)
  )

  it.effect("keeps nothing if there was no call", () =>
    Effect.gen(function* () {
      const pbx = yield* SipPbxUnderTest
      const { username } = yield* credential("6007")
      const line = yield* connectAs("6007", newInstance())
      const before = pbx.connections()
      line.socket.send(request("REGISTER", username))
      yield* hears(line, "200")
      assert.strictEqual(pbx.connections(), before + 1)
      line.socket.terminate()
      yield* eventually("disconnected", () => pbx.connections() === before)
    }).pipe(Effect.scoped)
  )
})
