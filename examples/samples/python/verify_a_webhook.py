"""Receives webhooks and verifies who sent them."""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
PORT = int(os.environ.get("PORT", "9091"))


def verify(body: bytes, header: str, secret: str) -> bool:
    members = [member.strip().partition("=") for member in header.split(",")]
    t = next((value for name, _, value in members if name == "t"), "")
    if not (t.isascii() and t.isdigit() and len(t) < 16) or abs(time.time() - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), body + b"." + t.encode(), hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(expected.encode(), value.encode()) for name, _, value in members if name == "v1")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        # The signature covers the bytes as they came: verify before you parse.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = verify(body, self.headers.get("X-Service-Signature", ""), SECRET)
        if genuine:
            # Store the id together with what you do for the event: the same event may come again.
            event = json.loads(body)
            print(event["event_kind"], event["id"], flush=True)
        self.send_response(204 if genuine else 400)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"Listening at http://127.0.0.1:{PORT}/", flush=True)
server.serve_forever()
