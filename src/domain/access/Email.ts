// E-mail addresses of accounts, in lower case: one mailbox is one person.
import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"

/** RFC 5321, section 4.5.3.1. */
const maxLength = 254
const atext = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
/** A dot-atom of at most 64 characters, then a domain with a dot. International domains are in Punycode (RFC 5890). */
const address = new RegExp(`^(?=[^@]{1,64}@)${atext}(?:\\.${atext})*@(?:${label}\\.)+${label}$`)

/** Parses an address. `field` is its JSON pointer in the request, for the error. */
export const readEmail = (text: string, field = "/email"): Result.Result<string, BadRequest> => {
  const email = text.trim().toLowerCase()
  if (email.length <= maxLength && address.test(email)) return Result.succeed(email)
  const message = "This is not a valid e-mail address."
  return Result.fail(new BadRequest({ message, details: [{ field, code: "invalid_email", message }] }))
}
