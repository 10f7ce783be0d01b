// What was said, and what the record of the call has besides.
import { Link } from "@tanstack/react-router"
import type { CallRecord } from "../../api/Types.ts"
import { Card } from "../../ui/Card.tsx"
import { durationText, wordsOf } from "../../ui/Format.ts"
import { Phone, Time } from "../../ui/Values.tsx"
import { attestationText } from "./AttestationText.ts"
import styles from "./CallPage.module.css"

const Metadata = ({ metadata }: Pick<CallRecord, "metadata">) =>
  Object.entries(metadata).map(([name, value]) => (
    <div key={name} className={styles.pair}>
      <dt className="mono">{name}</dt>
      <dd>{value}</dd>
    </div>
  ))

const optional = (label: string, value: React.ReactNode) =>
  value !== null &&
  value !== undefined && (
    <div className={styles.pair}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )

export const CallDetails = ({ call }: { call: CallRecord }) => {
  const attested = attestationText(call)
  return (
    <Card title="Record">
      <dl className={styles.proof}>
        {optional("Placed", <Time at={call.created_at} format="millisecond" />)}
        {optional("Rang", call.ringing_at && <Time at={call.ringing_at} format="millisecond" />)}
        {optional("Answered", call.answered_at && <Time at={call.answered_at} format="millisecond" />)}
        {optional("Ended", call.ended_at && <Time at={call.ended_at} format="millisecond" />)}
        {optional("Shown as caller", <Phone number={call.caller_id} />)}
        {optional(
          "Caller's number",
          attested && (
            <>
              {attested.meaning}
              <small>STIR/SHAKEN: {call.attestation}</small>
            </>
          )
        )}
        {optional("Answered by", call.answered_by && wordsOf(call.answered_by))}
        {optional("SIP response", call.sip_code)}
        {optional("Rings at most", durationText(call.timeout_seconds))}
        {optional("Talks at most", durationText(call.max_duration_seconds))}
        {call.child_call_ids.length > 0 &&
          optional(
            call.child_call_ids.length === 1 ? "Leg" : "Legs",
            <span className="row wrap">
              {call.child_call_ids.map((id) => (
                <Link key={id} to="/calls/$id" params={{ id }} className="mono">
                  …{id.slice(-8)}
                </Link>
              ))}
            </span>
          )}
        <Metadata metadata={call.metadata} />
      </dl>
    </Card>
  )
}
