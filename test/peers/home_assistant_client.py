"""Home Assistant with its own integration: every entity beside the controller's nodes, every service, a restart, a stream that is cut."""

import asyncio
import os
import signal
import tempfile

from checks import LOCAL, LOCAL_PORT, Checks
from home_assistant import HomeAssistant, controller_value, wait_for

LAMP = "Hall Ceiling"
THERMOSTAT = "Living Room Thermostat"


async def run(checks, home_assistant):
    await home_assistant.start()
    await home_assistant.log_in()
    flow = await home_assistant.call("POST", "/api/config/config_entries/flow", {"handler": "isy994"})
    entry = {"host": f"https://127.0.0.1:{LOCAL_PORT}", "username": LOCAL[0], "password": LOCAL[1], "tls": 1.2}
    result = await home_assistant.call("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", entry)
    checks.equal("the integration is added", result.get("type"), "create_entry")

    async def entities():
        states = await home_assistant.states()
        return {key: state for key, state in states.items() if key.split(".")[0] not in ("zone", "person", "sun")}

    found = await wait_for(entities, lambda states: len(states) > 60, 60)
    checks.check("entities appear", len(found) > 60, len(found))
    print("  entity | class | unit | state")
    for key, state in sorted(found.items()):
        attributes = state["attributes"]
        print(f"  {key} | {attributes.get('device_class', '')} | {attributes.get('unit_of_measurement', '')} | {state['state']}")
    unavailable = [key for key, state in found.items() if state["state"] == "unavailable"]
    checks.equal("no entity is unavailable", unavailable, [])

    def named(domain, name):
        keys = [k for k, s in found.items() if k.startswith(f"{domain}.") and s["attributes"].get("friendly_name", "").startswith(name)]
        return keys[0] if keys else f"{domain}.missing"

    async def state_of(key):
        return (await home_assistant.states()).get(key, {}).get("state")

    lamp = named("light", LAMP)
    await checks.attempt("light.turn_on", home_assistant.service("light", "turn_on", entity_id=lamp, brightness=128))
    value = await wait_for(lambda: controller_value(home_assistant.session, "1A 2B 3C 1", "ST"), lambda v: v == "128")
    checks.equal("the lamp is at 128", value, "128")
    checks.equal("the light is on", await wait_for(lambda: state_of(lamp), lambda s: s == "on"), "on")
    await checks.attempt("light.turn_off", home_assistant.service("light", "turn_off", entity_id=lamp))
    checks.equal("the light is off", await wait_for(lambda: state_of(lamp), lambda s: s == "off"), "off")

    # Before the services that follow: programs of the demo home set the same set-point when locks and doors move.
    climate = named("climate", THERMOSTAT)
    states = await home_assistant.states()
    checks.equal("the thermostat's current temperature", states.get(climate, {}).get("attributes", {}).get("current_temperature"), 70)
    await checks.attempt("climate.set_temperature", home_assistant.service("climate", "set_temperature", entity_id=climate, target_temp_low=66, target_temp_high=78))
    value = await wait_for(lambda: controller_value(home_assistant.session, "15 E 20 1", "CLISPH"), lambda v: v == "132")
    checks.equal("its set-point", value, "132")

    for domain, services in {
        "switch": ("turn_on", "turn_off"),
        "light": ("turn_on", "turn_off"),
        "fan": ("turn_on", "turn_off"),
        "cover": ("open_cover", "close_cover"),
        "lock": ("lock", "unlock"),
    }.items():
        # A switch "… Enabled" disables its node in the controller.
        for key in [key for key in found if key.startswith(f"{domain}.") and not key.endswith("_enabled")]:
            for service in services:
                await checks.attempt(f"{domain}.{service} {key}", home_assistant.service(domain, service, entity_id=key))

    home_assistant.stop()
    await home_assistant.start()
    again = await wait_for(entities, lambda states: len(states) >= len(found), 60)
    checks.equal("the same entities after its restart", sorted(again), sorted(found))
    await wait_for(lambda: state_of(lamp), lambda state: state in ("on", "off"), 60)
    await checks.attempt("light.turn_on after the restart", home_assistant.service("light", "turn_on", entity_id=lamp, brightness=64))
    checks.equal("its state follows", await wait_for(lambda: state_of(lamp), lambda s: s == "on"), "on")

    with open(os.environ["SERVICE_PID_FILE"], encoding="utf8") as file:
        os.kill(int(file.read()), signal.SIGTERM)
    # The controller is back before the client gives up its entities.
    await asyncio.sleep(20)
    checks.equal("entities are there after a restart of the controller", await wait_for(lambda: state_of(lamp), lambda s: s == "on", 120), "on")
    await checks.attempt("light.turn_off afterwards", home_assistant.service("light", "turn_off", entity_id=lamp))
    checks.equal("its state follows again", await wait_for(lambda: state_of(lamp), lambda s: s == "off"), "off")


async def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        home_assistant = HomeAssistant(folder)
        try:
            await run(checks, home_assistant)
        finally:
            home_assistant.stop()
            await home_assistant.session.close()
            for line in home_assistant.complaints("ERROR", "isy994")[:20]:
                print(f"  log: {line}")
    checks.finish()


asyncio.run(main())
