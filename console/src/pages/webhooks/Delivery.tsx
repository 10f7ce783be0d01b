// One delivery: its attempts, what was answered to each, and when the next one is due.
import { useChange } from "../../api/Hooks.ts"
import type { DeliveryRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { offsetText, wordsOf } from "../../ui/Format.ts"
import { Document } from "../../ui/Json.tsx"
import { Refused } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Values.tsx"
import styles from "./Webhooks.module.css"

export const Delivery = ({ delivery, onClose }: { delivery: DeliveryRecord; onClose: () => void }) => {
  const { admin } = usePermissions()
  const retry = useChange(["/v1/webhooks"])
  const path = `/v1/webhooks/${delivery.subscription_id}/deliveries/${delivery.id}/retry`
  const repeatable = delivery.status !== "succeeded" && delivery.status !== "in_flight"
  return (
    <Card
      title={delivery.event_kind}
      note={<Status of={delivery.status} />}
      acts={<IconButton icon="cross" label="Close the delivery" kind="bare" small onClick={onClose} />}
    >
      <div className="stack loose">
        <dl className={styles.facts}>
          <dt>Event</dt>
          <dd>
            <CopyText text={delivery.event_id} label="id of the event" />
          </dd>
          <dt>Delivery</dt>
          <dd>
            <CopyText text={delivery.id} label="id of the delivery" />
          </dd>
          {delivery.next_attempt_at !== null && (
            <>
              <dt>Next try</dt>
              <dd>
                <Time at={delivery.next_attempt_at} format="both" />
              </dd>
            </>
          )}
        </dl>
        <ol className={styles.attempts} aria-label="Attempts">
          {delivery.attempt_log.map((attempt, index) => (
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
        {delivery.attempt_log.length === 0 && <p className="dim">It was not sent yet.</p>}
        {admin && repeatable && (
          <Button icon="retry" disabled={retry.isPending} onClick={() => retry.mutate({ method: "POST", path })}>
            Send it now
          </Button>
        )}
        <Refused error={retry.error} />
      </div>
    </Card>
  )
}
