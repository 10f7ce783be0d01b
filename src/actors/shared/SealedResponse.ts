// Stored responses that show a secret once. The secret is stored encrypted, so a response can be replayed byte for byte
// although the database does not contain the secret in the clear.
import type { Vault } from "../../domain/ports/engine/Vault.ts"
import type { Answer } from "../runtime/Definition.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** The header that carries the sealed secret: its place, then the sealed text. Removed before a response is sent. */
const sealHeader = "x-sealed"

/** Where a secret is stored, as "table/column". The column is also its member in the response. */
export type SecretPlace = `${string}/${string}`

/** The text that binds a sealed secret to its place, its row and its workspace. */
export const sealContext = (place: SecretPlace, id: string, workspace_id: WorkspaceId): string =>
  `${place}/${id}/${workspace_id}`

/** Headers for a stored response whose body has the `id` of the row but not the secret, which is sealed here. */
export const sealedIn = (place: SecretPlace, sealed: string): Answer["headers"] => ({
  [sealHeader]: `${place} ${sealed}`
})

/** The body of a response that shows a secret. The first response and its replays are equal. */
export const secretBody = <Shown extends { readonly id: string }>(
  shown: Shown,
  place: SecretPlace,
  secret: string
): string => JSON.stringify({ ...shown, [place.slice(place.indexOf("/") + 1)]: secret })

/**
 * A stored response as its client receives it, with the secret opened. One without a sealed secret is returned
 * unchanged.
 */
export const openResponse = <A extends Answer>(vault: Vault["Service"], workspace_id: WorkspaceId, answer: A): A => {
  const { [sealHeader]: seal, ...headers } = answer.headers
  if (seal === undefined) return answer
  const [place, sealed] = seal.split(" ", 2) as [SecretPlace, string]
  const shown = JSON.parse(answer.body) as { readonly id: string }
  const secret = vault.open(sealed, sealContext(place, shown.id, workspace_id))
  return { ...answer, headers, body: secret === undefined ? answer.body : secretBody(shown, place, secret) }
}
