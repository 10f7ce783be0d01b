import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { startOption } from "../../src/app/StartOptions.ts"

it.each([
  [[], undefined],
  [["--check"], "--check"],
  [["--help"], "--help"],
  [["--check", "--help"], "--help"]
] as const)("a start takes %j", (args, option) => {
  assert.deepStrictEqual(startOption(args), Result.succeed(option))
})

it.each([
  [["--chek"], "Option --chek does not exist. Did you mean --check?"],
  [["--check", "--halp"], "Option --halp does not exist. Did you mean --help?"],
  [["serve"], "Option serve does not exist. npm start -- --help lists the configuration."]
] as const)("a start refuses %j before it opens anything", (args, problem) => {
  assert.deepStrictEqual(startOption(args), Result.fail(problem))
})
