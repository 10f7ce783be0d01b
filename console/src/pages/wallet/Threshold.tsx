import { type FormEvent, useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { WalletBalance } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Refused } from "../../ui/States.tsx"

/** Below which balance the workspace is warned. */
export const Threshold = ({ balance, onClose }: { balance: WalletBalance; onClose: () => void }) => {
  const [amount, setAmount] = useState(String(balance.low_balance_threshold_minor / 100))
  const change = useChange(["/v1/wallet"])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { low_balance_threshold_minor: Math.round(Number(amount) * 100) }
    change.mutate({ method: "PATCH", path: "/v1/wallet", body }, { onSuccess: onClose })
  }
  return (
    <Modal open onClose={onClose} title="Warning of a low balance">
      <form className="stack loose" onSubmit={submit}>
        <Field
          label={`Warn below, in ${balance.currency}`}
          hint="The event wallet.low_balance is sent once each time the balance falls below it."
        >
          <input
            inputMode="decimal"
            required
            pattern="\d{1,9}(\.\d{1,2})?"
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
          />
        </Field>
        <Button type="submit" kind="main" wide disabled={change.isPending}>
          Save
        </Button>
        <Refused error={change.error} />
      </form>
    </Modal>
  )
}
