// The money: what can be spent, each movement of it, and paying in.
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import type { WalletBalance } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { Loaded, Note } from "../../ui/States.tsx"
import { Strip } from "../../ui/Strip.tsx"
import { Money } from "../../ui/Values.tsx"
import { Holds } from "./Holds.tsx"
import { Statement } from "./Statement.tsx"
import { Threshold } from "./Threshold.tsx"
import { TopUp } from "./TopUp.tsx"
import { TopUps } from "./TopUps.tsx"

const Figures = ({ balance }: { balance: WalletBalance }) => {
  const { available_minor, balance_minor, currency, held_minor, low_balance_threshold_minor } = balance
  return (
    <>
      <Strip
        facts={[
          {
            label: "You can spend",
            value: <Money minor={available_minor} currency={currency} />,
            small: "the balance less what is set aside"
          },
          { label: "Balance", value: <Money minor={balance_minor} currency={currency} /> },
          { label: "Set aside", value: <Money minor={held_minor} currency={currency} />, small: "for calls under way" },
          { label: "You are warned below", value: <Money minor={low_balance_threshold_minor} currency={currency} /> }
        ]}
      />
      {available_minor <= 0 && (
        <Note tone="bad">
          <b>There is no money left.</b> No call can be placed until you top up.
        </Note>
      )}
    </>
  )
}

const WalletPage = () => {
  const search = useSearch({ from: "/wallet" })
  const navigate = useNavigate({ from: "/wallet" })
  const balance = useRead<WalletBalance>("/v1/wallet/balance", { every_ms: 3_000 })
  const [paying, setPaying] = useState(false)
  const [warning, setWarning] = useState(false)
  const { admin, call } = usePermissions()
  return (
    <>
      <PageHead
        title="Wallet"
        acts={
          <>
            {admin && <Button onClick={() => setWarning(true)}>Change the warning</Button>}
            {call && (
              <Button kind="main" icon="plus" onClick={() => setPaying(true)}>
                Top up
              </Button>
            )}
          </>
        }
      />
      <Loaded read={balance} what="The balance" rows={2}>
        {(value) => (
          <>
            <Figures balance={value} />
            {paying && <TopUp currency={value.currency} onClose={() => setPaying(false)} />}
            {warning && <Threshold balance={value} onClose={() => setWarning(false)} />}
          </>
        )}
      </Loaded>
      <Statement search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
      <div className="cols halves">
        <TopUps />
        <Holds currency={balance.data?.currency} />
      </div>
    </>
  )
}

export default WalletPage
