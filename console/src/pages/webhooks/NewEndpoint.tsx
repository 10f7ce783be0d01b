import { type FormEvent, useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { SubscriptionRecord } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Refused } from "../../ui/States.tsx"
import { EndpointSecret } from "./EndpointSecret.tsx"

export const NewEndpoint = ({ onClose }: { onClose: () => void }) => {
  const [url, setUrl] = useState("")
  const [events, setEvents] = useState("call.*")
  const create = useChange<SubscriptionRecord & { readonly secret: string }>(["/v1/webhooks"])
  if (create.data) return <EndpointSecret secret={create.data.secret} onClose={onClose} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const kinds = events.split(/[\s,]+/).filter((kind) => kind !== "")
    create.mutate({ method: "POST", path: "/v1/webhooks", body: { url, events: kinds } })
  }
  return (
    <Modal open onClose={onClose} title="Add an endpoint">
      <form className="stack loose" onSubmit={submit}>
        <Field label="URL">
          <input
            type="url"
            required
            maxLength={2048}
            placeholder="https://example.com/hooks"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
        <Field label="Events" hint="Kinds and wildcards, such as call.* or *, separated by commas.">
          <input required value={events} onChange={({ target }) => setEvents(target.value)} />
        </Field>
        <Button type="submit" kind="main" wide disabled={create.isPending}>
          Add it, and show its secret
        </Button>
        <Refused error={create.error} />
      </form>
    </Modal>
  )
}
