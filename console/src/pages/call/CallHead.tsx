// Who talks with whom, how the call is, and what can be done to it now.
import { useEffect } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { CallRecord } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { clockText, phoneText, wordsOf } from "../../ui/Format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Refused } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { Phone, Tag, Time } from "../../ui/Values.tsx"
import { usePermissions } from "../../shell/Session.tsx"
import styles from "./CallPage.module.css"

/** Whether the latest events say that the call is muted and on hold. */
export interface Switches {
  readonly muted: boolean
  readonly on_hold: boolean
}

const Controls = ({ call, muted, on_hold }: { call: CallRecord } & Switches) => {
  const path = `/v1/calls/${call.id}`
  const change = useChange([path, "/v1/calls"])
  const { call: allowed } = usePermissions()
  if (!allowed) return <p className="faint">Your role can follow calls, but not change them.</p>
  const update = (body: object) => change.mutate({ method: "POST", path: `${path}/update`, body })
  const answered = call.status === "answered" && !call.terminating
  return (
    <div className={styles.controls}>
      {answered && (
        <>
          <Button icon="microphone" aria-pressed={muted} onClick={() => update({ mute: !muted })}>
            {muted ? "Unmute" : "Mute"}
          </Button>
          <Button icon="pause" aria-pressed={on_hold} onClick={() => update({ hold: !on_hold })}>
            {on_hold ? "Resume" : "Hold"}
          </Button>
        </>
      )}
      <Button
        kind="danger"
        icon="hangup"
        disabled={call.terminating}
        onClick={() => change.mutate({ method: "POST", path: `${path}/terminate`, body: {} })}
      >
        {call.terminating ? "Hangs up" : call.status === "ringing" ? "Stop ringing" : "Hang up"}
      </Button>
      <Refused error={change.error} />
    </div>
  )
}

const talkOf = (call: CallRecord, now: number): number | undefined => {
  if (call.answered_at === null) return undefined
  return call.duration_seconds ?? (now - Date.parse(call.answered_at)) / 1000
}

export const CallHead = (props: { call: CallRecord; live: boolean; now: number } & Switches) => {
  const { call, live, muted, now, on_hold } = props
  const inbound = call.direction === "inbound"
  const talk = talkOf(call, now)
  const title = `${inbound ? "From" : "To"} ${phoneText(inbound ? call.from : call.to)}`
  useEffect(() => {
    document.title = `${title} · trunkline`
  }, [title])
  return (
    <div className={styles.head}>
      <div className="stack">
        <h1 className={styles.title}>
          <Icon name={inbound ? "inward" : "outward"} size={18} />
          <Phone number={inbound ? call.from : call.to} />
          <Status of={call.status} pill />
          {talk !== undefined && <span className={styles.clock}>{clockText(talk)}</span>}
        </h1>
        <p className={styles.facts2}>
          <span>
            {inbound ? "to " : "from "}
            <Phone number={inbound ? call.to : call.from} />
          </span>
          <span>
            placed <Time at={call.created_at} format="both" />
          </span>
          {call.hangup_cause !== null && (
            <span>
              {wordsOf(call.hangup_cause)}
              {call.hangup_source !== null && `, by the ${call.hangup_source}`}
            </span>
          )}
          {call.client_reference !== null && <Tag>{call.client_reference}</Tag>}
          {call.kind !== "api" && <Tag>{call.kind === "chatapp" ? "chat app" : call.kind}</Tag>}
          <CopyText text={call.id} label="id of the call" />
        </p>
      </div>
      {live && <Controls call={call} muted={muted} on_hold={on_hold} />}
    </div>
  )
}
