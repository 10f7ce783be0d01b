import { type Members, sample } from "./Members.ts"

/** Voice actions, and the questions to voice callbacks. */
export const voiceMembers: Members = {
  actions: ["The actions, in order.", [{ say: { text: "Your order is ready." } }, { hangup: {} }]],
  "SimulationRequest.phone": [
    "The phone of the remote party. Default: a test number in `to` does what it does, any other phone answers and stays.",
    { after_seconds: 3, keys: ["1"] }
  ],
  "SimulationRequest.attestation": "Inbound: what the network says of the caller's number. Default: nothing.",
  "SimulationRequest.dialled": [
    "The phones that the call dials. Default: a test number does what it does, any other phone answers and stays.",
    { answers: "no_answer" }
  ],
  "SimulatedCall.call": ["The call as it would be. There is no such call: its id finds nothing.", {}],
  "VoiceQuestion.reason": ["Why the callback is asked.", "answered"],
  result: ["The result of the action that led to the request.", null],
  answered_number: ["The destination that answered.", sample.to],
  digits: ["The keys.", "1"],
  speech: ["What was said.", null],
  send_digits: ["DTMF digits to send; `w` waits half a second, `W` a second.", "1w2"],
  action_url: [
    "The URL that is asked with the result; without it the next action follows.",
    "https://app.example.com/voice"
  ],
  "VoiceActionsVerdict.valid": ["Whether the document is valid.", true],
  "errors.message": ["What is at fault.", "Unknown action."],
  machine_detection: ["Whether to detect who has answered.", "off"],
  machine_detection_timeout_seconds: ["The longest wait for the detection, in seconds.", 30],
  voice_callback_url: ["The URL that is asked what to do.", "https://app.example.com/voice"]
}
