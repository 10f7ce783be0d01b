// What a wallet has left once money was set aside: the call goes by it in what it lets its PBX do.
import type { WalletReply } from "../domain/wallet/WalletCommand.ts"

export interface Left {
  readonly available_minor?: number
}

export const left = (reply: WalletReply): Left =>
  reply._tag === "Held" && reply.available_minor !== undefined ? { available_minor: reply.available_minor } : {}
