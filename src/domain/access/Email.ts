// An e-mail address as accounts know it: in lower case, so that one mailbox is one person.
import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"

/** RFC 5321, section 4.5.3.1. */
const length_max = 254
const atext = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
/** A dot-atom of at most 64 characters at a domain with a dot; names beyond ASCII as Punycode (RFC 5890). */
const address = new RegExp(`^(?=[^@]{1,64}@)${atext}(?:\\.${atext})*@(?:${label}\\.)+${label}$`)

/** `field` is where the address stands in the request, as a JSON pointer. */
export const readEmail = (text: string, field = "/email"): Result.Result<string, BadRequest> => {
  const email = text.trim().toLowerCase()
  if (email.length <= length_max && address.test(email)) return Result.succeed(email)
  const message = "This is no e-mail address."
  return Result.fail(new BadRequest({ message, details: [{ field, code: "invalid_email", message }] }))
}
