import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { NumberRecord } from "../../api/Types.ts"
import { Field } from "../../ui/Field.tsx"
import { PhoneField } from "../../ui/PhoneField.tsx"
import { plainNumber } from "../../ui/PlainNumber.ts"
import { FormModal } from "../../ui/FormModal.tsx"

/** Registers a number that comes over the workspace's own trunk. */
export const BringNumber = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate()
  const [number, setNumber] = useState("")
  const [label, setLabel] = useState("")
  const bring = useChange<NumberRecord>(["/v1/numbers", "/v1/workspace"])
  const body = { number: plainNumber(number), ...(label !== "" && { label }) }
  return (
    <FormModal
      title="Bring a number"
      text="Prove it first, under Caller ids. It costs no rent. Calls to it come over your trunk."
      act="Bring it"
      pending={bring.isPending}
      error={bring.error}
      onClose={onClose}
      onSubmit={() =>
        bring.mutate(
          { method: "POST", path: "/v1/numbers/byo", body },
          { onSuccess: ({ id }) => void navigate({ to: "/numbers/$id", params: { id } }) }
        )
      }
    >
      <PhoneField value={number} onChange={setNumber} />
      <Field label="Name" hint="For people. It may be empty.">
        <input maxLength={64} value={label} onChange={({ target }) => setLabel(target.value)} />
      </Field>
    </FormModal>
  )
}
