// The kept answer of a request that made a secret: the secret stands in it sealed, so that the kept answer can be
// replayed and yet holds nothing worth stealing.
import { secretBound } from "../domain/webhooks/SecretBound.ts"
import type { SubscriptionCommand, SubscriptionReply } from "../domain/webhooks/SubscriptionCommand.ts"
import type { SubscriptionRecord } from "../domain/webhooks/SubscriptionRecord.ts"
import type { Vault } from "../domain/ports/Vault.ts"
import type { Answer } from "./runtime/Definition.ts"

/** Carries the sealed secret beside the body. It is taken out before an answer is sent. */
const sealHeader = "x-sealed"

/** The body of the 201, the first time and every other. */
export const createdBody = (record: SubscriptionRecord, secret: string): string => JSON.stringify({ ...record, secret })

/** Where a subscription can be read. */
export const createdLocation = ({ id }: SubscriptionRecord): string => `/v1/webhooks/${id}`

export const sealedAnswer = (command: SubscriptionCommand, reply: SubscriptionReply): Answer => {
  const sealed = command._tag === "Create" ? command.facts.secret : null
  const record = reply._tag === "Created" ? reply.record : undefined
  return {
    status: 201,
    body: JSON.stringify(record ?? {}),
    headers: { ...(record && { location: createdLocation(record) }), ...(sealed !== null && { [sealHeader]: sealed }) }
  }
}

/** A kept answer as its caller gets it; one without a seal comes back as it is. */
export const openAnswer = <A extends Answer>(vault: Vault["Service"], workspace_id: string, answer: A): A => {
  const { [sealHeader]: sealed, ...headers } = answer.headers
  if (sealed === undefined) return answer
  const record = JSON.parse(answer.body) as SubscriptionRecord
  const secret = vault.open(sealed, secretBound(record.id, workspace_id))
  return { ...answer, headers, body: secret === undefined ? answer.body : createdBody(record, secret) }
}
