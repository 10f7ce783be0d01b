// Tells an answered call what to do: the server behind a `voice_callback_url`.
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { actions, dial, gather, hangup, say, voiceCallback } from "trunkline/actions"

const answer = voiceCallback({ secrets: process.env["VOICE_SECRET"] ?? "" }, (question) => {
  console.log(question.reason)
  if (question.reason === "gather_completed" && question.result?.digits === "1") {
    return actions(say("I connect you."), dial("+254711000001", { timeout: 20 }), say("Nobody is there."), hangup())
  }
  return actions(
    gather({ prompt: say("To speak to somebody, press 1."), num_digits: 1, action_url: "/" }),
    say("Goodbye."),
    hangup()
  )
})

const port = Number(process.env["PORT"] ?? 9090)
createServer(async (request, response) => {
  const url = `http://${request.headers.host}${request.url}`
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
  const result = await answer(new Request(url, { method: "POST", headers, body: await buffer(request) }))
  response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text())
}).listen(port, "127.0.0.1", () => console.log(`Listening at http://127.0.0.1:${port}/`))
