// Paying in: a prompt on a phone, or a page for a card.
import { type FormEvent, useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { TopUpRecord } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Field, Segmented } from "../../ui/Field.tsx"
import { moneyText, wordsOf } from "../../ui/Format.ts"
import { Modal } from "../../ui/Modal.tsx"
import { Note, Refused } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { plainNumber } from "../../ui/PlainNumber.ts"

const ways = [
  ["mobilemoney", "Mobile money"],
  ["card", "Card"]
] as const

/** The top-up as it stands, until it is over. */
const Progress = ({ started }: { started: TopUpRecord }) => {
  const { data } = useRead<TopUpRecord>(`/v1/topups/${started.topup_id}`, { every_ms: 1_000 })
  const { amount_minor, currency, failure_code, failure_message, payment_url, status } = data ?? started
  return (
    <div className="stack loose" role="status">
      <Status of={status} pill />
      {status === "pending" && payment_url !== null && (
        <a href={payment_url} target="_blank" rel="noreferrer">
          Open the page to pay on
        </a>
      )}
      {status === "pending" && payment_url === null && (
        <p>
          The phone shows a prompt for {moneyText(amount_minor, currency)}. The wallet is credited when it is confirmed.
        </p>
      )}
      {status === "succeeded" && <Note tone="good">{moneyText(amount_minor, currency)} are in the wallet.</Note>}
      {failure_code !== null && (
        <Note tone="bad">
          <b>{wordsOf(failure_code)}.</b> {failure_message} Nothing was credited.
        </Note>
      )}
    </div>
  )
}

export const TopUp = ({ currency, onClose }: { currency: string; onClose: () => void }) => {
  const [provider, setProvider] = useState<"mobilemoney" | "card">("mobilemoney")
  const [amount, setAmount] = useState("500")
  const [phone, setPhone] = useState("")
  const start = useChange<TopUpRecord>(["/v1/topups", "/v1/wallet"])
  const amount_minor = Math.round(Number(amount) * 100)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (start.isPending) return
    const body = {
      provider,
      amount_minor,
      currency,
      ...(provider === "mobilemoney" && { phone_e164: plainNumber(phone) })
    }
    start.mutate({ method: "POST", path: "/v1/topups", body })
  }
  return (
    <Modal open onClose={onClose} title="Top up">
      {start.data !== undefined ? (
        <>
          <Progress started={start.data} />
          <Button onClick={onClose}>Close</Button>
        </>
      ) : (
        <form className="stack loose" onSubmit={submit}>
          <Segmented label="How" options={ways} value={provider} onChange={setProvider} />
          <Field label={`Amount in ${currency}`}>
            <input
              inputMode="decimal"
              required
              pattern="\d{1,9}(\.\d{1,2})?"
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
            />
          </Field>
          {provider === "mobilemoney" && (
            <Field label="Phone that pays" hint="It shows a prompt, and need not be yours.">
              <input
                type="tel"
                required
                placeholder="+254 7…"
                value={phone}
                onChange={({ target }) => setPhone(target.value)}
              />
            </Field>
          )}
          <Button type="submit" kind="main" wide disabled={start.isPending}>
            {Number.isFinite(amount_minor) && amount_minor > 0
              ? `Ask for ${moneyText(amount_minor, currency)}`
              : "Ask for the payment"}
          </Button>
          <Refused error={start.error} />
        </form>
      )}
    </Modal>
  )
}
