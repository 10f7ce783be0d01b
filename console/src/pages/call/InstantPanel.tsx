// The state of the call at the chosen instant.
import { useMemo } from "react"
import type { CallRecord } from "../../api/Types.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { durationText, offsetText, timeText } from "../../ui/Format.ts"
import { Status } from "../../ui/Status.tsx"
import { Money } from "../../ui/Values.tsx"
import styles from "./CallPage.module.css"
import { stateAt } from "./InstantState.ts"
import type { TimelineModel } from "./TimelineModel.ts"

const Fact = (props: { label: string; children: React.ReactNode; small?: React.ReactNode }) => (
  <div>
    <dt className="label">{props.label}</dt>
    <dd>
      {props.children}
      {props.small !== undefined && <small>{props.small}</small>}
    </dd>
  </div>
)

const minute_s = 60
/** The next minute is set aside so long before the paid one ends. */
const ahead_s = 10

const paidMinutes = (talk_s: number): number => Math.floor((talk_s + ahead_s) / minute_s) + 1

export interface InstantPanelProps {
  readonly model: TimelineModel
  readonly call: CallRecord
  readonly nameOf: (id: string) => string
  readonly instant: number
  readonly last: number
  readonly live: boolean
  readonly onInstant: (ms: number) => void
}

const useSteps = ({ instant, model, onInstant }: InstantPanelProps) => {
  const instants = useMemo(
    () => [...new Set(model.entries.map(({ at }) => Date.parse(at) - model.began_at))].sort((a, b) => a - b),
    [model]
  )
  const before = instants.findLast((ms) => ms < instant - 1)
  const after = instants.find((ms) => ms > instant + 1)
  return {
    before: () => before !== undefined && onInstant(before),
    after: () => after !== undefined && onInstant(after)
  }
}

type State = ReturnType<typeof stateAt>

/** When the last minute ends that is set aside at that instant. */
const paidUntil = (model: TimelineModel, answered_ms: number, talk_s: number): string =>
  timeText(Math.round(model.began_at + answered_ms + paidMinutes(talk_s) * minute_s * 1000), "second")

const MoneyFacts = (props: { call: CallRecord; model: TimelineModel; state: State; talk_s: number | undefined }) => {
  const { call, model, state, talk_s } = props
  const sum = [...state.held.values()].reduce((total, minor) => total + minor, 0)
  const charged = state.charged_minor > 0
  return (
    <>
      <Fact
        label="Set aside"
        small={sum === 0 ? "nothing" : `for ${state.held.size === 1 ? "the call" : "the call and its legs"}`}
      >
        <Money minor={sum} currency={call.currency} />
      </Fact>
      <Fact
        label={charged ? "Charged" : "Paid until"}
        small={charged ? "the rest is free again" : talk_s !== undefined && `minute ${paidMinutes(talk_s)} of the talk`}
      >
        {charged ? (
          <Money minor={state.charged_minor} currency={call.currency} />
        ) : talk_s === undefined || state.answered_ms === undefined || state.ended ? (
          <span className="faint">Not answered</span>
        ) : (
          paidUntil(model, state.answered_ms, talk_s)
        )}
      </Fact>
    </>
  )
}

export const InstantPanel = (props: InstantPanelProps) => {
  const { call, instant, last, live, model, nameOf, onInstant } = props
  const state = useMemo(() => stateAt(model.entries, call.id, model.began_at, instant), [model, call.id, instant])
  const steps = useSteps(props)
  const atEnd = instant >= last
  const talk_s = state.answered_ms === undefined ? undefined : (instant - state.answered_ms) / 1000
  return (
    <section className={styles.facts} aria-label="State at that instant">
      <div className="row wrap">
        <h3>{atEnd && live ? "Now" : "At that instant"}</h3>
        <span className="dim num">
          {timeText(Math.round(model.began_at + instant), "millisecond")} · +{offsetText(instant)}
        </span>
        <span className="grow" />
        <IconButton icon="left" label="Entry before" kind="bare" small onClick={steps.before} />
        <IconButton icon="right" label="Next entry" kind="bare" small onClick={steps.after} />
        <Button small disabled={atEnd} onClick={() => onInstant(last)}>
          {live ? "Back to live" : "To the end"}
        </Button>
      </div>
      <dl className={styles.factList}>
        <Fact
          label="Call"
          small={
            state.muted
              ? "muted"
              : state.on_hold
                ? "on hold"
                : talk_s !== undefined && !state.ended && `talks for ${durationText(talk_s)}`
          }
        >
          <Status of={state.status} />
        </Fact>
        <Fact
          label={state.legs.length > 1 ? `${state.legs.length} legs` : "Leg"}
          small={state.legs[0] && nameOf(state.legs[0].call_id)}
        >
          {state.legs.length === 0 ? (
            <span className="faint">None</span>
          ) : (
            state.legs.slice(0, 3).map((leg) => <Status key={leg.call_id} of={leg.status} />)
          )}
        </Fact>
        <Fact label="Doing" small={state.doing && `for ${offsetText(instant - state.doing.since_ms)}`}>
          {state.doing?.what ?? <span className="faint">{state.ended ? "The call is over" : "Nothing"}</span>}
        </Fact>
        <MoneyFacts call={call} model={model} state={state} talk_s={state.ended ? undefined : talk_s} />
        <Fact label="Viewers">{state.viewers === 0 ? <span className="faint">None</span> : state.viewers}</Fact>
      </dl>
    </section>
  )
}
