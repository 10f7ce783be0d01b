// Click to call: serves a page with a telephone in it, and gives the page a token to call with. See README.md.
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const setting = (name: string, standard?: string): string => {
  const value = process.env[name] ?? standard
  if (value === undefined) throw new Error(`Set ${name}. See README.md.`)
  return value
}

const port = Number(setting("PORT", "9092"))
const engineUrl = setting("ENGINE_URL", "http://127.0.0.1:8080")
const apiKey = setting("API_KEY")
const extension = setting("EXTENSION", "1001")
/** The number that the button calls. */
const number = setting("CALLS", "+254711000000")

const own = (name: string) => join(import.meta.dirname, name)

const files: Readonly<Record<string, readonly [path: string, type: string]>> = {
  "/": [own("page.html"), "text/html; charset=utf-8"],
  "/page.js": [own("page.js"), "text/javascript; charset=utf-8"],
  "/trunkline-web.js": [fileURLToPath(import.meta.resolve("trunkline/web")), "text/javascript; charset=utf-8"]
}

/**
 * The API key stays here: the page gets a token that can do nothing but call, for five minutes. Every visitor who gets
 * one calls at your expense, so a real site asks here first who the visitor is.
 */
const makeSession = (): Promise<Response> =>
  fetch(`${engineUrl}/v1/webrtc/token`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ extension, ttl_seconds: 300, allow: { incoming: false, outgoing: true } })
  })

const server = createServer(async (request, response) => {
  const file = files[request.url ?? ""]
  if (request.method === "GET" && file !== undefined) {
    const [path, type] = file
    const content = await readFile(path).catch(() => undefined)
    if (content === undefined) console.error(`${path} is missing: run npm run build first.`)
    response.writeHead(content === undefined ? 404 : 200, { "content-type": type }).end(content)
  } else if (request.method === "POST" && request.url === "/session") {
    const answer = await makeSession()
    if (!answer.ok) console.error(`The engine gave no token: ${await answer.text()}`)
    const body = answer.ok ? { number, session: await answer.json() } : { error: "Calls are not possible now." }
    response
      .writeHead(answer.ok ? 200 : 503, { "content-type": "application/json", "cache-control": "no-store" })
      .end(JSON.stringify(body))
  } else {
    response.writeHead(404).end()
  }
})

server.listen(port, "127.0.0.1", () => console.log(`The page is at http://127.0.0.1:${port}/`))
