import { useNavigate } from "@tanstack/react-router"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { AvailableNumber, NumberRecord, WalletBalance } from "../../api/Types.ts"
import { useWorkspace } from "../../shell/Session.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { moneyText, phoneText } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { Note } from "../../ui/States.tsx"
import { Money } from "../../ui/Values.tsx"

/** What a claim costs, and what it decides, before it is made. */
export const ClaimNumber = ({ number, onClose }: { number: AvailableNumber; onClose: () => void }) => {
  const navigate = useNavigate()
  const { data: workspace } = useWorkspace()
  const { data: balance } = useRead<WalletBalance>("/v1/wallet/balance")
  const claim = useChange<NumberRecord>(["/v1/numbers", "/v1/wallet", "/v1/workspace"])
  const { currency, inbound_per_min_minor, monthly_price_minor, outbound_per_min_minor, setup_price_minor } = number
  const total = setup_price_minor + monthly_price_minor
  const short = balance !== undefined && balance.available_minor < total
  const submit = () =>
    claim.mutate(
      { method: "POST", path: `/v1/numbers/${number.inventory_id}/claim` },
      { onSuccess: ({ id }) => void navigate({ to: "/numbers/$id", params: { id } }) }
    )
  return (
    <FormModal
      title={`Claim ${phoneText(number.number)}?`}
      act={`Claim it, and pay ${moneyText(total, currency)}`}
      pending={claim.isPending}
      error={claim.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Facts
        facts={[
          ["Now", <Money key="now" minor={total} currency={currency} />],
          ["Each month", <Money key="month" minor={monthly_price_minor} currency={currency} />],
          ["A minute in", <Money key="in" minor={inbound_per_min_minor} currency={currency} />],
          [
            "A minute out",
            outbound_per_min_minor === null ? (
              "the rate of the destination"
            ) : (
              <Money key="out" minor={outbound_per_min_minor} currency={currency} />
            )
          ]
        ]}
      />
      {workspace?.number_mode === "unset" && (
        <Note tone="wait">
          <b>The first claim decides for ever.</b> After it this workspace cannot bring its own numbers over a SIP
          trunk.
        </Note>
      )}
      {short && (
        <Note tone="bad">
          <b>The wallet has too little.</b> {moneyText(balance.available_minor, currency)} can be spent. Top up first.
        </Note>
      )}
    </FormModal>
  )
}
