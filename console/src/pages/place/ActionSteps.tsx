// The actions in words, with their faults.
import type { Fault } from "./LintActions.ts"
import styles from "./Place.module.css"

type Members = Readonly<Record<string, unknown>>

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "…")

const words: Readonly<Record<string, (members: Members) => readonly [string, string]>> = {
  say: ({ text: said }) => ["Says", text(said)],
  play: ({ url }) => ["Plays", text(url)],
  pause: ({ seconds }) => ["Waits", `${text(seconds)} s`],
  gather: ({ num_digits, timeout }) => [
    "Waits for keys",
    `${num_digits === undefined ? "any number" : text(num_digits)}, at most ${timeout === undefined ? 5 : text(timeout)} s`
  ],
  record: () => ["Records what is said", ""],
  send_digits: ({ digits }) => ["Presses keys", text(digits)],
  dial: ({ number, numbers, sip }) => [
    "Dials",
    Array.isArray(numbers) ? numbers.map(text).join(", ") : text(number ?? sip)
  ],
  tag: () => ["Notes values on the call", ""],
  redirect: ({ url }) => ["Asks for new actions", text(url)],
  reject: () => ["Rejects the call", ""],
  hangup: () => ["Hangs up", ""]
}

const stepOf = (action: unknown): readonly [string, string] => {
  const [name, members] = typeof action === "object" && action !== null ? (Object.entries(action)[0] ?? []) : []
  if (name === undefined) return ["Nothing yet", "An action has exactly one member: its name."]
  const known = words[name]
  const object = typeof members === "object" && members !== null ? (members as Members) : {}
  return known === undefined ? [name, "There is no such action."] : known(object)
}

const ends = (action: unknown): boolean =>
  typeof action === "object" && action !== null && ("hangup" in action || "reject" in action)

export const ActionSteps = (props: {
  readonly actions: ReadonlyArray<unknown> | undefined
  readonly callback: boolean
  readonly faults: ReadonlyArray<Fault>
}) => {
  if (props.callback)
    return (
      <p className="dim">
        Your callback decides when somebody answers. The call shows what it was asked and what it said.
      </p>
    )
  if (props.actions === undefined)
    return <p className="dim">{props.faults[0]?.message ?? "The document has no list of actions."}</p>
  return (
    <ol className={styles.steps}>
      {props.actions.map((action, index) => {
        const [what, detail] = stepOf(action)
        const fault = props.faults.find(
          ({ pointer }) => pointer.startsWith(`/actions/${index}/`) || pointer === `/actions/${index}`
        )
        return (
          <li key={index} className={fault ? styles.faulty : undefined}>
            <span className={styles.count}>{index + 1}</span>
            <div>
              <b>{what}</b>
              <p>{fault?.message ?? detail}</p>
            </div>
          </li>
        )
      })}
      {!ends(props.actions.at(-1)) && (
        <li>
          <span className={styles.count}>·</span>
          <div>
            <b>Hangs up</b>
            <p>because no action is left.</p>
          </div>
        </li>
      )}
    </ol>
  )
}
