"""Places a call that speaks and hangs up: place_a_call.py FROM TO"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("TRUNKLINE_URL", "http://127.0.0.1:8080")
KEY = os.environ["TRUNKLINE_API_KEY"]


def originate(body: dict) -> dict:
    # One key for all attempts: the call is placed once, however often the request is sent.
    headers = {
        "Authorization": f"Bearer {KEY}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    data = json.dumps(body).encode()
    for attempt in range(3):
        request = urllib.request.Request(f"{URL}/v1/calls/originate", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 504) or attempt == 2:
                raise
            time.sleep(min(int(error.headers.get("Retry-After", 1)), 60))
        except (urllib.error.URLError, TimeoutError):
            if attempt == 2:
                raise
            time.sleep(2**attempt)
    raise AssertionError("unreachable")


def main() -> None:
    actions = [{"say": {"text": "Your order is ready."}}, {"hangup": {}}]
    try:
        call = originate({"from": sys.argv[1], "to": sys.argv[2], "actions": actions})
    except urllib.error.HTTPError as failure:
        error = json.load(failure)["error"]
        sys.exit(f"{error['code']}: {error['message']}")
    print(call["id"], call["status"])


main()
