// The chat-app provider of a deployment, with the simulated one for the numbers of the test network, which sandboxes
// have. Neither sees the numbers of the other.
import { isTestNumber } from "../../domain/kit/Sandbox.ts"
import { Context, Effect, Layer } from "effect"
import { ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import * as SimulatedChatApp from "./SimulatedChatApp.ts"
import { SimulatedChatAppNotices } from "./SimulatedChatAppNotices.ts"

/** `live`: the provider of all other numbers. */
export const layer = (live: Layer.Layer<ChatAppProvider>) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const simulated = yield* Layer.build(SimulatedChatApp.layer)
      const sandbox = Context.get(simulated, ChatAppProvider)
      const real = Context.get(yield* Layer.build(live), ChatAppProvider)
      const of = (number: string) => (isTestNumber(number) ? sandbox : real)
      const provider = ChatAppProvider.of({
        read: (number) => of(number).read(number),
        write: (number, settings) => of(number).write(number, settings),
        // The simulated provider knows its numbers by themselves.
        numberOf: (id) => of(id).numberOf(id),
        account: (number) => of(number).account(number),
        provision: (number) => of(number).provision(number)
      })
      return Context.make(ChatAppProvider, provider).pipe(
        Context.add(SimulatedChatAppNotices, Context.get(simulated, SimulatedChatAppNotices))
      )
    })
  )
