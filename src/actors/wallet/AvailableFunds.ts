// Funds still available after the hold. They set the talk-time limit given to the PBX.
import type { Held } from "../../domain/wallet/WalletCommand.ts"

export interface AvailableFunds {
  readonly available_minor?: number
}

export const availableFunds = ({ available_minor }: Held): AvailableFunds =>
  available_minor === undefined ? {} : { available_minor }
