import { Context, type Effect } from "effect"
import type { ServiceEntry } from "../../targets/HostCheck.ts"

/** Asks DNS for the addresses of hosts that customers name. */
export class HostResolver extends Context.Service<
  HostResolver,
  {
    /** The addresses of a name, or the address itself. Empty: there is no such host, or no name server answers. */
    readonly addresses: (host: string) => Effect.Effect<ReadonlyArray<string>>
    /** The entries of a service such as `_sip._udp.example.com`, the preferred one first. Empty: there are none. */
    readonly services: (name: string) => Effect.Effect<ReadonlyArray<ServiceEntry>>
  }
>()("trunkline/domain/ports/HostResolver") {}
