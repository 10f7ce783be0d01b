// Kept answers that show a secret once. The secret stands in them sealed, so that an answer can be replayed byte for byte
// and yet holds nothing worth stealing.
import type { Vault } from "../../domain/ports/Vault.ts"
import type { Answer } from "../runtime/Definition.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** Carries the sealed secret beside the body: where it belongs, then the sealed text. Taken out before an answer is sent. */
const sealHeader = "x-sealed"

/** What a secret belongs to, as "table/column". The column is also its name in the answer. */
export type SecretPlace = `${string}/${string}`

/** What binds a sealed secret to its place, its row and its workspace. */
export const boundTo = (place: SecretPlace, id: string, workspace_id: WorkspaceId): string =>
  `${place}/${id}/${workspace_id}`

/** For the headers of a kept answer whose body, with the `id` of the row, lacks the secret that is sealed here. */
export const sealedIn = (place: SecretPlace, sealed: string): Answer["headers"] => ({
  [sealHeader]: `${place} ${sealed}`
})

/** The body of an answer that shows a secret, the first time and every other. */
export const secretBody = <Shown extends { readonly id: string }>(
  shown: Shown,
  place: SecretPlace,
  secret: string
): string => JSON.stringify({ ...shown, [place.slice(place.indexOf("/") + 1)]: secret })

/** A kept answer as its caller gets it; one without a seal comes back as it is. */
export const openResponse = <A extends Answer>(vault: Vault["Service"], workspace_id: WorkspaceId, answer: A): A => {
  const { [sealHeader]: seal, ...headers } = answer.headers
  if (seal === undefined) return answer
  const [place, sealed] = seal.split(" ", 2) as [SecretPlace, string]
  const shown = JSON.parse(answer.body) as { readonly id: string }
  const secret = vault.open(sealed, boundTo(place, shown.id, workspace_id))
  return { ...answer, headers, body: secret === undefined ? answer.body : secretBody(shown, place, secret) }
}
