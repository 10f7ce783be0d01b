// The sounds of a telephone that rings, made in the page.

/** Frequencies in Hz, seconds of sound and of silence, loudness. */
const tones = {
  incoming: { hz: [440, 480], on: 0.8, off: 1.4, gain: 0.12 },
  outgoing: { hz: [425], on: 1, off: 3, gain: 0.05 }
} as const

export class RingTone {
  #context: AudioContext | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  start(kind: keyof typeof tones): void {
    this.stop()
    const { gain, hz, off, on } = tones[kind]
    const context = new AudioContext()
    this.#context = context
    const ring = () => {
      const volume = new GainNode(context, { gain })
      volume.connect(context.destination)
      for (const frequency of hz) {
        const tone = new OscillatorNode(context, { frequency })
        tone.connect(volume)
        tone.start()
        tone.stop(context.currentTime + on)
      }
    }
    ring()
    this.#timer = setInterval(ring, (on + off) * 1000)
  }

  stop(): void {
    clearInterval(this.#timer)
    void this.#context?.close()
    this.#context = undefined
  }
}
