import { type FormEvent, useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { ApiKeyRecord } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Ticks } from "../../ui/Choices.tsx"
import { Field, Segmented } from "../../ui/Field.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { ShownOnce } from "../../ui/ShownOnce.tsx"
import { Refused } from "../../ui/States.tsx"

type Scope = ApiKeyRecord["scopes"][number]

/** All scopes of docs/api-keys.md: the compiler refuses a scope that is missing here. */
const everyScope: Readonly<Record<Scope, true>> = {
  "calls.read": true,
  "calls.write": true,
  "recordings.read": true,
  "recordings.write": true,
  "numbers.read": true,
  "numbers.write": true,
  "sip_credentials.read": true,
  "sip_credentials.write": true,
  "sip_trunk.read": true,
  "sip_trunk.write": true,
  "wallet.read": true,
  "wallet.write": true,
  "webhooks.read": true,
  "webhooks.write": true,
  "storage.read": true,
  "storage.write": true,
  "chatapp.read": true,
  "chatapp.write": true,
  "webrtc.token": true,
  "audit.read": true
}
const scopes = Object.keys(everyScope) as ReadonlyArray<Scope>

const modes = [
  ["live", "Live"],
  ["test", "Test"]
] as const

export const NewKey = ({ onClose }: { onClose: () => void }) => {
  const [label, setLabel] = useState("")
  const [env, setEnv] = useState<"live" | "test">("live")
  const [chosen, setChosen] = useState<ReadonlyArray<Scope>>(["calls.read", "calls.write"])
  const create = useChange<ApiKeyRecord & { readonly key: string }>(["/v1/api-keys"])
  if (create.data) {
    return (
      <ShownOnce
        title="The new key"
        label="key"
        text="Store it where your program reads it, and nowhere else."
        secret={create.data.key}
        onClose={onClose}
      />
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    create.mutate({ method: "POST", path: "/v1/api-keys", body: { label, env, scopes: chosen } })
  }
  return (
    <Modal open onClose={onClose} title="Create a key">
      <form className="stack loose" onSubmit={submit}>
        <Field label="Name" hint="So that you recognise it later.">
          <input required maxLength={100} value={label} onChange={({ target }) => setLabel(target.value)} />
        </Field>
        <Segmented label="Mode" options={modes} value={env} onChange={setEnv} />
        <Ticks
          legend="What it may do"
          all={scopes.map((scope) => [scope, scope] as const)}
          chosen={chosen}
          onChange={setChosen}
        />
        <p className="dim">It is valid for a year.</p>
        <Button type="submit" kind="main" wide disabled={create.isPending || chosen.length === 0}>
          Create it, and show it once
        </Button>
        <Refused error={create.error} />
      </form>
    </Modal>
  )
}
