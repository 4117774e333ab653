"""Checks that print a line each and are counted; a failed one does not end the run."""

import asyncio
import os
import time

OWNER = (os.environ["DOMOVOI_OWNER_EMAIL"], os.environ["DOMOVOI_OWNER_PASSWORD"])
LOCAL = (os.environ["DOMOVOI_LOCAL_USER"], os.environ["DOMOVOI_LOCAL_PASSWORD"])
PORTAL = f"https://127.0.0.1:{os.environ['PORTAL_PORT']}"
LOCAL_PORT = int(os.environ["LOCAL_PORT"])


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = []

    def check(self, name, condition, detail=""):
        if condition:
            self.passed += 1
        else:
            self.failed.append(name)
            print(f"  FAILED {name}: {detail}")

    def equal(self, name, actual, expected):
        self.check(name, actual == expected, f"{actual!r} instead of {expected!r}")

    async def attempt(self, name, awaitable):
        """Counts a call that ends without an exception, and returns its result."""
        try:
            result = await awaitable
        except Exception as error:  # Every failure of a peer is a line of the report.
            self.check(name, False, f"{type(error).__name__}: {error}")
            return None
        self.check(name, True)
        return result

    async def becomes(self, name, read, expected, seconds=20):
        ends = time.monotonic() + seconds
        while read() != expected and time.monotonic() < ends:
            await asyncio.sleep(0.05)
        self.equal(name, read(), expected)

    def finish(self):
        print(f"  {self.passed} passed, {len(self.failed)} failed")
        raise SystemExit(1 if self.failed else 0)
