/** A rule that does not hold. Its message begins with the rule. */
export class Breach extends Error {}

const evidenceMax = 3_000

export const must = (holds: boolean, rule: string, evidence: unknown = ""): void => {
  if (!holds) throw new Breach(`${rule}: ${(JSON.stringify(evidence) ?? "").slice(0, evidenceMax)}`)
}
