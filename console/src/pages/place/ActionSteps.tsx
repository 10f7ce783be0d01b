// The actions in words, with their faults. What an action does is said by the schema of voice actions.
import type { Fault } from "./LintActions.ts"
import styles from "./Place.module.css"
import { type JsonSchema, membersOf, schemasAt } from "./SchemaPath.ts"

/** A value as text; undefined for a value that has parts of its own. */
const text = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.every((each) => typeof each !== "object") ? value.join(", ") : undefined
  return typeof value === "object" ? undefined : String(value)
}

const detailOf = (members: unknown): string =>
  Object.entries(typeof members === "object" && members !== null ? members : {})
    .flatMap(([name, value]) => {
      const shown = text(value)
      return shown === undefined ? [] : [`${name}: ${shown}`]
    })
    .join(" · ")

/** What an action does, and its values. */
const stepOf = (action: unknown, schema: JsonSchema | undefined): readonly [string, string] => {
  const [name, members] = typeof action === "object" && action !== null ? (Object.entries(action)[0] ?? []) : []
  if (name === undefined) return ["Nothing yet", "An action has exactly one member: its name."]
  if (schema === undefined) return [name, detailOf(members)]
  const known = membersOf(schemasAt(schema, ["actions", 0])).find((each) => each.name === name)
  if (known === undefined) return [name, "There is no such action."]
  return [known.description?.replace(/\.$/, "") ?? name, detailOf(members)]
}

const ends = (action: unknown): boolean =>
  typeof action === "object" && action !== null && ("hangup" in action || "reject" in action)

export const ActionSteps = (props: {
  readonly actions: ReadonlyArray<unknown> | undefined
  readonly callback: boolean
  readonly faults: ReadonlyArray<Fault>
  /** Undefined until it is read. */
  readonly schema: JsonSchema | undefined
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
        const [what, detail] = stepOf(action, props.schema)
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
