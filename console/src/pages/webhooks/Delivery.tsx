// One delivery: what is sent, each attempt with its answer, and when the next one is due.
import { useChange, useRead } from "../../api/Hooks.ts"
import type { ListedDelivery, WebhookDeliveryWithBody } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { offsetText, wordsOf } from "../../ui/Format.ts"
import { Document } from "../../ui/Json.tsx"
import { Loaded, Refused } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Values.tsx"
import styles from "./Webhooks.module.css"

type Attempt = WebhookDeliveryWithBody["attempt_log"][number]

const Attempts = ({ attempts }: { attempts: ReadonlyArray<Attempt> }) => (
  <ol className={styles.attempts} aria-label="Attempts">
    {attempts.map((attempt, index) => (
      <li key={attempt.at}>
        <div className="row wrap">
          <b>{index + 1}.</b>
          <Status
            of={attempt.error === null ? "succeeded" : "failed"}
            word={attempt.http_status === null ? "No answer" : String(attempt.http_status)}
          />
          <Time at={attempt.at} />
          <span className="faint num">{offsetText(attempt.duration_ms)}</span>
          {attempt.error !== null && <span className="dim">{wordsOf(attempt.error)}</span>}
        </div>
        {attempt.response_excerpt !== null && attempt.response_excerpt !== "" && (
          <Document label={`Answer to attempt ${index + 1}`} text={attempt.response_excerpt} />
        )}
      </li>
    ))}
  </ol>
)

const Sent = ({ delivery: { attempt_log, body } }: { delivery: WebhookDeliveryWithBody }) => (
  <>
    <h3>Request</h3>
    {body === null ? <p className="dim">The event is no longer stored.</p> : <Document label="Request" text={body} />}
    <h3>Attempts</h3>
    {attempt_log.length === 0 ? <p className="dim">It was not sent yet.</p> : <Attempts attempts={attempt_log} />}
  </>
)

export const Delivery = ({ delivery, onClose }: { delivery: ListedDelivery; onClose: () => void }) => {
  const { admin } = usePermissions()
  const retry = useChange(["/v1/webhooks"])
  const path = `/v1/webhooks/${delivery.subscription_id}/deliveries/${delivery.id}`
  const over = delivery.status === "succeeded" || delivery.status === "dead_letter"
  const read = useRead<WebhookDeliveryWithBody>(path, { every_ms: over ? false : 3_000 })
  const repeatable = !over && delivery.status !== "in_flight"
  return (
    <Card
      title={delivery.event_kind}
      note={<Status of={delivery.status} />}
      acts={<IconButton icon="cross" label="Close the delivery" kind="bare" small onClick={onClose} />}
    >
      <div className="stack loose">
        <Facts
          facts={[
            ["Event", <CopyText key="event" text={delivery.event_id} label="id of the event" />],
            ["Delivery", <CopyText key="delivery" text={delivery.id} label="id of the delivery" />],
            [
              "Next try",
              delivery.next_attempt_at === null ? undefined : (
                <Time key="next" at={delivery.next_attempt_at} format="both" />
              )
            ]
          ]}
        />
        {admin && repeatable && (
          <Button
            icon="retry"
            disabled={retry.isPending}
            onClick={() => retry.mutate({ method: "POST", path: `${path}/retry` })}
          >
            Send it now
          </Button>
        )}
        <Refused error={retry.error} />
        <Loaded read={read} what="The delivery">
          {(whole) => <Sent delivery={whole} />}
        </Loaded>
      </div>
    </Card>
  )
}
