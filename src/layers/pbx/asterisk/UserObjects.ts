// A device's user, as Asterisk has it: how it proves itself, where it can be reached, and what its calls are like.
import { type EndpointOf, media, type SipObject, type TenantActionOf } from "./Provisioning.ts"

/** How long a device stays registered, unless it says so again. */
export const registered_seconds = 600

/** Of the other password, which is good for a while beside the new one. */
const formerId = (username: string): string => `${username}-former`

export const putUser = (action: TenantActionOf<"registrar.put">, of: EndpointOf): ReadonlyArray<SipObject> => {
  const { max_contacts, password, previous_password, username } = action
  const former = formerId(username)
  const auth = (id: string, password: string): SipObject => ({ type: "auth", id, fields: { auth_type: "userpass", username, password } })
  const endpoint = {
    ...media(of),
    aors: username,
    auth: previous_password === undefined ? username : `${username},${former}`,
    context: "from-user",
    allow: "ulaw,alaw,g722,opus"
  }
  return [
    auth(username, password),
    previous_password === undefined ? { type: "auth", id: former } : auth(former, previous_password),
    {
      type: "aor",
      id: username,
      fields: { max_contacts, remove_existing: "yes", minimum_expiration: 60, default_expiration: registered_seconds, maximum_expiration: registered_seconds }
    },
    { type: "endpoint", id: username, fields: endpoint }
  ]
}

/** Whoever was registered is not called any more, and must not come in again. */
export const deleteUser = (username: string): ReadonlyArray<SipObject> => [
  { type: "endpoint", id: username },
  { type: "aor", id: username },
  { type: "auth", id: formerId(username) },
  { type: "auth", id: username }
]
