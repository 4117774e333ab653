"""The legacy Python client over its TCP stream, which is its default: load, command, follow for a while, unsubscribe."""

import asyncio
import logging
import os
import time

from pyisy import ISY

from checks import LOCAL, LOCAL_PORT, Checks

LAMP = "1A 2B 3C 1"
# Ten minutes every night; less by hand.
FOLLOW_S = int(os.environ.get("FOLLOW_S", "600"))


async def main():
    logging.disable(logging.WARNING)
    checks = Checks()
    isy = ISY("127.0.0.1", LOCAL_PORT, *LOCAL, use_https=True, tls_ver=1.2, use_websocket=False)
    await isy.initialize()
    checks.check("it loads nodes", len(isy.nodes.addresses) > 30)
    isy.auto_update = True
    await checks.becomes("the stream is connected", lambda: isy._events.connected, True)
    await checks.becomes("it knows its subscription", lambda: "sid" in isy._events.data, True)

    lamp = isy.nodes.get_by_id(LAMP)
    for raw in (76, 204, 0):
        await checks.attempt(f"the lamp goes to {raw}", lamp.turn_on(raw) if raw else lamp.turn_off())
        await checks.becomes(f"the lamp reports {raw}", lambda: lamp.status, raw)
    program = isy.programs.get_by_id(isy.programs.all_lower_programs[0][2])
    await checks.attempt("a program runs", program.run_then())
    variable = isy.variables[1][list(isy.variables.vids[1])[0]]
    await checks.attempt("a variable is written", variable.set_value(7))
    await checks.becomes("the variable is 7", lambda: variable.status, 7)

    ends = time.monotonic() + FOLLOW_S
    latest = 0.0
    turns = 0
    while time.monotonic() < ends:
        raw = 100 + turns % 100
        await lamp.turn_on(raw)
        started = time.monotonic()
        while lamp.status != raw and time.monotonic() - started < 10:
            await asyncio.sleep(0.01)
        latest = max(latest, time.monotonic() - started)
        checks.check(f"turn {turns}: the lamp is followed", lamp.status == raw, lamp.status)
        turns += 1
        await asyncio.sleep(10)
    checks.check("the stream was never lost", isy._events.connected and isy._events.heartbeat_time < 30)
    print(f"  followed {FOLLOW_S} s, {turns} changes, the longest took {latest * 1000:.0f} ms")

    isy.auto_update = False
    await checks.becomes("it is unsubscribed", lambda: isy._events.connected, False)
    await isy.shutdown()
    checks.finish()


asyncio.run(main())
