// The first workspace of a person, or another one of theirs to enter.
import { type FormEvent, useState } from "react"
import { useQueryClient } from "@tanstack/react-query"
import { useChange } from "../api/Hooks.ts"
import type { SessionView } from "../api/Types.ts"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Refused } from "../ui/States.tsx"
import { sessionPath } from "./Session.tsx"
import { Welcome } from "./Welcome.tsx"

const currencies = [
  ["KES", "Kenyan shilling"],
  ["UGX", "Ugandan shilling"],
  ["TZS", "Tanzanian shilling"],
  ["RWF", "Rwandan franc"],
  ["ZAR", "South African rand"],
  ["GHS", "Ghanaian cedi"],
  ["NGN", "Nigerian naira"]
] as const

/** The form, which leads into the workspace that it creates. */
export const NewWorkspaceForm = () => {
  const client = useQueryClient()
  const [name, setName] = useState("")
  const [currency, setCurrency] = useState("KES")
  const create = useChange([])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { method: "POST", path: "/v1/workspace", body: { name, currency } },
      { onSuccess: () => client.resetQueries({ queryKey: [sessionPath] }) }
    )
  }
  return (
    <form className="stack loose" onSubmit={submit}>
      <Field label="Name">
        <input required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Currency of the wallet" hint="It cannot be changed later.">
        <select value={currency} onChange={(event) => setCurrency(event.target.value)}>
          {currencies.map(([code, word]) => (
            <option key={code} value={code}>
              {code}, {word}
            </option>
          ))}
        </select>
      </Field>
      <Button type="submit" kind="main" wide disabled={create.isPending}>
        Create the workspace
      </Button>
      <Refused error={create.error} />
    </form>
  )
}

const NewWorkspacePage = ({ session }: { session: SessionView }) => {
  const leave = useChange([])
  return (
    <Welcome title="Create a workspace">
      <p className="dim">You are signed in as {session.user.email}. A workspace has your numbers, calls and money.</p>
      <NewWorkspaceForm />
      <Button
        kind="bare"
        icon="exit"
        onClick={() =>
          leave.mutate({ method: "POST", path: "/v1/auth/logout" }, { onSuccess: () => window.location.assign("/") })
        }
      >
        Sign out
      </Button>
    </Welcome>
  )
}

export default NewWorkspacePage
