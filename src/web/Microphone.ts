// The microphone of the present call.
import { ClientError, microphoneError } from "./ClientError.ts"

export class Microphone {
  #deviceId: string | undefined
  #stream: MediaStream | undefined
  readonly #lost: () => void

  /** `lost` is called if the device disappears while it is used. */
  constructor(lost: () => void) {
    this.#lost = lost
  }

  get stream(): MediaStream | undefined {
    return this.#stream
  }

  /** Asks the user, if the browser does not know the answer. Fails with a ClientError. */
  async open(deviceId = this.#deviceId): Promise<MediaStream> {
    if (globalThis.RTCPeerConnection === undefined) throw new ClientError("unsupported")
    // Where a page is not secure, the browser leaves mediaDevices out.
    const devices = navigator.mediaDevices as MediaDevices | undefined
    if (devices === undefined) throw new ClientError("insecure_page")
    const audio = deviceId === undefined ? true : { deviceId: { exact: deviceId } }
    return devices.getUserMedia({ audio, video: false }).catch((error: unknown) => {
      throw microphoneError(error)
    })
  }

  /** Uses the stream from now on, and gives the one before it back. */
  use(stream: MediaStream): void {
    this.release()
    this.#stream = stream
    for (const track of stream.getTracks()) track.addEventListener("ended", this.#lost)
  }

  choose(deviceId: string | undefined): void {
    this.#deviceId = deviceId
  }

  release(): void {
    for (const track of this.#stream?.getTracks() ?? []) {
      track.removeEventListener("ended", this.#lost)
      track.stop()
    }
    this.#stream = undefined
  }
}

/** Gives back a stream that is not used after all. */
export const stopTracks = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop()
}
