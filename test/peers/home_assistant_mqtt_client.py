"""The home's announcements on a message broker in a Home Assistant that runs: every entity's class, unit, state and command beside our own."""

import asyncio
import json
import shutil
import ssl
import subprocess
import tempfile
from xml.etree import ElementTree

import aiohttp

from checks import LOCAL, LOCAL_PORT, OWNER, PORTAL, Checks
from home_assistant import HomeAssistant, controller_value, wait_for

BROKER_PORT = 18830
CELSIUS = "4"
PSI = 0.0145038
ON_OFF = {"light", "switch", "siren", "fan", "binary_sensor"}
COMMANDS = {
    "light": (("turn_on", {"brightness_pct": 50}), ("turn_off", {})),
    "switch": (("turn_on", {}), ("turn_off", {})),
    "siren": (("turn_on", {}), ("turn_off", {})),
    "fan": (("turn_on", {"percentage": 100}), ("turn_off", {})),
    "lock": (("unlock", {}), ("lock", {})),
    "cover": (("open_cover", {}), ("close_cover", {})),
}


class Controller:
    """The controller's own API, as its owner."""

    def __init__(self):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context))
        self.headers = {}

    async def call(self, method, path, body=None):
        async with self.session.request(method, PORTAL + path, json=body, headers=self.headers) as answer:
            text = await answer.text()
            if answer.status >= 400:
                raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]}")
            return json.loads(text)["data"] if text else None

    async def log_in(self):
        tokens = await self.call("POST", "/api/login", {"username": OWNER[0], "password": OWNER[1]})
        self.headers = {"Authorization": f"Bearer {tokens['accessToken']}"}

async def own_values(session):
    """Displayed values with their units, by node and property."""
    url = f"https://127.0.0.1:{LOCAL_PORT}/rest/status"
    async with session.get(url, ssl=False, auth=aiohttp.BasicAuth(*LOCAL)) as answer:
        root = ElementTree.fromstring(await answer.text())
    found = {}
    for node in root.iter("node"):
        for each in node.iter("property"):
            value = each.get("value")
            displayed = None if not value else int(value) / 10 ** int(each.get("prec") or 0)
            found[node.get("id"), each.get("id")] = (displayed, each.get("uom"))
    return found


def shown_as(own, uom, unit):
    if own is not None and uom == CELSIUS and unit == "°F":
        return own * 9 / 5 + 32
    return own * PSI if own is not None and unit == "psi" else own


def fits(domain, key, state, attributes, own):
    """Whether what Home Assistant shows is what the controller has."""
    if own is None:
        return state in ("unknown", "unavailable")
    if domain in ON_OFF:
        return state == ("on" if own else "off")
    if domain == "lock":
        return state == ("locked" if own == 100 else "jammed" if own == 102 else "unlocked")
    if domain == "cover":
        return state in (("closed",) if own == 0 else ("open", "opening", "closing"))
    if domain == "sensor":
        return abs(float(state) - own) < 0.51
    return True


async def run(checks, home_assistant, controller):
    await controller.log_in()
    settings = {"url": f"mqtt://127.0.0.1:{BROKER_PORT}", "access": "user", "secured": True}
    await controller.call("POST", "/api/integrations", {"type": "announce", "settings": settings})
    await home_assistant.start()
    await home_assistant.log_in()
    flow = await home_assistant.call("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
    entry = {"broker": "127.0.0.1", "port": BROKER_PORT}
    result = await home_assistant.call("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", entry)
    checks.equal("the integration is added", result.get("type"), "create_entry")

    async def registered():
        try:
            with open(f"{home_assistant.folder}/.storage/core.entity_registry", encoding="utf8") as file:
                entities = json.load(file)["data"]["entities"]
        except FileNotFoundError:
            entities = []
        return [entity for entity in entities if entity["platform"] == "mqtt"]

    entities = await wait_for(registered, lambda found: len(found) > 60, 60)
    await asyncio.sleep(3)
    entities = sorted(await registered(), key=lambda entity: entity["entity_id"])
    own_values_now = await own_values(home_assistant.session)
    topics = {address.replace(" ", "_"): address for address, _ in own_values_now}
    states = await home_assistant.states()
    checks.check("the demo home announces its nodes", len(entities) > 60, len(entities))

    print("  entity | class | unit | state | node | own value | same")
    commanded = []
    for entity in entities:
        key = entity["entity_id"]
        domain = key.split(".")[0]
        state = states.get(key, {"state": "missing", "attributes": {}})
        # domovoi_CONTROLLER_NODE_PROPERTY
        topic, _, part = entity["unique_id"].split("_", 2)[2].rpartition("_")
        address = topics.get(topic)
        if address is None:
            checks.check(f"{key} is a node's", False, entity["unique_id"])
            continue
        property_id = "ST" if part == "main" else part
        attributes = state["attributes"]
        own = shown_as(*own_values_now.get((address, property_id), (None, None)), attributes.get("unit_of_measurement"))
        same = fits(domain, key, state["state"], attributes, own)
        unit = attributes.get("unit_of_measurement", "")
        kind = attributes.get("device_class", "")
        print(f"  {key} | {kind} | {unit} | {state['state']} | {address} {property_id} | {own} | {'yes' if same else 'NO'}")
        checks.check(f"state of {key}", same, f"{state['state']} beside {own}")
        if domain in COMMANDS and part == "main":
            commanded.append((domain, key, address))

    http = home_assistant.session
    for domain, key, address in commanded:
        for service, data in COMMANDS[domain]:
            await checks.attempt(f"{domain}.{service} {key}", home_assistant.service(domain, service, entity_id=key, **data))
            wanted = service in ("turn_on", "open_cover", "lock")
            value = await wait_for(lambda: controller_value(http, address, "ST"), lambda v: v != "" and (v != "0") == wanted, 15)
            checks.check(f"{service} arrives at {address}", value != "" and (value != "0") == wanted, value)
            shown = await wait_for(
                lambda: state_of(home_assistant, key), lambda state: fits(domain, key, state, {}, float(value or 0)), 10
            )
            checks.check(f"{key} shows it", fits(domain, key, shown, {}, float(value or 0)), f"{shown} beside {value}")
    for key in [key for key in states if key.startswith("climate.")]:
        has_both = states[key]["attributes"].get("target_temp_low") is not None
        wanted = {"target_temp_low": 66, "target_temp_high": 78} if has_both else {"temperature": 66}
        await checks.attempt(f"set_temperature {key}", home_assistant.service("climate", "set_temperature", entity_id=key, **wanted))

        async def targets():
            attributes = (await home_assistant.states())[key]["attributes"]
            return {name: attributes.get(name) for name in wanted}

        checks.equal(f"{key} shows it", await wait_for(targets, lambda found: found == wanted, 15), wanted)
    print(f"  {len(entities)} entities, {len(commanded)} commanded")

    await controller.call("DELETE", "/api/integrations/announce")
    gone = await wait_for(registered, lambda found: found == [], 40)
    checks.equal("no entity stays when the integration is removed", len(gone), 0)


async def state_of(home_assistant, key):
    return (await home_assistant.states()).get(key, {}).get("state")


async def main():
    checks = Checks()
    mosquitto = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    broker = subprocess.Popen([mosquitto, "-p", str(BROKER_PORT)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        home_assistant = HomeAssistant(folder, "--skip-pip")
        controller = Controller()
        try:
            await run(checks, home_assistant, controller)
        finally:
            home_assistant.stop()
            broker.terminate()
            await home_assistant.session.close()
            await controller.session.close()
            for line in home_assistant.complaints("components.mqtt")[:20]:
                print(f"  log: {line}")
    checks.finish()


asyncio.run(main())
