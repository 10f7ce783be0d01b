// The pinned entry: its causes from first to last, and its payload.
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { offsetText } from "../../ui/Format.ts"
import { Json } from "../../ui/Json.tsx"
import { Tag } from "../../ui/Values.tsx"
import styles from "./CallPage.module.css"
import { chainOf, type TimelineModel } from "./TimelineModel.ts"

/** How many causes are shown before more are asked for. */
const shownCauses = 4

export const Inspector = (props: {
  readonly model: TimelineModel
  readonly call_id: string
  readonly pinned: string | undefined
  readonly onPin: (id: string) => void
  readonly onInstant: (ms: number) => void
}) => {
  const { call_id, model, onInstant, onPin, pinned } = props
  const [whole, setWhole] = useState<string>()
  const entries = new Map(model.entries.map((entry) => [entry.id, entry]))
  const entry = (pinned === undefined ? undefined : entries.get(pinned)) ?? model.entries.at(-1)
  if (entry === undefined) return null
  const offset = (at: string) => Date.parse(at) - model.began_at
  const chain = chainOf(entries, entry.id)
  const hidden = whole === entry.id ? 0 : Math.max(0, chain.length - shownCauses)
  return (
    <section className={styles.inspector} aria-label="Pinned entry">
      <div className="row wrap">
        <h3 className="mono">{entry.kind}</h3>
        <Tag>{entry.call_id === call_id ? "call" : "leg"}</Tag>
        <span className="grow" />
        <Button small onClick={() => onInstant(offset(entry.at))}>
          Go to +{offsetText(offset(entry.at))}
        </Button>
      </div>
      <ol className={styles.causes} aria-label="Causes, first to last">
        {hidden > 0 && (
          <li>
            <button type="button" onClick={() => setWhole(entry.id)}>
              {hidden} {hidden === 1 ? "cause" : "causes"} before, back to {chain[0]?.cause}
            </button>
          </li>
        )}
        {chain.slice(hidden).map((cause) => (
          <li key={cause.id}>
            {cause === entry ? (
              cause.kind
            ) : (
              <button type="button" onClick={() => onPin(cause.id)}>
                {cause.kind}
              </button>
            )}
            <span className="faint">
              {" "}
              · {cause.cause} · +{offsetText(offset(cause.at))}
            </span>
          </li>
        ))}
      </ol>
      <Json label="Payload" value={entry.detail} />
    </section>
  )
}
