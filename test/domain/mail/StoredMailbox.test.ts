import { mailboxState, restoreMailbox } from "../../../src/domain/mail/Mailbox.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Mailbox", {
  state: mailboxState,
  restore: restoreMailbox,
  stateOf: mailboxState.write,
  expected: (stored) => stored,
  damages: [
    ["a message without its text", '"sealed":', '"seal":', "/pending/0/sealed"],
    ["a count of attempts that is no whole number", '"attempts":1', '"attempts":1.5', "/pending/0/attempts"],
    ["no list of known messages", '"known":', '"knew":', "/known"]
  ]
})
