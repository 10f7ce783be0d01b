// The contract of gateways, where the engine connects to Asterisk.
import { describe } from "@effect/vitest"
import { fulfilsTheContract } from "./support/AsteriskContract.ts"

describe("Asterisk", () => fulfilsTheContract("Asterisk", "engine"))
