// The media streams of a call: what must be under way for them, what their reports mean, and how the script goes on.
import { Result } from "effect"
import { deadline, type Deadline, type Task, task } from "../../Decision.ts"
import type { PbxCommand } from "../../pbx/PbxCommand.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import {
  isOpen,
  maxStream_seconds,
  type CallStream,
  modeOf,
  type StreamAction,
  type StreamEvent,
  StreamResult,
  streamResult
} from "../../streams/CallStream.ts"
import type { AnsweredCall, Call, PlacedCall } from "../state/Call.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { completed } from "./EndCall.ts"
import { parseVoiceActions, type VoiceActionFault } from "../verbs/ParseVoiceActions.ts"
import { startStreamCommand, stopStreamCommand } from "../state/PbxCommands.ts"
import { actionFinished } from "./ScriptSteps.ts"
import { misplacedOnceAnswered, unsupportedAction, type VoiceAction } from "../verbs/VoiceAction.ts"

type Events = ReadonlyArray<CallEvent>

/** A deadline: the PBX has not reported the end of the stream. */
export interface StreamUnreported {
  readonly _tag: "StreamUnreported"
  readonly stream_id: string
}

const none: ReadonlyArray<CallStream> = []
export const streamsOf = (call: Call): ReadonlyArray<CallStream> => call.streams ?? none
const openStreams = (call: Call): ReadonlyArray<CallStream> => streamsOf(call).filter(isOpen)
const streamOf = (call: Call, stream_id: string | undefined): CallStream | undefined =>
  streamsOf(call).find(({ id }) => id === stream_id)

/** How long after its time limit, or after it was told to stop, the PBX has to report the end of a stream. */
const endReport_ms = 60_000
const stopReport_ms = 10_000

export const unreportedAt = ({ action, since, stopping_since }: CallStream): number =>
  stopping_since === null
    ? since + (action.time_limit ?? maxStream_seconds) * 1000 + endReport_ms
    : stopping_since + stopReport_ms

/** The commands that the streams of an answered call need, each with the deadline of its report. */
export const planStreams = <Send>(
  call: AnsweredCall,
  send: (command: PbxCommand) => Send
): ReadonlyArray<Task<Send> | Deadline<StreamUnreported>> =>
  openStreams(call).flatMap((stream) => {
    const commands = [
      startStreamCommand(call, stream),
      ...(stream.stopping_since === null ? [] : [stopStreamCommand(call, stream)])
    ]
    const due = unreportedAt(stream)
    return [
      ...commands.map((command) => task(command.id, send(command))),
      deadline<StreamUnreported>(`stream:${stream.id}:${due}`, due, { _tag: "StreamUnreported", stream_id: stream.id })
    ]
  })

/** New actions in place of the present ones. A duplex stream that the script waits for stops. */
export const replaceActions = (
  call: AnsweredCall,
  actions: ReadonlyArray<VoiceAction>,
  cut_command_id: string | null,
  at: number
): Events => {
  const waitedFor = openStreams(call).find((stream) => stream.step === call.script?.step && modeOf(stream) === "duplex")
  const stopped: Events = waitedFor === undefined ? [] : [{ _tag: "StreamStopped", at, stream_id: waitedFor.id }]
  return [...stopped, { _tag: "ActionsReplaced", at, actions, cut_command_id }]
}

/** The end of the current action, if it is a stream that the script does not wait for, or no longer. */
export const streamStepDone = (call: AnsweredCall, action: StreamAction, now: number): Events => {
  const stream = streamsOf(call).find(({ step }) => step === call.script?.step)
  if (stream === undefined) return []
  if (modeOf(stream) === "fork")
    return [{ _tag: "ActionDone", at: now, result: { stream_id: stream.id, name: stream.name } }]
  return isOpen(stream) ? [] : [actionFinished(action.action_url, "stream_completed", streamResult(stream), now)]
}

export const isOfStream = ({ type }: PbxEvent): boolean => type.startsWith("stream.")

const resultOf = (text: string | undefined): StreamResult =>
  StreamResult.literals.find((known) => known === text) ?? "completed"

/** The actions that an application sent; a fault that the customer is told if they cannot be carried out. */
const actionsOf = (call: AnsweredCall, document: string): Result.Result<ReadonlyArray<VoiceAction>, VoiceActionFault> =>
  Result.flatMap(parseVoiceActions(document), (actions) => {
    const fault = misplacedOnceAnswered(actions) ?? unsupportedAction(actions, call.facts.capabilities)
    return fault === undefined ? Result.succeed(actions) : Result.fail(fault)
  })

/** The call goes on as it was if the actions of an application are not valid. */
const actionsSent = (call: AnsweredCall, document: string, cut_command_id: string | null, now: number): Events =>
  Result.match(actionsOf(call, document), {
    onFailure: (fault): Events => [
      { _tag: "CallbackFailed", at: now, cause: "voice_action_invalid", http_status: null, ...fault }
    ],
    onSuccess: (actions) => replaceActions(call, actions, cut_command_id, now)
  })

/**
 * What a report on a stream means, without what the script does because of it. Reports on streams that have ended
 * change nothing. `cut_command_id`: the command of the current action.
 */
export const streamReported = (
  call: PlacedCall,
  { data, type }: PbxEvent,
  { at, cut_command_id, now }: { readonly at: number; readonly cut_command_id: string | null; readonly now: number }
): Events => {
  const stream = streamOf(call, data.stream_id)
  if (stream === undefined || !isOpen(stream)) return []
  const stream_id = stream.id
  switch (type) {
    case "stream.started":
      return stream.started_at === null ? [{ _tag: "StreamStarted", at, stream_id }] : []
    case "stream.ended":
      return [{ _tag: "StreamEnded", at, stream_id, result: resultOf(data.result), detail: data.error ?? null }]
    case "stream.hangup":
      return call.phase === "answered"
        ? [completed(call, { at: now, now, cause: "normal_clearing", source: "workspace" })]
        : []
    case "stream.actions":
      return call.phase === "answered" && data.document !== undefined
        ? actionsSent(call, data.document, cut_command_id, now)
        : []
    default:
      return []
  }
}

export const streamUnreported = (call: PlacedCall, stream_id: string, now: number): Events => {
  const stream = streamOf(call, stream_id)
  return stream !== undefined && isOpen(stream) && now >= unreportedAt(stream)
    ? [{ _tag: "StreamEnded", at: now, stream_id, result: "unreported", detail: "The PBX did not report the end." }]
    : []
}

/** The call is over, and with it its streams: those of which the PBX has not reported the end. */
export const endStreams = (call: PlacedCall, at: number): ReadonlyArray<StreamEvent> =>
  openStreams(call)
    .filter(({ started_at }) => started_at !== null)
    .map(({ id }) => ({ _tag: "StreamEnded", at, stream_id: id, result: "completed", detail: null }))
