// The web page of a browser phone, served on loopback: JsSIP, a microphone and statistics of the received audio.
import { answering, receiver } from "../../support/Receiver.ts"
import { bundle } from "./Bundle.ts"

const script = `
const heard = []
const audio = document.querySelector("audio")
const note = (name, more = {}) => heard.push({ name, ...more })
let ua, session
const listen = (connection) => connection.addEventListener("track", ({ streams, track }) => {
  audio.srcObject = streams[0] ?? new MediaStream([track])
})
const follow = (next) => {
  session = next
  if (next.connection) listen(next.connection)
  next.on("peerconnection", ({ peerconnection }) => listen(peerconnection))
  next.on("progress", ({ response }) => note("progress", { code: response?.status_code }))
  next.on("confirmed", () => note("confirmed"))
  for (const name of ["ended", "failed"]) next.on(name, ({ cause, message }) => note(name, { cause, code: message?.status_code, reason: message?.getHeader("Reason") }))
}
globalThis.phone = {
  heard,
  start({ expires, ice_servers, uri, url }) {
    phone.ice_servers = ice_servers
    ua = new JsSIP.UA({
      sockets: [new JsSIP.WebSocketInterface(url)], uri, register_expires: expires, session_timers: false, user_agent: "PhonePage",
      connection_recovery_min_interval: 600, connection_recovery_max_interval: 600
    })
    ua.on("connected", () => note("connected"))
    ua.on("disconnected", ({ code }) => note("disconnected", { code }))
    ua.on("registered", () => note("registered"))
    ua.on("registrationFailed", ({ response }) => note("registrationFailed", { code: response?.status_code }))
    ua.on("newRTCSession", ({ originator, request, session }) => {
      follow(session)
      if (originator === "remote") note("incoming", { from: request.from.uri.user })
    })
    ua.start()
  },
  call(target) {
    ua.call(target, { mediaConstraints: { audio: true, video: false }, pcConfig: { iceServers: phone.ice_servers } })
  },
  answer() {
    session.answer({ mediaConstraints: { audio: true, video: false }, pcConfig: { iceServers: phone.ice_servers } })
  },
  refuse: (status_code) => session.terminate({ status_code }),
  hangUp: () => session.terminate(),
  async sound() {
    const sound = { sent: 0, received: 0, energy: 0, codec: "" }
    const stats = await session.connection.getStats()
    for (const entry of stats.values()) {
      if (entry.type === "outbound-rtp") sound.sent += entry.packetsSent
      if (entry.type !== "inbound-rtp") continue
      sound.received += entry.packetsReceived
      sound.energy += entry.totalAudioEnergy ?? 0
      sound.codec = stats.get(entry.codecId)?.mimeType ?? ""
    }
    return sound
  }
}`

/** Serves the page until the scope closes. */
export const servePhonePage = () => {
  const page = `<!doctype html><title>Phone</title><audio autoplay></audio><script src="/jssip.js"></script><script>${script}</script>`
  const pages = answering(200, page, { "content-type": "text/html" })
  const library = answering(200, bundle("jssip", "JsSIP"), { "content-type": "text/javascript" })
  return receiver((request, response) => (request.path === "/jssip.js" ? library : pages)(request, response))
}
