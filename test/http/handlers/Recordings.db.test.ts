import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import type { RecordingRecord } from "../../../src/domain/recordings/RecordingRecord.ts"
import { Settings } from "../../../src/app/Settings.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask, origin } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

type Linked = RecordingRecord & { readonly download_url: string; readonly download_url_expires_at: string }

/** Its callback is refused, so it is over as soon as it is answered, after a second. */
const recorded = Effect.gen(function* () {
  const { api_key: key, number } = yield* DemoFile
  const placed = yield* ask({
    path: "/v1/calls/originate",
    key,
    body: {
      to: "+254711000001",
      from: number.number,
      voice_callback_url: "http://127.0.0.1:9/voice",
      record: "record-from-ringing"
    }
  })
  const { id } = placed.body as CallRecord
  yield* until("recording", ask({ path: `/v1/calls/${id}/recording`, key }), ({ status }) => status === 200)
  return { id }
})

const fetched = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers, redirect: "manual" })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  })

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("recordings over the engine", (it) => {
  it.effect("can be read, downloaded, listed and deleted only by their workspace", () =>
    Effect.gen(function* () {
      const { api_key: key, other_workspace, read_only_api_key } = yield* DemoFile
      const { id } = yield* recorded
      const path = `/v1/calls/${id}/recording`

      const shown = (yield* ask({ path, key })).body as Linked
      assert.deepInclude(shown, { call_id: id, status: "available", source: "originate", channels: 1, format: "wav" })
      assert.isAtLeast(shown.duration_seconds!, 1)
      assert.approximately(Date.parse(shown.download_url_expires_at), Date.now() + 900_000, 10_000)
      assert.approximately(Date.parse(shown.expires_at!), Date.now() + 90 * 86_400_000, 60_000)
      const call = (yield* ask({ path: `/v1/calls/${id}`, key })).body as CallRecord
      assert.deepStrictEqual(call.recording, { id: shown.id, status: "available", url: path })

      const base = yield* origin
      const redirect = yield* fetched(`${base}${path}/download`, { authorization: `Bearer ${key}` })
      assert.strictEqual(redirect.status, 302)
      const location = redirect.headers.get("location")!
      assert.isTrue(location.startsWith(`${base}/v1/recordings/${shown.id}/audio?token=`))

      const whole = yield* fetched(location)
      assert.deepStrictEqual(
        [whole.status, whole.headers.get("content-type"), whole.bytes.length],
        [200, "audio/wav", shown.size_bytes!]
      )
      assert.strictEqual(whole.bytes.toString("latin1", 0, 4), "RIFF")
      assert.strictEqual(whole.headers.get("accept-ranges"), "bytes")
      const part = yield* fetched(location, { range: "bytes=100-199" })
      assert.deepStrictEqual(
        [part.status, part.headers.get("content-range")],
        [206, `bytes 100-199/${shown.size_bytes}`]
      )
      assert.isTrue(part.bytes.equals(whole.bytes.subarray(100, 200)))
      const stale = yield* fetched(location, { range: "bytes=100-199", "if-range": '"other"' })
      assert.strictEqual(stale.status, 200)
      const audio = location.slice(base.length)
      const beyond = yield* ask({ path: audio, headers: { range: `bytes=${shown.size_bytes}-` } })
      assert.deepStrictEqual(
        [beyond.status, beyond.code, beyond.headers.get("content-range")],
        [416, "validation.range_not_satisfiable", `bytes */${shown.size_bytes}`]
      )

      for (const forged of [audio.slice(0, -2), audio.replace("token=", "token=A"), audio.replace(shown.id, id)]) {
        const refused = yield* ask({ path: forged })
        assert.deepStrictEqual([refused.status, refused.code], [404, "calls.recording_not_found"], forged)
      }
      assert.strictEqual((yield* ask({ path: audio.split("?")[0]! })).code, "validation.bad_request")

      const { data_dir } = yield* Settings
      const [workspace_folder] = yield* Effect.promise(() => readdir(join(data_dir, "recordings")))
      const stored = yield* Effect.promise(() => readFile(join(data_dir, "recordings", workspace_folder!, shown.id)))
      assert.strictEqual(stored.indexOf(whole.bytes.subarray(0, 16)), -1)

      assert.deepInclude((yield* ask({ path: `${path}?recording_id=${shown.id}`, key })).body, { id: shown.id })
      assert.strictEqual((yield* ask({ path: `${path}?recording_id=${id}`, key })).code, "calls.recording_not_found")
      assert.strictEqual((yield* ask({ path: `${path}?recording_id=x`, key })).code, "validation.bad_request")

      const list = (yield* ask({ path: `/v1/recordings?call_id=${id}&status=available`, key }))
        .body as Array<RecordingRecord>
      assert.deepStrictEqual(
        list.map((recording) => recording.id),
        [shown.id]
      )
      assert.notProperty(list[0], "download_url")
      assert.deepStrictEqual((yield* ask({ path: "/v1/recordings?status=failed", key })).body, [])
      assert.deepStrictEqual((yield* ask({ path: "/v1/recordings", key: other_workspace.api_key })).body, [])
      for (const method of ["GET", "DELETE"]) {
        const foreign = yield* ask({ path, method, key: other_workspace.api_key })
        assert.deepStrictEqual([foreign.status, foreign.code], [404, "calls.not_found"])
      }
      assert.strictEqual((yield* ask({ path, method: "DELETE", key: read_only_api_key })).code, "api_key.scope_denied")

      assert.strictEqual((yield* ask({ path, method: "DELETE", key })).status, 204)
      for (const [gone, method] of [
        [path, "GET"],
        [`${path}/download`, "GET"],
        [path, "DELETE"]
      ] as const) {
        const { body, code, status } = yield* ask({ path: gone, method, key })
        assert.deepStrictEqual(
          [status, code, (body as { error: { reason: string } }).error.reason],
          [410, "calls.recording_expired", "deleted"]
        )
      }
      assert.strictEqual((yield* ask({ path: audio })).status, 410)

      const sql = yield* PgClient.PgClient
      const audited = yield* sql<{
        action_kind: string
      }>`SELECT action_kind FROM audit_entries WHERE target_id = ${shown.id} ORDER BY sequence`
      const kinds = audited.map(({ action_kind }) => action_kind)
      assert.deepStrictEqual([...new Set(kinds)], ["recording.downloaded", "recording.deleted"])
    })
  )

  it.effect("are reported as processing while they are being made", () =>
    Effect.gen(function* () {
      const { api_key: key, number } = yield* DemoFile
      const placed = yield* ask({
        path: "/v1/calls/originate",
        key,
        body: {
          to: "+99900000003",
          from: number.number,
          voice_callback_url: "http://127.0.0.1:9/voice",
          record: "record-from-ringing"
        }
      })
      const { id } = placed.body as CallRecord
      for (const [path, method] of [
        ["", "GET"],
        ["/download", "GET"],
        ["", "DELETE"]
      ] as const) {
        const asked = ask({ path: `/v1/calls/${id}/recording${path}`, method, key })
        const refused = yield* until("recording that has begun", asked, ({ status }) => status !== 404)
        assert.deepStrictEqual(
          [refused.status, refused.code, refused.headers.get("retry-after")],
          [409, "calls.recording_processing", "5"]
        )
      }
      yield* ask({ path: `/v1/calls/${id}/terminate`, method: "POST", key })
    })
  )

  it.effect("whose audio is lost are reported as such", () =>
    Effect.gen(function* () {
      const { api_key: key } = yield* DemoFile
      const { id } = yield* recorded
      const { download_url, id: recording_id } = (yield* ask({ path: `/v1/calls/${id}/recording`, key })).body as Linked
      const { data_dir } = yield* Settings
      const [workspace_folder] = yield* Effect.promise(() => readdir(join(data_dir, "recordings")))
      yield* Effect.promise(() => rm(join(data_dir, "recordings", workspace_folder!, recording_id)))
      const lost = yield* ask({ path: download_url.slice((yield* origin).length) })
      assert.deepStrictEqual([lost.status, lost.code], [500, "calls.recording_failed"])
    })
  )

  it.effect("are not found for a call that was not recorded or does not exist", () =>
    Effect.gen(function* () {
      const { api_key: key, number } = yield* DemoFile
      const placed = yield* ask({
        path: "/v1/calls/originate",
        key,
        body: { to: "+99900000002", from: number.number, voice_callback_url: "http://127.0.0.1:9/voice" }
      })
      const { id, session_id } = placed.body as CallRecord
      for (const ref of [id, session_id]) {
        for (const path of ["", "/download"]) {
          const { code, status } = yield* ask({ path: `/v1/calls/${ref}/recording${path}`, key })
          assert.deepStrictEqual([status, code], [404, "calls.recording_not_found"])
        }
      }
      const none = yield* ask({ path: "/v1/calls/0190f5fe-7c00-7a00-8000-0000000000ff/recording", key })
      assert.deepStrictEqual([none.status, none.code], [404, "calls.not_found"])
    })
  )

  it.effect("with invalid options are refused with a pointer", () =>
    Effect.gen(function* () {
      const { api_key: key, number } = yield* DemoFile
      for (const record of ["record-from-hangup", false, 1]) {
        const refused = yield* ask({
          path: "/v1/calls/originate",
          key,
          body: { to: "+99900000002", from: number.number, voice_callback_url: "http://127.0.0.1:9/voice", record }
        })
        assert.deepStrictEqual([refused.status, refused.code], [400, "validation.bad_request"])
        assert.strictEqual(
          (refused.body as { error: { details: Array<{ field: string }> } }).error.details[0]!.field,
          "/record"
        )
      }
    })
  )
})
