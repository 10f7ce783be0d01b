// Stored rows that contain a sealed secret.

/** The types of actors with stored secrets, and providers, which are no actors. */
export const sealedKinds = ["Workspace", "Subscription", "SipCredentials", "SipTrunk", "Provider"] as const

export type SealedKind = (typeof sealedKinds)[number]

export interface SealedRow {
  readonly id: string
  /** The whole row, as JSON. */
  readonly row: string
}
