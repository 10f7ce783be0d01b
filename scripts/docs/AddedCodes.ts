// Why codes exist that the interface's own tables of errors do not name. docs/errors.md has them as one table.

/** Codes by the reason that they share, in the order of the table. */
export const reasonsOfAddedCodes: ReadonlyArray<readonly [reason: string, codes: ReadonlyArray<string>]> = [
  [
    "What HTTP itself refuses has a status of its own (RFC 9110, RFC 6585). Under `validation.bad_request` a client could not tell a body that is too long from one that is wrong.",
    [
      "validation.payload_too_large",
      "validation.unsupported_media_type",
      "validation.range_not_satisfiable",
      "validation.request_timeout",
      "validation.uri_too_long",
      "validation.expectation_failed",
      "validation.headers_too_large"
    ]
  ],
  [
    "The interface names a key that is used with another body. A key that is malformed, and one whose first request is still at work, need other reactions: a new key, and a moment's patience.",
    ["idempotency.key_invalid", "idempotency.in_progress"]
  ],
  [
    "The interface leaves rate limits open. A limit needs a code, so that a client can wait for `Retry-After`.",
    ["rate_limited"]
  ],
  [
    "Internal failures that are not those of one operation: the engine is full or starting, or its database is away, and nothing was carried out.",
    ["service_unavailable"]
  ],
  [
    "The interface says that a call to an unrated destination, or from a wrong place, is refused, and gives no code. One code stands for each thing that the caller can mend: the number, the URL, the actions.",
    ["calls.invalid_destination", "calls.destination_refused", "calls.invalid_callback_url", "calls.action_unsupported"]
  ],
  [
    "Limits of the calling policy, which protects a prepaid wallet. Each says which limit was met.",
    ["calls.concurrency_limit_reached", "calls.rate_limited", "calls.spend_limit_reached"]
  ],
  [
    "A live call is changed, or its recording is read, at a moment when that is not possible. The request may be repeated later.",
    ["calls.not_in_progress", "calls.recording_processing"]
  ],
  [
    "No gateway would carry the call. Without the code the call would ring nobody and end as `no_answer`.",
    ["calls.gateway_unavailable"]
  ],
  [
    "Operations on conferences, which the interface does not have.",
    ["conferences.not_found", "conferences.participant_not_found", "conferences.ended", "conferences.read_failed"]
  ],
  [
    "Caller ids of a workspace's own, proved by a code, which the interface does not have.",
    [
      "caller_ids.not_found",
      "caller_ids.number_of_platform",
      "caller_ids.revoked",
      "caller_ids.limit_reached",
      "caller_ids.too_many_calls",
      "caller_ids.code_wrong",
      "caller_ids.code_expired",
      "caller_ids.calls_unavailable"
    ]
  ],
  [
    "A number exists and may not be used, or may not be brought. The interface names the statuses of a number without a code for them.",
    ["numbers.not_active", "numbers.proof_required", "numbers.limit_reached"]
  ],
  [
    "The interface leaves prompts, providers and maxima of a top-up open.",
    ["topup.push_in_progress", "topup.provider_failed", "topup.limit_exceeded"]
  ],
  [
    "Receipts, invoices and automatic top-ups, which the interface does not have.",
    ["receipt.not_found", "invoice.not_found", "wallet.card_missing"]
  ],
  ["The interface prices storage in one currency. In another a size may have no price.", ["storage.price_missing"]],
  [
    "The interface describes chat-app settings and trunks, and gives no code for their refusals.",
    [
      "chatapp.not_provisioned",
      "chatapp.settings_invalid",
      "chatapp.provider_rejected",
      "chatapp.provider_unavailable",
      "chatapp.not_eligible",
      "chatapp.trunk_not_retryable"
    ]
  ],
  [
    "Bounds on what a workspace may create, so that no customer can fill the engine.",
    ["webhooks.limit_reached", "api_key.limit_reached"]
  ],
  [
    "A request without a key is a fault of the program. `api_key.invalid` would send its author to look at the key.",
    ["api_key.missing"]
  ],
  ["Routes of the sandbox, which the interface does not have.", ["api_key.test_mode_required"]],
  [
    "The interface names members and invitations without codes for an unknown member and for one who is there already.",
    ["members.not_found", "invitations.already_member"]
  ],
  ["The operator may close sign-up, which the interface does not foresee.", ["auth.sign_up_closed"]]
]

/** Codes of the interface that no deployment answers, each with why. */
export const codesWithoutAnswer: ReadonlyArray<readonly [code: string, reason: string]> = [
  [
    "webhooks.dispatcher_unavailable",
    "The engine delivers webhooks itself, and no setting leaves the dispatcher out. The code is declared because the interface names it, and for an engine that a program builds without webhooks (`CallWebhooks.none` of the [library](library.md)): such an engine refuses an `events_url`."
  ],
  [
    "webhooks.deliver.secret_unset",
    "It is no response: a delivery carries it as the reason of its end while its subscription has no secret. Rotating the secret sends the delivery again."
  ]
]
