// The contract of gateways, where Asterisk connects to the engine.
import { describe } from "@effect/vitest"
import { fulfilsTheContract } from "./support/AsteriskContract.ts"

describe("Asterisk that connects to the engine", () =>
  fulfilsTheContract("Asterisk that connects to the engine", "asterisk"))
