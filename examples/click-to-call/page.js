// The telephone of the page. page.html says where "trunkline/web" is; with a bundler it is the package's own export.
import { Client } from "trunkline/web"

const element = (id) => document.getElementById(id)

const newSession = async () => {
  const response = await fetch("./session", { method: "POST" })
  if (!response.ok) throw new Error("Calls are not possible now.")
  return response.json()
}

const show = (client, status) => {
  element("status").textContent = status
  element("problem").textContent = ""
  const idle = client.callState === "idle"
  element("call").disabled = !idle || client.state !== "connected"
  element("mute").disabled = idle
  element("mute").textContent = client.isMuted ? "Unmute" : "Mute"
  element("hang-up").disabled = idle
}

const start = async () => {
  const { number, session } = await newSession()
  // Not registered: the session's token allows no incoming calls.
  const client = new Client(session)
  client.on("connected", () => show(client, "Ready"))
  client.on("reconnecting", () => show(client, "Connecting again"))
  client.on("ringing", () => show(client, "Ringing"))
  client.on("answered", () => show(client, "Talking"))
  client.on("hangup", ({ reason }) => show(client, `Ended: ${reason}`))
  client.on("quality_warning", ({ kind }) => (element("problem").textContent = `The connection is bad: ${kind}`))
  client.on("error", ({ message }) => (element("problem").textContent = message))
  client.on("token_will_expire", async () => {
    const { session } = await newSession()
    client.updateToken(session.token, session.turnServer)
  })
  client.on("closed", () => show(client, "Reload the page to call"))

  // From a click, because the browser asks for the microphone.
  element("call").addEventListener("click", () => {
    void client.call(number)
    show(client, "Calling")
  })
  element("mute").addEventListener("click", () => {
    if (client.isMuted) client.unmute()
    else client.mute()
    show(client, element("status").textContent)
  })
  element("hang-up").addEventListener("click", () => client.hangup())
}

start().catch(({ message }) => (element("problem").textContent = message))
