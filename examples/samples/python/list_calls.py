"""Prints all calls, newest first, page by page: list_calls.py PAGE_SIZE"""

import json
import os
import sys
import urllib.parse
import urllib.request

URL = os.environ.get("TRUNKLINE_URL", "http://127.0.0.1:8080")
KEY = os.environ["TRUNKLINE_API_KEY"]


def calls(page_size: int):
    query = {"limit": page_size}
    while True:
        request = urllib.request.Request(f"{URL}/v1/calls?{urllib.parse.urlencode(query)}")
        request.add_header("Authorization", f"Bearer {KEY}")
        with urllib.request.urlopen(request, timeout=30) as response:
            yield from json.load(response)
            cursor = response.headers.get("X-Next-Cursor")
        if cursor is None:
            return
        query["cursor"] = cursor


for call in calls(int(sys.argv[1])):
    print(call["id"], call["status"], call["to"])
