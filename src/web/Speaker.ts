// What plays the other side. A browser may refuse to play before the user has clicked in the page; the next click or
// key
// then starts the sound.
import { ClientError } from "./ClientError.ts"

const gestures = ["pointerdown", "keydown"] as const

export class Speaker {
  readonly #audio: HTMLAudioElement
  readonly #fail: (error: ClientError) => void
  #waits = false

  constructor(audio: HTMLAudioElement, fail: (error: ClientError) => void) {
    this.#audio = audio
    this.#audio.autoplay = true
    this.#fail = fail
  }

  get stream(): MediaStream | undefined {
    const source = this.#audio.srcObject
    return source instanceof MediaStream ? source : undefined
  }

  play(stream: MediaStream): void {
    this.#audio.srcObject = stream
    this.#start()
  }

  async choose(deviceId: string): Promise<void> {
    if (!("setSinkId" in this.#audio)) return this.#fail(new ClientError("output_unsupported"))
    await this.#audio.setSinkId(deviceId).catch((error: unknown) => {
      this.#fail(new ClientError("device_unavailable", error))
    })
  }

  release(): void {
    this.#stopWaiting()
    this.#audio.pause()
    this.#audio.srcObject = null
  }

  #start(): void {
    this.#audio.play().catch((error: unknown) => {
      // Another stream in its place, or the end of the call, interrupts play() too.
      if (!(error instanceof Error) || error.name !== "NotAllowedError" || this.#waits) return
      this.#waits = true
      for (const gesture of gestures) document.addEventListener(gesture, this.#onGesture)
      this.#fail(new ClientError("autoplay_blocked", error))
    })
  }

  readonly #onGesture = (): void => {
    this.#stopWaiting()
    this.#start()
  }

  #stopWaiting(): void {
    if (!this.#waits) return
    this.#waits = false
    for (const gesture of gestures) document.removeEventListener(gesture, this.#onGesture)
  }
}
