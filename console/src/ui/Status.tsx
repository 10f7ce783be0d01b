// A status has a colour, a shape and a word; the shape alone tells them apart.
import type { ReactNode } from "react"
import styles from "./Status.module.css"

const disc = <circle cx="7" cy="7" r="6.3" fill="currentColor" stroke="none" />
const ring = <circle cx="7" cy="7" r="5.5" />
const onSurface = { stroke: "var(--surface)", strokeWidth: 1.6 }

const shapes = {
  ringing: (
    <>
      <circle cx="7" cy="7" r="2" fill="currentColor" stroke="none" />
      <circle cx="7" cy="7" r="5.5" strokeDasharray="2.6 1.72" />
    </>
  ),
  dotted: (
    <>
      <circle cx="7" cy="7" r="3" fill="currentColor" stroke="none" />
      <circle cx="7" cy="7" r="5.7" />
    </>
  ),
  tick: (
    <>
      {disc}
      <path d="m4.2 7.2 2 2 3.7-4" {...onSurface} />
    </>
  ),
  hollow: ring,
  bar: (
    <>
      <rect x="1.4" y="1.4" width="11.2" height="11.2" rx="3" fill="currentColor" stroke="none" />
      <path d="M4.3 7h5.4" {...onSurface} />
    </>
  ),
  diamond: (
    <>
      <path d="M7 .8 13.2 7 7 13.2.8 7Z" fill="currentColor" stroke="none" />
      <path d="m5 5 4 4M9 5 5 9" {...onSurface} />
    </>
  ),
  stroke: (
    <>
      {ring}
      <path d="m3.2 10.8 7.6-7.6" />
    </>
  ),
  paused: (
    <>
      <rect x="1.4" y="1.4" width="11.2" height="11.2" rx="3" />
      <path d="M5.5 5v4M8.5 5v4" />
    </>
  ),
  triangle: (
    <>
      <path d="M7 1.5 12.8 12H1.2Z" fill="currentColor" stroke="none" />
      <path d="M7 5.3v3M7 10.2h.01" {...onSurface} />
    </>
  )
} satisfies Record<string, ReactNode>

export type Shape = keyof typeof shapes
export type Tone = "live" | "good" | "wait" | "bad" | "calm"

export const Glyph = ({ name, size = 14 }: { name: Shape; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 14 14"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.4}
    strokeLinecap="round"
    aria-hidden="true"
  >
    {shapes[name]}
  </svg>
)

const known: Readonly<Record<string, readonly [tone: Tone, word: string, shape: Shape]>> = {
  ringing: ["wait", "Ringing", "ringing"],
  answered: ["live", "Answered", "dotted"],
  completed: ["good", "Completed", "tick"],
  no_answer: ["calm", "No answer", "hollow"],
  busy: ["wait", "Busy", "bar"],
  failed: ["bad", "Failed", "diamond"],
  canceled: ["calm", "Canceled", "stroke"],
  active: ["good", "Active", "tick"],
  paused: ["calm", "Paused", "paused"],
  disabled: ["bad", "Disabled", "diamond"],
  pending: ["wait", "Waiting", "ringing"],
  in_flight: ["live", "Under way", "dotted"],
  retrying: ["wait", "Retrying", "triangle"],
  succeeded: ["good", "Succeeded", "tick"],
  dead_letter: ["bad", "Given up", "diamond"],
  blocked: ["bad", "Blocked", "bar"],
  expired: ["calm", "Expired", "stroke"],
  reversed: ["bad", "Taken back", "triangle"],
  past_due: ["wait", "Past due", "triangle"],
  suspended: ["bad", "Suspended", "bar"],
  released: ["calm", "Released", "stroke"],
  closed: ["calm", "Closed", "stroke"],
  onboarding: ["wait", "Being set up", "ringing"],
  accepted: ["good", "Accepted", "tick"],
  revoked: ["calm", "Revoked", "stroke"],
  provisioning: ["wait", "Being set up", "ringing"],
  retired: ["calm", "Retired", "stroke"],
  available: ["good", "Available", "tick"],
  processing: ["wait", "Being written", "ringing"],
  deleted: ["calm", "Deleted", "stroke"],
  in_progress: ["live", "Recording", "dotted"],
  connected: ["good", "Connected", "tick"],
  away: ["bad", "Away", "diamond"],
  never_connected: ["calm", "Never connected", "hollow"],
  inactive: ["calm", "Inactive", "hollow"]
}

/** The word of a status; what is not known is shown as the API says it. */
export const wordOf = (status: string): string => known[status]?.[1] ?? status.replaceAll("_", " ")

export const Status = ({ of, pill = false, word }: { of: string; pill?: boolean; word?: string }) => {
  const [tone, usual, shape] = known[of] ?? (["calm", wordOf(of), "hollow"] as const)
  return (
    <span className={`${styles.status} ${styles[tone]} ${pill ? styles.pill : ""}`}>
      <Glyph name={shape} />
      {word ?? usual}
    </span>
  )
}
