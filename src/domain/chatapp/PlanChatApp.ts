// The work of a number in the chat app.
import { deadline, task, type Work } from "../Decision.ts"
import type { ChatApp, Removal, Trunk } from "./ChatApp.ts"
import type { ChatAppMessage } from "./ChatAppCommand.ts"

export type ChatAppWork =
  /** Asks the provider for the trunk. */
  | { readonly _tag: "ProvisionTrunk"; readonly attempt: number; readonly number: string }
  /** Sets up the trunk on the PBX. */
  | { readonly _tag: "SetUpTrunk"; readonly generation: number }
  | { readonly _tag: "ProbeTrunk"; readonly generation: number; readonly probe: number }
  | ({ readonly _tag: "RemoveTrunk" } & Removal)
  /** Sets up the trunk again on a PBX that has come back. */
  | { readonly _tag: "Resync"; readonly epoch: number }
  /** Resets the settings of a former workspace at the provider, so that the number can no longer be called there. */
  | { readonly _tag: "TurnOff"; readonly number: string }

type Planned = Work<ChatAppMessage, ChatAppWork>

/** How long a probe may take. */
const probe_ms = 12_000

const ofStage = (number: string, trunk: Trunk): ReadonlyArray<Planned> => {
  const { attempts, generation, next_retry_at, probe, probed_at } = trunk
  switch (trunk.stage) {
    case "provider":
      return [task(`provision:${attempts}`, { _tag: "ProvisionTrunk", attempt: attempts, number })]
    case "setting_up":
      return [task(`set_up:${generation}`, { _tag: "SetUpTrunk", generation })]
    case "probing":
      return [
        task(`probe:${generation}:${probe}`, { _tag: "ProbeTrunk", generation, probe }),
        deadline(`probe_over:${generation}:${probe}`, probed_at + probe_ms, { _tag: "EndProbe", generation, probe })
      ]
    case "settled":
      return next_retry_at === null ? [] : [deadline(`retry:${attempts}`, next_retry_at, { _tag: "RetryDue" })]
  }
}

export const planChatApp = ({
  number,
  removing,
  restored_epoch,
  returned_epoch,
  trunk,
  turning_off
}: ChatApp): ReadonlyArray<Planned> => [
  ...(trunk === null ? [] : ofStage(number, trunk)),
  ...removing.map((removal) => task(`remove:${removal.trunk_id}`, { _tag: "RemoveTrunk" as const, ...removal })),
  ...(returned_epoch === restored_epoch
    ? []
    : [task(`resync:${returned_epoch}`, { _tag: "Resync" as const, epoch: returned_epoch })]),
  ...(turning_off ? [task("turn_off", { _tag: "TurnOff" as const, number })] : [])
]
