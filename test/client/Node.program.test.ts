// The module as it is published, in a Node of its own: with `import`, with `require`, and without anything else.
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { createServer } from "node:http"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { bundleClient } from "../../scripts/bundles/ClientBundle.ts"

const program = (load: string) => `${load}
const client = new Trunkline({ baseUrl: process.argv[2], apiKey: "k" })
;(async () => {
  const kinds = []
  for await (const { kind } of client.calls.stream("c")) kinds.push(kind)
  const ids = await client.calls.list().toArray({ max: 9 })
  console.log(JSON.stringify({ kinds, ids: ids.map(({ id }) => id) }))
})()
`

it("trunkline/client runs where nothing else is installed, and comes back after a cut connection", async () => {
  const seen: Array<string | undefined> = []
  const server = createServer((request, response) => {
    if (request.url === "/v1/calls") return void response.end(`[{"id":"one"}]`)
    const after = request.headers["last-event-id"] as string | undefined
    seen.push(after)
    response.writeHead(200, { "content-type": "text/event-stream" })
    if (after === undefined) {
      // The connection breaks within an event.
      response.write(`id: 1\nevent: call.ringing\ndata: {"kind":"call.ringing"}\n\nid: 2\nevent: call.ans`)
      setTimeout(() => response.destroy(), 50)
    } else response.end(`id: 2\nevent: call.completed\ndata: {"kind":"call.completed"}\n\nevent: end\ndata: {}\n\n`)
  })
  const folder = mkdtempSync(join(tmpdir(), "trunkline-client-"))
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { readonly port: number }
    writeFileSync(join(folder, "client.mjs"), await bundleClient("client", "es"))
    writeFileSync(join(folder, "client.cjs"), await bundleClient("client", "cjs"))
    writeFileSync(join(folder, "module.mjs"), program(`import { Trunkline } from "./client.mjs"`))
    writeFileSync(join(folder, "script.cjs"), program(`const { Trunkline } = require("./client.cjs")`))
    for (const name of ["module.mjs", "script.cjs"]) {
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name), `http://127.0.0.1:${port}`])
      assert.deepStrictEqual(JSON.parse(stdout), { kinds: ["call.ringing", "call.completed"], ids: ["one"] })
    }
    assert.deepStrictEqual(seen, [undefined, "1", undefined, "1"])
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
})
