// What `npm run check:security` looks for: secrets in the tree, licences and advisories of the packages that are
// shipped.

export interface TextFile {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** The shapes of keys that providers document, and of this engine's own secrets. */
const shapes: ReadonlyArray<readonly [name: string, shape: RegExp]> = [
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60})/],
  ["a Slack token", /\bxox[abeprs]-[A-Za-z0-9-]{10}/],
  ["a Google API key", /\bAIza[0-9A-Za-z_-]{35}/],
  ["a Stripe live key", /\b[rs]k_live_[0-9A-Za-z]{16}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a signed token", /\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{40}/],
  ["a webhook secret", /\bwhsec_[A-Za-z0-9+/]{42,}={0,2}/]
]

/** Files whose secrets are examples: the published test vectors of webhook signatures. */
const examples: ReadonlySet<string> = new Set([
  "test/vectors/webhooks.json",
  "test/docs/WebhookSamples.program.test.ts"
])

/** One line for each kind of secret in a file. The secret itself is not repeated. */
export const secretsIn = ({ path, text }: TextFile): ReadonlyArray<string> =>
  examples.has(path)
    ? []
    : shapes.flatMap(([name, shape]) => {
        const at = text.search(shape)
        return at < 0 ? [] : [`${path}:${text.slice(0, at).split("\n").length} holds ${name}`]
      })

/** Licences that let the engine be shipped under Apache-2.0 without further duties than their notice. */
const licences: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0"
])

interface LockedPackage {
  readonly license?: string
  readonly dev?: boolean
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** The packages that are shipped under a licence that is not allowed, or under none. */
export const refusedLicences = ({ packages }: Lock): ReadonlyArray<string> =>
  Object.entries(packages).flatMap(([path, { dev, license }]) =>
    path === "" || dev === true || (license !== undefined && licences.has(license))
      ? []
      : [`${path.replace(/^.*node_modules\//, "")} has no allowed licence: ${license ?? "none"}`]
  )

export type Advisories =
  | { readonly _tag: "Unknown"; readonly reason: string }
  | { readonly _tag: "Known"; readonly serious: ReadonlyArray<string> }

interface AuditReport {
  readonly message?: string
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

/** Reads the output of `npm audit --json`. A registry that has no advisories to give is no failure. */
export const advisoriesOf = (output: string): Advisories => {
  let report: AuditReport
  try {
    report = JSON.parse(output) as AuditReport
  } catch {
    return { _tag: "Unknown", reason: "npm audit printed no report." }
  }
  const { message = "The registry gave no report.", vulnerabilities } = report
  if (vulnerabilities === undefined)
    return { _tag: "Unknown", reason: message.replace(/https?:\/\/\S+/g, "the registry") }
  return {
    _tag: "Known",
    serious: Object.entries(vulnerabilities).flatMap(([name, { severity }]) =>
      severity === "high" || severity === "critical" ? [`${name} has an advisory of severity ${severity}`] : []
    )
  }
}
