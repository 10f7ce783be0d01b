import { fulfilsTheContract } from "./support/AsteriskContract.ts"

fulfilsTheContract("Asterisk that connects to the engine", "asterisk")
