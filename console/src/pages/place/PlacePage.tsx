// A call from the page: the number with its price, and what happens when somebody answers.
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, lazy, Suspense, useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { CallRecord, NumberRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field, largeClass, Segmented } from "../../ui/Field.tsx"
import { moneyText, phoneText } from "../../ui/Format.ts"
import { PageHead } from "../../ui/PageHead.tsx"
import { Loading, Note, Refused, State } from "../../ui/States.tsx"
import { ActionSteps } from "./ActionSteps.tsx"
import type { Fault } from "./LintActions.ts"
import { NumberVerdict, useNumberCheck } from "./NumberCheck.tsx"
import styles from "./Place.module.css"
import type { JsonSchema } from "./SchemaPath.ts"

const ActionsEditor = lazy(() => import("./ActionsEditor.tsx"))

const firstDocument = `{
  "actions": [
    { "say": { "text": "Hello from trunkline." } },
    { "gather": { "num_digits": 1, "timeout": 5 } },
    { "hangup": {} }
  ]
}`

const actionsIn = (text: string): ReadonlyArray<unknown> | undefined => {
  try {
    const value = JSON.parse(text) as { readonly actions?: unknown } | null
    return Array.isArray(value?.actions) ? value.actions : undefined
  } catch {
    return undefined
  }
}

const useOwnNumbers = () => {
  const { data } = useRead<ReadonlyArray<NumberRecord>>("/v1/numbers", { query: { limit: 200 } })
  return data?.filter(({ status }) => status === "active" || status === "past_due")
}

interface Wish {
  readonly to: string
  readonly from: string | undefined
  readonly source: "actions" | "callback"
  readonly document: string
  readonly url: string
  readonly record: boolean
  readonly reference: string
}

const bodyOf = (wish: Wish, to: string) => ({
  to,
  from: wish.from,
  ...(wish.source === "actions" ? { actions: actionsIn(wish.document) } : { voice_callback_url: wish.url }),
  ...(wish.record && { record: "record-from-answer-dual" }),
  ...(wish.reference.trim() !== "" && { client_reference: wish.reference.trim() })
})

/** Why the call cannot be placed yet; undefined if it can. */
const obstacle = (wish: Wish, check: ReturnType<typeof useNumberCheck>, faults: number): string | undefined => {
  if (wish.from === undefined) return "This workspace has no active number to call from."
  if (wish.to.trim() === "") return "Type a number."
  if (check.error || check.check?.rated === false) return "This number cannot be called."
  if (check.check === undefined) return "The number is being checked."
  if (check.check.sufficient_funds === false) return "The wallet cannot pay the first minute."
  if (wish.source === "callback") return wish.url.trim() === "" ? "Type the URL of your callback." : undefined
  if (faults > 0) return faults === 1 ? "The actions have a fault." : `The actions have ${faults} faults.`
  return actionsIn(wish.document) === undefined ? "The document has no list of actions." : undefined
}

const sourceOptions = [
  ["actions", "Actions"],
  ["callback", "Callback URL"]
] as const

const WhenAnswered = (props: {
  readonly wish: Wish
  readonly set: (change: Partial<Wish>) => void
  readonly onFaults: (faults: ReadonlyArray<Fault>) => void
  readonly schema: JsonSchema | undefined
}) => {
  const { onFaults, schema, set, wish } = props
  return (
    <Card
      title="When somebody answers"
      acts={
        <Segmented label="Source" options={sourceOptions} value={wish.source} onChange={(source) => set({ source })} />
      }
    >
      {wish.source === "actions" ? (
        <div className="stack">
          <Suspense fallback={<Loading rows={8} />}>
            <ActionsEditor
              value={wish.document}
              schema={schema}
              onChange={(document) => set({ document })}
              onFaults={onFaults}
            />
          </Suspense>
          <p className="faint">Ctrl Space completes. Faults are marked where they are.</p>
        </div>
      ) : (
        <Field label="URL" hint="It is asked what to do, signed, and has 10 seconds to answer with actions.">
          <input
            type="url"
            value={wish.url}
            maxLength={2048}
            placeholder="https://example.com/voice"
            onChange={(event) => set({ url: event.target.value })}
          />
        </Field>
      )}
    </Card>
  )
}

const Number = (props: {
  readonly wish: Wish
  readonly numbers: ReadonlyArray<NumberRecord>
  readonly check: ReturnType<typeof useNumberCheck>
  readonly set: (change: Partial<Wish>) => void
}) => {
  const { check, numbers, set, wish } = props
  return (
    <Card title="Who is called">
      <div className="stack loose">
        <Field label="Number">
          <input
            className={largeClass}
            type="tel"
            autoComplete="off"
            maxLength={64}
            placeholder="+254 7…"
            value={wish.to}
            onChange={(event) => set({ to: event.target.value })}
          />
        </Field>
        <NumberVerdict {...check} />
        <div className={styles.pair}>
          <Field label="From">
            <select value={wish.from} onChange={(event) => set({ from: event.target.value })}>
              {numbers.map(({ id, label, number }) => (
                <option key={id} value={number}>
                  {phoneText(number)}
                  {label === null ? "" : `, ${label}`}
                </option>
              ))}
            </select>
          </Field>
          <Field label="Your reference" hint="Calls can be filtered by it.">
            <input maxLength={64} value={wish.reference} onChange={(event) => set({ reference: event.target.value })} />
          </Field>
        </div>
        <label className={styles.tick}>
          <input type="checkbox" checked={wish.record} onChange={(event) => set({ record: event.target.checked })} />
          Record from the answer, each side in its own channel
        </label>
      </div>
    </Card>
  )
}

const PlaceForm = ({ numbers }: { numbers: ReadonlyArray<NumberRecord> }) => {
  const navigate = useNavigate()
  const [wish, setWish] = useState<Wish>({
    to: "",
    from: numbers[0]?.number,
    source: "actions",
    document: firstDocument,
    url: "",
    record: false,
    reference: ""
  })
  const [faults, setFaults] = useState<ReadonlyArray<Fault>>([])
  const schema = useRead<JsonSchema>("/v1/voice-actions/schema").data
  const place = useChange<CallRecord>(["/v1/calls", "/v1/wallet"])
  const check = useNumberCheck(wish.from, wish.to)
  const set = (change: Partial<Wish>) => setWish((before) => ({ ...before, ...change }))
  const why = obstacle(wish, check, faults.length)
  const rate = check.check?.rate_per_min_minor
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const to = check.check?.normalized_to ?? wish.to
    if (why !== undefined || place.isPending) return
    place.mutate(
      { method: "POST", path: "/v1/calls/originate", body: bodyOf(wish, to) },
      { onSuccess: ({ id }) => void navigate({ to: "/calls/$id", params: { id } }) }
    )
  }
  return (
    <form onSubmit={submit} className="cols aside">
      <div className="stack loose">
        <Number {...{ wish, numbers, check, set }} />
        <WhenAnswered wish={wish} set={set} onFaults={setFaults} schema={schema} />
      </div>
      <div className={`stack loose ${styles.side}`}>
        <Card title="What will happen">
          <ActionSteps
            actions={wish.source === "actions" ? actionsIn(wish.document) : undefined}
            callback={wish.source === "callback"}
            faults={faults}
            schema={schema}
          />
        </Card>
        <Button type="submit" kind="main" icon="place" wide disabled={why !== undefined || place.isPending}>
          {typeof rate !== "number" || why !== undefined
            ? "Call"
            : `Call, and set ${moneyText(rate, check.check?.currency ?? "")} aside`}
        </Button>
        <p className="dim" role="status">
          {why ?? "The first minute is set aside before the phone rings. Nothing is charged if nobody answers."}
        </p>
        <Refused error={place.error} />
      </div>
    </form>
  )
}

const PlacePage = () => {
  const numbers = useOwnNumbers()
  const { call } = usePermissions()
  return (
    <>
      <PageHead title="Place a call" />
      {!call ? (
        <State icon="lock" title="Your role cannot place calls.">
          <p>Owners, admins and members can. Ask one of them to change your role.</p>
        </State>
      ) : numbers === undefined ? (
        <Loading rows={6} />
      ) : numbers.length === 0 ? (
        <Note tone="wait">This workspace has no active number. A call needs one to come from.</Note>
      ) : (
        <PlaceForm numbers={numbers} />
      )}
    </>
  )
}

export default PlacePage
