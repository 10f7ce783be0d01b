// Two-factor codes by voice, as a small service for your own servers. See README.md.
import { Trunkline } from "trunkline/client"
import { serve, setting } from "../shared/Serve.ts"
import { Codes } from "./Codes.ts"

const client = new Trunkline({
  baseUrl: setting("TRUNKLINE_URL", "http://127.0.0.1:8080"),
  apiKey: setting("TRUNKLINE_API_KEY")
})
const codes = new Codes({ client, from: setting("FROM") })
const port = Number(setting("PORT", "9094"))

const textOf = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value : ""
}

const handle = async (request: Request): Promise<Response> => {
  const id = /^\/codes\/([\w-]+)\/check$/.exec(new URL(request.url).pathname)?.[1]
  const body: unknown = await request.json().catch(() => undefined)
  if (id !== undefined) {
    const verdict = codes.check(id, textOf(body, "code"))
    return Response.json({ verdict }, { status: verdict === "right" ? 200 : verdict === "wrong" ? 403 : 410 })
  }
  const sent = await codes.send(textOf(body, "phone"))
  return Response.json(sent, { status: "id" in sent ? 201 : sent.refused === "too_soon" ? 429 : 422 })
}

serve(port, handle, () => console.log(`POST http://127.0.0.1:${port}/codes with {"phone": "+254…"}`))
