// Written by scripts/client/ClientTypes.ts from the contract. Do not edit.

/** Method, path and flags of each operation (Operations.ts). */
export const routes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "calls": {
    "originate": "POST /v1/calls/originate bk",
    "list": "GET /v1/calls ql",
    "checkDestination": "GET /v1/calls/destination-check q",
    "get": "GET /v1/calls/{id} q",
    "events": "GET /v1/calls/{id}/events ql",
    "stream": "GET /v1/calls/{id}/stream s",
    "terminate": "POST /v1/calls/{id}/terminate bk",
    "update": "POST /v1/calls/{id}/update bk",
    "stats": "GET /v1/calls/stats q",
    "charge": "GET /v1/calls/{id}/charge",
    "timeline": "GET /v1/calls/{id}/timeline q"
  },
  "chatapp": {
    "settings": "GET /v1/numbers/{id}/chatapp/call-settings",
    "write": "PUT /v1/numbers/{id}/chatapp/call-settings b",
    "trunk": "GET /v1/numbers/{id}/chatapp/trunk",
    "provision": "POST /v1/numbers/{id}/chatapp/trunk k",
    "retry": "POST /v1/numbers/{id}/chatapp/trunk/retry k"
  },
  "events": {
    "stream": "GET /v1/events/stream qs"
  },
  "wallet": {
    "balance": "GET /v1/wallet/balance",
    "update": "PATCH /v1/wallet b",
    "statements": "GET /v1/wallet/statements ql",
    "holds": "GET /v1/wallet/holds ql",
    "autoTopUp": "GET /v1/wallet/auto-topup",
    "setAutoTopUp": "PUT /v1/wallet/auto-topup b",
    "removeCard": "DELETE /v1/wallet/card"
  },
  "topups": {
    "create": "POST /v1/topups bk",
    "list": "GET /v1/topups ql",
    "get": "GET /v1/topups/{id}",
    "reference": "GET /v1/wallet/payin-reference"
  },
  "billing": {
    "receipt": "GET /v1/topups/{id}/receipt",
    "list": "GET /v1/invoices ql",
    "invoice": "GET /v1/invoices/{month}"
  },
  "sandbox": {
    "credit": "POST /v1/sandbox/credits bk",
    "payIn": "POST /v1/sandbox/payins bk"
  },
  "numbers": {
    "available": "GET /v1/numbers/available ql",
    "list": "GET /v1/numbers ql",
    "bring": "POST /v1/numbers/byo bk",
    "remove": "DELETE /v1/numbers/byo/{id}",
    "get": "GET /v1/numbers/{id}",
    "claim": "POST /v1/numbers/{id}/claim k",
    "release": "POST /v1/numbers/{id}/release k",
    "routing": "GET /v1/numbers/{id}/routing",
    "route": "PATCH /v1/numbers/{id}/routing b",
    "replaceRouting": "PUT /v1/numbers/{id}/routing b"
  },
  "webhooks": {
    "create": "POST /v1/webhooks bk",
    "list": "GET /v1/webhooks l",
    "get": "GET /v1/webhooks/{id}",
    "update": "PATCH /v1/webhooks/{id} b",
    "delete": "DELETE /v1/webhooks/{id}",
    "rotateSecret": "POST /v1/webhooks/{id}/rotate-secret bk",
    "rotateNumberSecret": "POST /v1/numbers/{id}/routing/rotate-secret bk",
    "replay": "POST /v1/webhooks/{id}/replay bk",
    "test": "POST /v1/webhooks/{id}/test bk",
    "doctor": "POST /v1/webhooks/{id}/doctor",
    "deliveries": "GET /v1/webhooks/{id}/deliveries ql",
    "delivery": "GET /v1/webhooks/{id}/deliveries/{delivery_id}",
    "retryDelivery": "POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry k"
  },
  "workspace": {
    "get": "GET /v1/workspace",
    "update": "PATCH /v1/workspace b",
    "rotateVoiceSecret": "POST /v1/workspace/rotate-voice-secret bk",
    "close": "POST /v1/workspace/close",
    "callingPolicy": "GET /v1/workspace/calling-policy",
    "changeCallingPolicy": "PATCH /v1/workspace/calling-policy b"
  },
  "accounts": {
    "onboard": "POST /v1/workspace bk",
    "accept": "POST /v1/auth/invite/accept b"
  },
  "voiceActions": {
    "schema": "GET /v1/voice-actions/schema",
    "validate": "POST /v1/voice-actions/validate b",
    "simulate": "POST /v1/voice-actions/simulate b"
  },
  "adminNumbers": {
    "createSeries": "POST /v1/admin/number-series bk",
    "listSeries": "GET /v1/admin/number-series ql",
    "generate": "POST /v1/admin/number-series/{id}/generate bk",
    "retireSeries": "POST /v1/admin/number-series/{id}/retire",
    "setPrices": "POST /v1/admin/prices b",
    "listPrices": "GET /v1/admin/prices ql",
    "reassign": "POST /v1/admin/numbers/{id}/reassign b",
    "retireNumber": "POST /v1/admin/numbers/{id}/retire"
  },
  "adminProviders": {
    "create": "POST /v1/admin/providers bk",
    "list": "GET /v1/admin/providers l",
    "get": "GET /v1/admin/providers/{id}",
    "update": "PATCH /v1/admin/providers/{id} b",
    "remove": "DELETE /v1/admin/providers/{id}"
  },
  "adminRates": {
    "upsert": "POST /v1/admin/rates bk",
    "list": "GET /v1/admin/rates ql"
  },
  "sipCredentials": {
    "create": "POST /v1/numbers/{id}/sip-credentials bk",
    "list": "GET /v1/numbers/{id}/sip-credentials l",
    "rotate": "POST /v1/numbers/{id}/sip-credentials/{credential_id}/rotate bk",
    "revoke": "POST /v1/numbers/{id}/sip-credentials/{credential_id}/revoke k",
    "delete": "DELETE /v1/numbers/{id}/sip-credentials/{credential_id}"
  },
  "recordings": {
    "list": "GET /v1/recordings ql",
    "get": "GET /v1/calls/{id}/recording q",
    "delete": "DELETE /v1/calls/{id}/recording q",
    "download": "GET /v1/calls/{id}/recording/download qr"
  },
  "sipTrunk": {
    "create": "POST /v1/sip-trunk bk",
    "get": "GET /v1/sip-trunk",
    "put": "PUT /v1/sip-trunk b",
    "delete": "DELETE /v1/sip-trunk"
  },
  "webrtc": {
    "token": "POST /v1/webrtc/token bk"
  },
  "adminTrunks": {
    "approve": "POST /v1/admin/sip-trunks/{id}/approve",
    "reject": "POST /v1/admin/sip-trunks/{id}/reject b"
  },
  "conferences": {
    "list": "GET /v1/conferences ql",
    "get": "GET /v1/conferences/{id}",
    "dialIn": "POST /v1/conferences/{id}/participants bk",
    "change": "PATCH /v1/conferences/{id}/participants/{call_id} b",
    "remove": "DELETE /v1/conferences/{id}/participants/{call_id}",
    "announce": "POST /v1/conferences/{id}/announce bk",
    "end": "POST /v1/conferences/{id}/end k"
  },
  "storage": {
    "get": "GET /v1/storage",
    "change": "PUT /v1/storage/tier b",
    "drop": "DELETE /v1/storage/tier"
  },
  "adminStorage": {
    "setPrices": "POST /v1/admin/storage-prices b",
    "listPrices": "GET /v1/admin/storage-prices",
    "assign": "POST /v1/admin/workspaces/{id}/storage b"
  },
  "keys": {
    "create": "POST /v1/api-keys bk",
    "list": "GET /v1/api-keys ql",
    "get": "GET /v1/api-keys/{id}",
    "revoke": "POST /v1/api-keys/{id}/revoke k",
    "current": "GET /v1/key"
  },
  "audit": {
    "list": "GET /v1/audit ql",
    "verify": "GET /v1/audit/verify"
  },
  "auth": {
    "signUp": "POST /v1/auth/signup b",
    "askForLink": "POST /v1/auth/magic-link b",
    "verify": "POST /v1/auth/magic-link/verify b",
    "logout": "POST /v1/auth/logout",
    "session": "GET /v1/auth/session",
    "enter": "PATCH /v1/auth/session b",
    "sessions": "GET /v1/auth/sessions l",
    "endSession": "DELETE /v1/auth/sessions/{id}",
    "idpUnlink": "DELETE /v1/auth/idp"
  },
  "members": {
    "members": "GET /v1/members l",
    "changeMember": "PATCH /v1/members/{user_id} b",
    "removeMember": "DELETE /v1/members/{user_id}",
    "invite": "POST /v1/invitations bk",
    "invitations": "GET /v1/invitations l",
    "revoke": "DELETE /v1/invitations/{id}",
    "resend": "POST /v1/invitations/{id}/resend k"
  },
  "adminWorkspaces": {
    "list": "GET /v1/admin/workspaces ql",
    "suspend": "POST /v1/admin/workspaces/{id}/suspend b",
    "reinstate": "POST /v1/admin/workspaces/{id}/reinstate",
    "ceilings": "GET /v1/admin/workspaces/{id}/policy-ceilings",
    "changeCeilings": "PATCH /v1/admin/workspaces/{id}/policy-ceilings b"
  },
  "adminGateways": {
    "list": "GET /v1/admin/gateways l",
    "assign": "PUT /v1/admin/workspaces/{id}/gateway b"
  },
  "signingKeys": {
    "list": "GET /v1/.well-known/jwks.json"
  },
  "adminWallets": {
    "adjust": "POST /v1/admin/wallets/{workspace_id}/adjustments bk",
    "reverse": "POST /v1/admin/topups/{id}/reverse b",
    "payIns": "GET /v1/admin/payins ql",
    "release": "POST /v1/admin/payins/{receipt}/release b",
    "setLimits": "POST /v1/admin/topup-limits b",
    "listLimits": "GET /v1/admin/topup-limits"
  }
}
