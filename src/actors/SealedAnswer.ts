// The kept answer of a request to a subscription. A secret that the request made stands in it sealed, so that the kept
// answer can be replayed and yet holds nothing worth stealing.
import { secretBound } from "../domain/webhooks/SecretBound.ts"
import type { SubscriptionCommand, SubscriptionReply } from "../domain/webhooks/SubscriptionCommand.ts"
import type { SubscriptionRecord } from "../domain/webhooks/SubscriptionRecord.ts"
import type { Vault } from "../domain/ports/Vault.ts"
import type { Answer } from "./runtime/Definition.ts"

/** Carries the sealed secret beside the body. It is taken out before an answer is sent. */
const sealHeader = "x-sealed"

/** The body of an answer that shows a secret of the subscription `id`, the first time and every other. */
export const secretBody = <Shown extends { readonly id: string }>(shown: Shown, secret: string): string =>
  JSON.stringify({ ...shown, secret })

/** Where a subscription can be read. */
export const createdLocation = ({ id }: SubscriptionRecord): string => `/v1/webhooks/${id}`

const sealed = (secret: string | null): Answer["headers"] => (secret === null ? {} : { [sealHeader]: secret })

const plain = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body), headers: {} })

export const sealedAnswer = (command: SubscriptionCommand, reply: SubscriptionReply): Answer => {
  switch (reply._tag) {
    case "Created": {
      const secret = command._tag === "Create" ? command.facts.secret : null
      const headers = { location: createdLocation(reply.record), ...sealed(secret) }
      return { ...plain(201, reply.record), headers }
    }
    case "Rotated":
      return { ...plain(200, reply.rotation), headers: sealed(command._tag === "RotateSecret" ? command.secret : null) }
    case "Retried": return plain(202, reply.delivery)
    case "Tested": return plain(200, reply.result)
    case "Shown":
    case "Sending":
    case "Noted": return plain(200, {})
  }
}

/** A kept answer as its caller gets it; one without a seal comes back as it is. */
export const openAnswer = <A extends Answer>(vault: Vault["Service"], workspace_id: string, answer: A): A => {
  const { [sealHeader]: sealed, ...headers } = answer.headers
  if (sealed === undefined) return answer
  const shown = JSON.parse(answer.body) as { readonly id: string }
  const secret = vault.open(sealed, secretBound(shown.id, workspace_id))
  return { ...answer, headers, body: secret === undefined ? answer.body : secretBody(shown, secret) }
}
