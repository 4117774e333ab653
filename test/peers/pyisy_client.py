"""The legacy Python client: load, commands to lamps, scenes, a thermostat, variables and programs, the event stream cut and back."""

import asyncio

import logging
import os
import signal

from pyisy import ISY

from checks import LOCAL, LOCAL_PORT, Checks

LAMP = "1A 2B 3C 1"
THERMOSTAT = "15 E 20 1"


async def main():
    logging.disable(logging.WARNING)
    checks = Checks()
    isy = ISY("127.0.0.1", LOCAL_PORT, *LOCAL, use_https=True, tls_ver=1.2, use_websocket=True)
    await isy.initialize()
    isy.websocket.start()
    checks.check("it loads nodes", len(isy.nodes.nids if hasattr(isy.nodes, "nids") else isy.nodes.addresses) > 30)
    checks.check("it loads programs", len(isy.programs.addresses) > 5)
    checks.check("it loads variables", len(isy.variables.children) > 0)
    await checks.becomes("the stream is connected", lambda: isy.connected, True)

    lamp = isy.nodes.get_by_id(LAMP)
    for raw in (76, 204):
        await checks.attempt(f"the lamp goes to {raw}", lamp.turn_on(raw))
        await checks.becomes(f"the lamp reports {raw}", lambda: lamp.status, raw)
    await checks.attempt("the lamp goes off", lamp.turn_off())
    await checks.becomes("the lamp reports 0", lambda: lamp.status, 0)
    for method in ("fast_on", "fast_off", "brighten", "dim", "fade_up", "fade_stop", "fade_down", "query", "beep"):
        await checks.attempt(method, getattr(lamp, method)())
    await checks.attempt("an on level", lamp.set_on_level(200))
    await checks.attempt("a ramp rate", lamp.set_ramp_rate(28))
    await checks.attempt("a raw command", lamp.send_cmd("BMAN"))
    await checks.attempt("its stop", lamp.send_cmd("SMAN"))

    thermostat = isy.nodes.get_by_id(THERMOSTAT)
    checks.check("the thermostat is one", thermostat.is_thermostat)
    await checks.attempt("a set-point", thermostat.set_climate_setpoint_heat(66))
    await checks.becomes("the set-point is reported", lambda: thermostat.aux_properties["CLISPH"].value, 132)
    checks.equal("the scale", str(thermostat.aux_properties["UOM"].value), "2")

    for group in [child for child in isy.nodes.all_lower_nodes if child[0] == "group"][:5]:
        scene = isy.nodes.get_by_id(group[2])
        await checks.attempt(f"scene {scene.name} on", scene.turn_on())
        await checks.attempt(f"scene {scene.name} off", scene.turn_off())
    for _, name, address in isy.programs.all_lower_programs[:3]:
        program = isy.programs.get_by_id(address)
        for method in ("run", "stop", "disable", "enable"):
            await checks.attempt(f"program {name} {method}", getattr(program, method)())
    for variable in [isy.variables[kind][each] for kind in (1, 2) for each in list(isy.variables.vids[kind])[:2]]:
        name = f"{variable.vid}"
        await checks.attempt(f"variable {name}", variable.set_value(3))
        await checks.becomes(f"variable {name} is 3", lambda v=variable: v.status, 3)

    with open(os.environ["SERVICE_PID_FILE"], encoding="utf8") as file:
        os.kill(int(file.read()), signal.SIGTERM)
    # The client is quick: it may be connected again before a look at it.
    await asyncio.sleep(20)
    await checks.becomes("the stream is back after a restart of the controller", lambda: isy.connected, True, 120)
    await checks.attempt("a command afterwards", lamp.turn_on(128))
    await checks.becomes("the value follows", lambda: lamp.status, 128, 30)
    await isy.shutdown()
    checks.finish()


asyncio.run(main())
