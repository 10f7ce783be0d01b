import { fulfilsTheContract } from "./support/AsteriskContract.ts"

fulfilsTheContract("Asterisk", "engine")
