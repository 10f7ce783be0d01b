// A web page with the browser client, served on loopback. It notes every event, listens to the sound, and counts the
// sockets, timers, tracks and listeners that are left.
import { Effect } from "effect"
import { bundleWeb } from "../../../scripts/bundles/WebBundle.ts"
import { answering, receiver } from "../../support/Receiver.ts"

/** Runs before the client is loaded. */
const counters = `
const later = setTimeout.bind(globalThis)
globalThis.later = later
const kept = { timers: new Map(), sockets: [], tracks: [], listeners: new Map() }
for (const [set, clear] of [["setTimeout", "clearTimeout"], ["setInterval", "clearInterval"]]) {
  const before = globalThis[set].bind(globalThis)
  const forget = globalThis[clear].bind(globalThis)
  globalThis[set] = (then, ms, ...more) => {
    const id = before((...args) => { if (set === "setTimeout") kept.timers.delete(id); then(...args) }, globalThis.waits?.(ms) ?? ms, ...more)
    kept.timers.set(id, ms + " ms: " + new Error().stack.split("\\n").slice(2, 4).map((line) => line.trim()).join(" < "))
    return id
  }
  globalThis[clear] = (id) => { kept.timers.delete(id); forget(id) }
}
globalThis.WebSocket = class extends WebSocket {
  constructor(...args) { super(...args); kept.sockets.push(this) }
  send(data) { super.send(globalThis.tamper ? tamper(data) : data) }
}
if (navigator.mediaDevices) {
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted)
    kept.tracks.push(...stream.getTracks())
    return stream
  }
}
for (const target of [window, document, navigator.connection]) {
  if (!target) continue
  const { addEventListener, removeEventListener } = target
  target.addEventListener = function (name, then, options) {
    const key = name + kept.listeners.size
    kept.listeners.set(key, then)
    options?.signal?.addEventListener("abort", () => kept.listeners.delete(key))
    return addEventListener.call(target, name, then, options)
  }
  target.removeEventListener = function (name, then, options) {
    for (const [key, listener] of kept.listeners) if (listener === then) kept.listeners.delete(key)
    return removeEventListener.call(target, name, then, options)
  }
}
globalThis.left = () => ({
  sockets: kept.sockets.filter(({ readyState }) => readyState !== WebSocket.CLOSED).length,
  timers: [...kept.timers.values()],
  tracks: kept.tracks.filter(({ readyState }) => readyState === "live").length,
  listeners: kept.listeners.size
})`

const script = `
import { Client } from "/trunkline-web.js"
const names = ["connected", "registered", "ringing", "answered", "accepted", "declined", "incoming", "hangup", "reconnecting",
  "registration_failed", "closed", "error", "token_will_expire", "quality_warning"]
globalThis.told = []
globalThis.open = (options) => {
  globalThis.client = new Client({ audioElement: document.querySelector("audio"), ...options })
  for (const name of names)
    client.on(name, (payload) => told.push({ ...payload, name, at: performance.now(), ...(name === "error" && { message: payload.message, error: payload instanceof Error }) }))
}
let context, analyser, source
/** Listens to the other side. False if there is none. */
const listens = () => {
  const { remote } = client.getAudioStreams()
  if (remote === undefined) return false
  if (remote === source) return true
  context ??= new AudioContext()
  source = remote
  analyser = context.createAnalyser()
  analyser.fftSize = 4096
  analyser.smoothingTimeConstant = 0
  context.createMediaStreamSource(remote).connect(analyser)
  return true
}
/** The loudest frequency that is heard now, in Hz; 0 in silence. */
globalThis.pitch = () => {
  if (!listens() || loudness() < -50) return 0
  const bins = new Float32Array(analyser.frequencyBinCount)
  analyser.getFloatFrequencyData(bins)
  return (bins.indexOf(Math.max(...bins)) * context.sampleRate) / analyser.fftSize
}
/** The loudness of what is heard now, in dB, measured in the page. */
globalThis.loudness = () => {
  if (!listens()) return -200
  const wave = new Float32Array(analyser.fftSize)
  analyser.getFloatTimeDomainData(wave)
  return 20 * Math.log10(Math.sqrt(wave.reduce((sum, v) => sum + v * v, 0) / wave.length) + 1e-10)
}
/** The loudest moment of so many milliseconds. */
globalThis.loudest = async (ms) => {
  let most = -200
  for (const began = performance.now(); performance.now() - began < ms; ) {
    most = Math.max(most, loudness())
    await new Promise((done) => later(done, 20))
  }
  return Math.round(most)
}`

/** Serves the page until the scope closes. */
export const serveSdkPage = Effect.gen(function* () {
  const { code } = yield* Effect.promise(() => bundleWeb())
  const page = `<!doctype html><title>Client</title><audio></audio><button>Click</button><script>${counters}</script><script type="module">${script}</script>`
  const pages = answering(200, page, { "content-type": "text/html" })
  const library = answering(200, code, { "content-type": "text/javascript" })
  return yield* receiver((request, response) =>
    (request.path === "/trunkline-web.js" ? library : pages)(request, response)
  )
})
