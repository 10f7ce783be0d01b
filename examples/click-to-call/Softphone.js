// The telephone of the page. It runs in the browser, where page.html says what "jssip" is.
import JsSIP from "jssip"

/**
 * Connects with a session that the server has given to the page.
 *
 * @param {{token: string, endpoint: string, sipProfile: {uri: string}, turnServer: Array<object>}} session
 * @param {(status: string) => void} onStatus is called with "ready", "ringing", "talking", "ended" and the like
 */
export const connect = (session, onStatus) => {
  const ua = new JsSIP.UA({
    sockets: [new JsSIP.WebSocketInterface(`${session.endpoint}?token=${session.token}`)],
    uri: session.sipProfile.uri,
    register: false,
    session_timers: false
  })
  ua.on("connected", () => onStatus("ready"))
  ua.on("disconnected", () => onStatus("offline"))
  ua.start()

  const host = session.sipProfile.uri.split("@")[1]
  return {
    /** Calls a number in E.164. The gate answers the PBX's challenges, so the page needs no password. */
    call: (number) => {
      const call = ua.call(`sip:${number}@${host}`, {
        mediaConstraints: { audio: true, video: false },
        pcConfig: { iceServers: session.turnServer }
      })
      call.on("progress", () => onStatus("ringing"))
      call.on("confirmed", () => onStatus("talking"))
      call.on("ended", () => onStatus("ended"))
      call.on("failed", ({ cause }) => onStatus(`failed: ${cause}`))
      call.connection?.addEventListener("track", ({ streams }) => play(streams[0]))
      return { hangUp: () => call.terminate() }
    },
    stop: () => ua.stop()
  }
}

/** Lets the user hear the other side. */
const play = (stream) => {
  const audio = document.createElement("audio")
  audio.srcObject = stream
  void audio.play()
}
