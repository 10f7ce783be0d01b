import type { CallRecord, WalletBalance } from "../../api/Types.ts"
import { Card } from "../../ui/Card.tsx"
import { durationText, moneyText } from "../../ui/Format.ts"
import { Loaded, Note } from "../../ui/States.tsx"
import { Money, WalletBar } from "../../ui/Values.tsx"
import styles from "./Overview.module.css"

/** How long the money lasts if the live calls go on, in seconds; undefined if nothing is spent. */
const lastsFor = (available_minor: number, calls: ReadonlyArray<CallRecord>): number | undefined => {
  const perMinute = calls.reduce(
    (sum, { rate_per_min_minor, status }) => sum + (status === "answered" ? rate_per_min_minor : 0),
    0
  )
  return perMinute === 0 ? undefined : (available_minor / perMinute) * 60
}

const Line = ({ children, label }: { label: string; children: React.ReactNode }) => (
  <div className="row between">
    <dt className="dim">{label}</dt>
    <dd>{children}</dd>
  </div>
)

export const BalanceCard = (props: {
  readonly read: { data: WalletBalance | undefined; error: unknown; refetch: () => unknown }
  readonly spending: ReadonlyArray<CallRecord>
}) => (
  <Card title="Balance">
    <Loaded read={props.read} what="The balance">
      {({ available_minor, balance_minor, currency, held_minor, low_balance_threshold_minor }) => {
        const lasts = lastsFor(available_minor, props.spending)
        return (
          <div className="stack loose">
            <div>
              <div className="label">You can spend</div>
              <div className={styles.figure}>
                <Money minor={available_minor} currency={currency} />
              </div>
            </div>
            <WalletBar
              balance={balance_minor}
              held={held_minor}
              label={`Set aside: ${moneyText(held_minor, currency)} of ${moneyText(balance_minor, currency)}`}
            />
            <dl className="stack">
              <Line label="Balance">
                <Money minor={balance_minor} currency={currency} />
              </Line>
              <Line label="Set aside for calls">
                <Money minor={held_minor} currency={currency} />
              </Line>
              {lasts !== undefined && <Line label="The live calls could go on for">{durationText(lasts)}</Line>}
              <Line label="You are warned below">
                <Money minor={low_balance_threshold_minor} currency={currency} />
              </Line>
            </dl>
            {available_minor <= 0 && (
              <Note tone="bad">
                <b>There is no money left.</b> No call can be placed until you top up.
              </Note>
            )}
          </div>
        )
      }}
    </Loaded>
  </Card>
)
