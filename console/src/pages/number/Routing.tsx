// What happens when the number is called.
import { type FormEvent, useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { NumberRoutingView } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Tick } from "../../ui/Choices.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { ShownOnce } from "../../ui/ShownOnce.tsx"
import { Loaded, Note, Refused } from "../../ui/States.tsx"
import { answers, changeOf, draftOf, type RoutingDraft } from "./RoutingDraft.ts"

const recordModes = [
  "do-not-record",
  "record-from-answer",
  "record-from-ringing",
  "record-from-answer-dual",
  "record-from-ringing-dual"
] as const

interface PartProps {
  readonly draft: RoutingDraft
  readonly set: (change: Partial<RoutingDraft>) => void
}

const Destination = ({ draft, set }: PartProps) => {
  if (draft.answer === "none") return null
  if (draft.answer === "url") {
    return (
      <>
        <Field label="URL" hint="It is asked when the number is called, and answers with actions.">
          <input
            type="url"
            required
            placeholder="https://example.com/voice"
            value={draft.voice_url}
            onChange={({ target }) => set({ voice_url: target.value })}
          />
        </Field>
        <Field label="URL if that one cannot be reached">
          <input
            type="url"
            value={draft.voice_fallback_url}
            onChange={({ target }) => set({ voice_fallback_url: target.value })}
          />
        </Field>
      </>
    )
  }
  const [label, placeholder] = {
    extensions: ["Extensions, by commas", "1001, 1002"] as const,
    e164: ["Number", "+254 …"] as const,
    sip: ["SIP address", "sip:desk@example.com"] as const
  }[draft.answer]
  return (
    <>
      <Field label={label}>
        <input
          required
          placeholder={placeholder}
          value={draft.value}
          onChange={({ target }) => set({ value: target.value })}
        />
      </Field>
      {draft.answer === "extensions" && (
        <Tick
          label="One after the other, not all at once"
          on={draft.sequential}
          onChange={(sequential) => set({ sequential })}
        />
      )}
      <Field label="Rings for at most, in seconds">
        <input
          type="number"
          min={5}
          max={600}
          required
          value={draft.ring_timeout}
          onChange={({ target }) => set({ ring_timeout: target.value })}
        />
      </Field>
    </>
  )
}

const Rest = ({ draft, set }: PartProps) => (
  <>
    <Field label="Recording">
      <select
        value={draft.record}
        onChange={({ target }) => set({ record: recordModes.find((mode) => mode === target.value) ?? "do-not-record" })}
      >
        {recordModes.map((mode) => (
          <option key={mode} value={mode}>
            {wordsOf(mode.replaceAll("-", " "))}
          </option>
        ))}
      </select>
    </Field>
    <Field label="What a caller hears when the wallet is empty" hint="Empty: the call is rejected in silence.">
      <input maxLength={500} value={draft.no_funds} onChange={({ target }) => set({ no_funds: target.value })} />
    </Field>
    <Field label="Events of its calls go to" hint="A URL. Its secret is shown once, when it is set for the first time.">
      <input type="url" value={draft.events_url} onChange={({ target }) => set({ events_url: target.value })} />
    </Field>
    <Field label="Name of the number">
      <input maxLength={64} value={draft.label} onChange={({ target }) => set({ label: target.value })} />
    </Field>
  </>
)

const Editor = ({ path, routing }: { routing: NumberRoutingView; path: string }) => {
  const { admin } = usePermissions()
  const [draft, setDraft] = useState(() => draftOf(routing))
  const change = useChange<NumberRoutingView>(["/v1/numbers", "/v1/webhooks"])
  const set = (part: Partial<RoutingDraft>) => {
    setDraft({ ...draft, ...part })
    change.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate({ method: "PATCH", path, body: changeOf(draft) })
  }
  const secret = change.data?.secret
  return (
    <form className="stack loose" onSubmit={submit}>
      <Field label="When it is called">
        <select
          value={draft.answer}
          onChange={({ target }) => {
            const answer = answers.find(([each]) => each === target.value)?.[0] ?? "none"
            set({ answer, value: "" })
          }}
        >
          {answers.map(([answer, word]) => (
            <option key={answer} value={answer}>
              {word}
            </option>
          ))}
        </select>
      </Field>
      <Destination draft={draft} set={set} />
      <Rest draft={draft} set={set} />
      {admin ? (
        <Button type="submit" kind="main" disabled={change.isPending}>
          Save the routing
        </Button>
      ) : (
        <Note>Owners and admins change it. Your role can look.</Note>
      )}
      {change.isSuccess && secret === undefined && <Note tone="good">It is saved. The next call follows it.</Note>}
      {secret !== undefined && (
        <ShownOnce
          title="The secret of the events"
          label="secret"
          text="Store it where your receiver verifies signatures."
          secret={secret}
          onClose={() => change.reset()}
        />
      )}
      <Refused error={change.error} />
    </form>
  )
}

export const Routing = ({ id }: { id: string }) => {
  const path = `/v1/numbers/${id}/routing`
  const read = useRead<NumberRoutingView>(path)
  return (
    <Card title="Routing">
      <Loaded read={read} what="The routing">
        {(routing) => <Editor routing={routing} path={path} />}
      </Loaded>
    </Card>
  )
}
