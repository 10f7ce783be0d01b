// One number: what happens when it is called, the phones that register with it, and its calls in the chat app.
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import { ApiError } from "../../api/Request.ts"
import type { NumberRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { phoneText, wordsOf } from "../../ui/Format.ts"
import { PageHead } from "../../ui/PageHead.tsx"
import { Loaded, Note, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Fact, Strip } from "../../ui/Strip.tsx"
import { Money, Time } from "../../ui/Values.tsx"
import { ChatApp } from "./ChatApp.tsx"
import { Credentials } from "./Credentials.tsx"
import { Routing } from "./Routing.tsx"

const priceFacts = (number: NumberRecord): ReadonlyArray<Fact> => {
  const { currency, inbound_per_min_minor, monthly_price_minor, outbound_per_min_minor } = number
  return [
    ...(monthly_price_minor === null
      ? []
      : [{ label: "A month", value: <Money minor={monthly_price_minor} currency={currency} /> }]),
    ...(inbound_per_min_minor === null
      ? []
      : [{ label: "A minute in", value: <Money minor={inbound_per_min_minor} currency={currency} /> }]),
    ...(outbound_per_min_minor === null
      ? []
      : [{ label: "A minute out", value: <Money minor={outbound_per_min_minor} currency={currency} /> }])
  ]
}

const factsOf = (number: NumberRecord): ReadonlyArray<Fact> => [
  { label: "Kind", value: wordsOf(number.type), small: `${number.country}, ${number.capabilities.join(", ")}` },
  ...priceFacts(number),
  ...(number.renews_at === null ? [] : [{ label: "Renews", value: <Time at={number.renews_at} format="date" /> }])
]

/** What an unpaid number has to fear (docs/numbers.md). */
const Unpaid = ({ number }: { number: NumberRecord }) =>
  number.status === "past_due" ? (
    <Note tone="wait">
      <b>Its rent is not paid.</b> Seven days after it fell due the number is suspended. Top up: the rent is tried again
      each day.
    </Note>
  ) : number.status === "suspended" ? (
    <Note tone="bad">
      <b>It is suspended: no call goes through.</b> Top up before it is released, 30 days after its suspension.
    </Note>
  ) : null

const OneNumber = ({ number }: { number: NumberRecord }) => {
  const { admin } = usePermissions()
  const navigate = useNavigate()
  const [releasing, setReleasing] = useState(false)
  const own = number.source === "byo"
  const over = number.status === "released" || number.status === "retired"
  return (
    <>
      <PageHead
        title={phoneText(number.number)}
        text={number.label ?? undefined}
        acts={
          <>
            <Status of={number.status} pill />
            {admin && !over && <Button onClick={() => setReleasing(true)}>{own ? "Remove" : "Release"}</Button>}
          </>
        }
      />
      <Unpaid number={number} />
      <Strip facts={factsOf(number)} />
      {over ? (
        <Note>It is not the workspace's any more.</Note>
      ) : (
        <div className="cols halves">
          <Routing key={number.id} id={number.id} />
          <Credentials id={number.id} />
        </div>
      )}
      {!over && <ChatApp id={number.id} />}
      {releasing && (
        <Confirm
          title={`${own ? "Remove" : "Release"} ${phoneText(number.number)}?`}
          text={
            own
              ? "Calls to it are no longer taken. You can bring it again."
              : "Its calls end, nothing is refunded, and anybody can claim it after 30 days."
          }
          act={own ? "Remove the number" : "Release the number"}
          method={own ? "DELETE" : "POST"}
          path={own ? `/v1/numbers/byo/${number.id}` : `/v1/numbers/${number.id}/release`}
          stale={["/v1/numbers"]}
          onClose={() => setReleasing(false)}
          onDone={() => void navigate({ to: "/numbers" })}
        />
      )}
    </>
  )
}

const NumberPage = () => {
  const { id } = useParams({ from: "/numbers/$id" })
  const read = useRead<NumberRecord>(`/v1/numbers/${encodeURIComponent(id)}`)
  if (read.error instanceof ApiError && read.error.status === 404) {
    return (
      <State whole icon="numbers" title="This workspace has no such number.">
        <Link to="/numbers">All numbers</Link>
      </State>
    )
  }
  return (
    <Loaded read={read} what="The number">
      {(number) => <OneNumber number={number} />}
    </Loaded>
  )
}

export default NumberPage
