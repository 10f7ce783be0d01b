import { type FormEvent, useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { ApiKeyRecord } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { Field, Segmented } from "../../ui/Field.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Note, Refused } from "../../ui/States.tsx"
import styles from "./Keys.module.css"

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

const Minted = ({ onClose, secret }: { secret: string; onClose: () => void }) => (
  <Modal open onClose={onClose} title="The new key" acts={<Button onClick={onClose}>I have stored it</Button>}>
    <Note tone="wait">
      <b>It is shown only now.</b> Store it where your program reads it, and nowhere else.
    </Note>
    <CopyText text={secret} label="key" />
  </Modal>
)

const Scopes = (props: { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void }) => (
  <fieldset className={styles.scopes}>
    <legend>What it may do</legend>
    {scopes.map((scope) => (
      <label key={scope}>
        <input
          type="checkbox"
          checked={props.chosen.has(scope)}
          onChange={({ target }) => {
            const next = new Set(props.chosen)
            if (target.checked) next.add(scope)
            else next.delete(scope)
            props.onChange(next)
          }}
        />
        {scope}
      </label>
    ))}
  </fieldset>
)

export const NewKey = ({ onClose }: { onClose: () => void }) => {
  const [label, setLabel] = useState("")
  const [env, setEnv] = useState<"live" | "test">("live")
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(["calls.read", "calls.write"]))
  const create = useChange<ApiKeyRecord & { readonly key: string }>(["/v1/api-keys"])
  if (create.data) return <Minted secret={create.data.key} onClose={onClose} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    create.mutate({ method: "POST", path: "/v1/api-keys", body: { label, env, scopes: [...chosen] } })
  }
  return (
    <Modal open onClose={onClose} title="Create a key">
      <form className="stack loose" onSubmit={submit}>
        <Field label="Name" hint="So that you recognise it later.">
          <input required maxLength={100} value={label} onChange={({ target }) => setLabel(target.value)} />
        </Field>
        <Segmented label="Mode" options={modes} value={env} onChange={setEnv} />
        <Scopes chosen={chosen} onChange={setChosen} />
        <p className="dim">It is valid for a year.</p>
        <Button type="submit" kind="main" wide disabled={create.isPending || chosen.size === 0}>
          Create it, and show it once
        </Button>
        <Refused error={create.error} />
      </form>
    </Modal>
  )
}
