// The telephone itself: what is dialled, the call, and its keys.
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field, largeClass } from "../../ui/Field.tsx"
import { Note } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { useNow } from "../../ui/UseNow.ts"
import { Phone } from "../../ui/Values.tsx"
import { LevelMeter } from "./LevelMeter.tsx"
import styles from "./Softphone.module.css"
import type { Telephone, TelephoneView } from "./Telephone.ts"

const lines: Readonly<Record<TelephoneView["line"], readonly [status: string, word: string]>> = {
  connecting: ["pending", "Connecting"],
  connected: ["pending", "Registering"],
  registered: ["active", "Ready"],
  reconnecting: ["retrying", "Connecting again"],
  closed: ["disabled", "Not connected"]
}

const calls: Readonly<Record<TelephoneView["call"], string>> = {
  idle: "",
  calling: "Calling",
  ringing: "Ringing",
  incoming: "Calls you",
  active: "Talking",
  held: "On hold"
}

const closed = {
  token_ended: "The token has ended.",
  retries: "The engine could not be reached five times in a row.",
  refused: "The engine closed the connection: the extension may have been revoked.",
  destroyed: ""
} as const

const keypad: ReadonlyArray<readonly [key: string, letters: string]> = [
  ["1", ""],
  ["2", "ABC"],
  ["3", "DEF"],
  ["4", "GHI"],
  ["5", "JKL"],
  ["6", "MNO"],
  ["7", "PQRS"],
  ["8", "TUV"],
  ["9", "WXYZ"],
  ["*", ""],
  ["0", "+"],
  ["#", ""]
]

const Keypad = ({ onPress }: { onPress: (key: string) => void }) => (
  <div className={styles.keypad} role="group" aria-label="Keys">
    {keypad.map(([key, letters]) => (
      <button key={key} type="button" className={styles.key} onClick={() => onPress(key)}>
        {key} <small>{letters}</small>
      </button>
    ))}
  </div>
)

const secondsSince = (at: number | undefined, now: number): string => {
  const seconds = at === undefined ? 0 : Math.max(0, Math.floor((now - at) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const reasonText = (reason: string): string => reason.replaceAll("_", " ")

/** Why a call ended, in words: the commonest first. */
const endText = ({ by, reason }: NonNullable<TelephoneView["ended"]>): string => {
  if (reason === "normal_clearing") return by === "local" ? "You hung up." : "The other side hung up."
  if (reason === "canceled_by_workspace") return "You gave up before it was answered."
  return `It ended: ${reasonText(reason)}.`
}

/** A number is easier to read in groups. */
const Peer = ({ of }: { of: string }) => (
  <p className={styles.peer}>{of.startsWith("+") ? <Phone number={of} /> : of}</p>
)

const Dialler = ({ telephone, view }: { telephone: Telephone; view: TelephoneView }) => {
  const [to, setTo] = useState("")
  const ready = view.line === "registered" || view.line === "connected"
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && to.trim() !== "") telephone.call(to.trim())
  }
  return (
    <form className="stack loose" onSubmit={submit}>
      <Field label="Number or extension">
        <input
          className={largeClass}
          type="tel"
          autoComplete="off"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      </Field>
      <Keypad onPress={(key) => setTo((before) => before + key)} />
      <Button type="submit" kind="main" icon="place" wide disabled={!ready || to.trim() === ""}>
        Call
      </Button>
      {view.ended !== undefined && (
        <p className="dim" role="status">
          <b>{view.ended.peer}</b> {endText(view.ended)}
        </p>
      )}
    </form>
  )
}

const Incoming = ({ telephone, view }: { telephone: Telephone; view: TelephoneView }) => (
  <div className={`stack loose ${styles.incoming}`} role="alertdialog" aria-label={`${view.peer} calls you`}>
    <Peer of={view.peer} />
    <p className="dim">calls you</p>
    <div className={styles.pair}>
      <Button kind="danger" icon="hangup" wide onClick={() => telephone.decline()}>
        Decline
      </Button>
      <Button kind="main" icon="place" wide onClick={() => telephone.accept()}>
        Accept
      </Button>
    </div>
  </div>
)

const Talk = ({ telephone, view }: { telephone: Telephone; view: TelephoneView }) => {
  const now = useNow(500)
  const talks = view.call === "active" || view.call === "held"
  return (
    <div className="stack loose">
      <div className={styles.talk}>
        <Peer of={view.peer} />
        <p className="dim" role="status">
          {calls[view.call]}
        </p>
        {talks && <p className={`num ${styles.clock}`}>{secondsSince(view.answered_at, now)}</p>}
      </div>
      <LevelMeter label={view.muted ? "You (muted)" : "You"} stream={view.local} />
      <LevelMeter label="The other side" stream={view.remote} />
      {talks && (
        <>
          <div className={styles.pair}>
            <Button icon="microphone" wide aria-pressed={view.muted} onClick={() => telephone.mute(!view.muted)}>
              {view.muted ? "Unmute" : "Mute"}
            </Button>
            <Button
              icon="pause"
              wide
              aria-pressed={view.call === "held"}
              onClick={() => void telephone.hold(view.call !== "held")}
            >
              {view.call === "held" ? "Resume" : "Hold"}
            </Button>
          </div>
          <Keypad onPress={(key) => telephone.press(key)} />
          {view.keys !== "" && (
            <p className="dim">
              Keys: <span className="mono">{view.keys}</span>
            </p>
          )}
        </>
      )}
      <Button kind="danger" icon="hangup" wide onClick={() => telephone.hangUp()}>
        Hang up
      </Button>
    </div>
  )
}

export const PhoneCard = (props: {
  readonly telephone: Telephone
  readonly view: TelephoneView
  readonly extension: string
}) => {
  const { extension, telephone, view } = props
  const [status, word] = lines[view.line]
  return (
    <Card title={`Extension ${extension}`} acts={<Status of={status} word={word} pill />}>
      <div className={`stack loose ${styles.phone}`}>
        {view.problem !== undefined && (
          <Note tone="bad">
            <p>{view.problem.message}</p>
            <Button small onClick={() => telephone.dismiss()}>
              Understood
            </Button>
          </Note>
        )}
        {view.line === "closed" && (
          <Note tone="wait">
            <p>{view.closed === undefined ? "There is no connection." : closed[view.closed]}</p>
            <Button small icon="retry" onClick={() => telephone.connectAgain()}>
              Connect again
            </Button>
          </Note>
        )}
        {view.call === "idle" ? (
          <Dialler telephone={telephone} view={view} />
        ) : view.call === "incoming" ? (
          <Incoming telephone={telephone} view={view} />
        ) : (
          <Talk telephone={telephone} view={view} />
        )}
      </div>
    </Card>
  )
}
