"""Tells an answered call what to do: the server behind a `voice_callback_url`."""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["VOICE_SECRET"]
PORT = int(os.environ.get("PORT", "9090"))
PUBLIC_URL = os.environ.get("PUBLIC_URL", f"http://127.0.0.1:{PORT}/")


def verify(body: bytes, header: str, secret: str) -> bool:
    members = [member.strip().partition("=") for member in header.split(",")]
    t = next((value for name, _, value in members if name == "t"), "")
    if not (t.isascii() and t.isdigit() and len(t) < 16) or abs(time.time() - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), body + b"." + t.encode(), hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(expected.encode(), value.encode()) for name, _, value in members if name == "v1")


def actions_for(question: dict) -> list:
    if question["reason"] == "gather_completed" and question["result"]["digits"] == "1":
        return [
            {"say": {"text": "I connect you."}},
            {"dial": {"number": "+254711000001", "timeout": 20}},
            {"say": {"text": "Nobody is there."}},
            {"hangup": {}},
        ]
    prompt = {"say": {"text": "To speak to somebody, press 1."}}
    return [
        {"gather": {"prompt": prompt, "num_digits": 1, "action_url": PUBLIC_URL}},
        {"say": {"text": "Goodbye."}},
        {"hangup": {}},
    ]


class Callback(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not verify(body, self.headers.get("X-Service-Signature", ""), SECRET):
            self.answer(400, b"")
            return
        question = json.loads(body)
        print(question["reason"], flush=True)
        self.answer(200, json.dumps({"actions": actions_for(question)}).encode())

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Callback)
print(f"Listening at http://127.0.0.1:{PORT}/", flush=True)
server.serve_forever()
