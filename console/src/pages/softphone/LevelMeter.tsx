// How loud a stream is now.
import { useEffect, useRef } from "react"
import styles from "./Softphone.module.css"

const every_ms = 80
/** What the meter shows of the range of loudness, in dB below the loudest. */
const quietest_db = -60

const percentOf = (samples: Float32Array): number => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  const db = 10 * Math.log10(power + 1e-12)
  return Math.round(Math.max(0, Math.min(1, 1 - db / quietest_db)) * 100)
}

export const LevelMeter = ({ label, stream }: { label: string; stream: MediaStream | undefined }) => {
  const meter = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (stream === undefined || stream.getAudioTracks().length === 0) return
    const context = new AudioContext()
    const analyser = new AnalyserNode(context, { fftSize: 2048 })
    context.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const show = (percent: number) => {
      const element = meter.current
      if (element === null) return
      element.setAttribute("aria-valuenow", String(percent))
      element.style.setProperty("--level", `${percent}%`)
    }
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      show(percentOf(samples))
    }, every_ms)
    return () => {
      clearInterval(timer)
      show(0)
      void context.close()
    }
  }, [stream])
  return (
    <div className={styles.level}>
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <div
        ref={meter}
        className={styles.meter}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={0}
      />
    </div>
  )
}
