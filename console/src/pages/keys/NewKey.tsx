import { type FormEvent, useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { ApiKeyRecord } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { Field, Segmented } from "../../ui/Field.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Note, Refused } from "../../ui/States.tsx"
import styles from "./Keys.module.css"

/** As docs/api-keys.md lists them. The compiler holds them against the contract. */
const scopes: ReadonlyArray<ApiKeyRecord["scopes"][number]> = [
  "calls.read",
  "calls.write",
  "recordings.read",
  "recordings.write",
  "numbers.read",
  "numbers.write",
  "sip_credentials.read",
  "sip_credentials.write",
  "sip_trunk.read",
  "sip_trunk.write",
  "wallet.read",
  "wallet.write",
  "webhooks.read",
  "webhooks.write",
  "storage.read",
  "storage.write",
  "chatapp.read",
  "chatapp.write",
  "webrtc.token",
  "audit.read"
]

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
