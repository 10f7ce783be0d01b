// Writes docs/errors.md from the catalog of errors: `node scripts/docs/errors.ts`.
import { writeFile } from "node:fs/promises"
import { Families } from "../../src/domain/errors/Catalog.ts"
import type { FailureClass } from "../../src/domain/errors/Failure.ts"
import { codesWithoutAnswer, reasonsOfAddedCodes } from "./AddedCodes.ts"

const intro = `# Errors

Every error response has this body. \`doc_url\` leads to the code on the server's own page of errors. \`details\`, \`resolution\`, \`reason\` and \`suggested_e164\` are present where they help.

\`\`\`json
{
  "error": {
    "code": "validation.bad_request",
    "message": "The request is not valid.",
    "request_id": "01981d5e-7a3c-7c2e-9f0a-6f1c2b3d4e5f",
    "doc_url": "/docs/errors#validation.bad_request",
    "details": [{ "field": "/to", "code": "required", "message": "Missing." }],
    "resolution": "See \`details\` for the invalid fields."
  }
}
\`\`\`

- Branch on \`code\`, and on \`reason\` if a code has several; \`message\` is for people and may change.
- \`field\` is a JSON pointer (RFC 6901) into the request.
- \`request_id\` equals the header \`X-Request-Id\`; include it when you contact support.
- 400 means that the request is malformed, 422 that a value is not acceptable, 409 that it conflicts with the current
  state. The same request will fail again until something changes.
- A code with two statuses is answered with 503 and \`Retry-After\` while the database is away. Operations without such
  a code answer \`service_unavailable\` then.
- If a message says that it is not known whether the request is carried out, repeat it with the same \`Idempotency-Key\`:
  it is carried out once.
- Retry 429, 500, 502 and 503 with exponential backoff, not before \`Retry-After\` and with the same
  \`Idempotency-Key\`, unless the table says otherwise.

<!-- Written by scripts/docs/errors.ts from src/domain/errors. -->
`

const cell = (text: string): string => text.replaceAll("|", "\\|")

const row = ({ code, status, status_while_away, summary, resolution }: FailureClass): string =>
  `| <a id="${code}"></a>\`${code}\` | ${[status ?? "–", status_while_away ?? []].flat().join(", ")} | ${cell(summary)} | ${cell(resolution ?? "")} |`

const section = ([title, classes]: readonly [string, ReadonlyArray<FailureClass>]): string =>
  [`## ${title}`, "", "| Code | Status | Meaning | What to do |", "|---|---|---|---|", ...classes.map(row), ""].join(
    "\n"
  )

const quoted = (code: string): string => `\`${code}\``

const table = (heads: string, rows: ReadonlyArray<string>): ReadonlyArray<string> => [heads, "|---|---|", ...rows, ""]

/** The codes that the interface does not name, and those of it that are never answered. */
const beyond = (): string =>
  [
    "## Codes that the interface does not name",
    "",
    "The interface of the service has a hundred codes. The engine adds these, because it does more, or because the",
    "interface describes a refusal without a code. Treat a code that you do not know by its status.",
    "",
    ...table(
      "| Codes | Why |",
      reasonsOfAddedCodes.map(([reason, codes]) => `| ${codes.map(quoted).join(", ")} | ${cell(reason)} |`)
    ),
    "These codes of the interface are in no response of a deployment:",
    "",
    ...table(
      "| Code | Why |",
      codesWithoutAnswer.map(([code, reason]) => `| ${quoted(code)} | ${cell(reason)} |`)
    )
  ].join("\n")

/** The whole page. A code without a status never appears in an HTTP response. */
export const render = (): string => [intro, ...Families.map(section), beyond()].join("\n")

if (import.meta.main) await writeFile(new URL("../../docs/errors.md", import.meta.url), render())
