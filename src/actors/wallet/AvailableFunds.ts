// What a wallet has left once money was set aside: the call goes by it in what it lets its PBX do.
import type { Held } from "../../domain/wallet/WalletCommand.ts"

export interface AvailableFunds {
  readonly available_minor?: number
}

export const availableFunds = ({ available_minor }: Held): AvailableFunds =>
  available_minor === undefined ? {} : { available_minor }
