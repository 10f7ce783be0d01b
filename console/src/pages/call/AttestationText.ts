import type { CallRecord } from "../../api/Types.ts"

type Stated = NonNullable<CallRecord["attestation"]>

export interface AttestationText {
  readonly label: string
  readonly meaning: string
}

const texts: Readonly<Record<Stated, AttestationText>> = {
  A: { label: "verified", meaning: "Verified: the caller's carrier says that the caller may use this number." },
  B: { label: "partly verified", meaning: "The caller's carrier knows the caller, but not whose number this is." },
  C: { label: "gateway verified", meaning: "The carrier only knows where the call entered its network." },
  passed: { label: "verified", meaning: "Verified, at a level that the trunk does not tell." },
  failed: {
    label: "verification failed",
    meaning: "The network's check of this number failed: it is probably forged."
  },
  not_validated: { label: "unverified", meaning: "The network did not check this number." }
}

/** What the network says of the caller's number, in words. Undefined: nothing. */
export const attestationText = ({ attestation }: Pick<CallRecord, "attestation">): AttestationText | undefined =>
  attestation ? texts[attestation] : undefined
