"""
The way in from a Home Assistant: areas, scenes, scripts and the automations of test/fixtures/way-in are made by its own API, then taken
over and undone. Every verdict is the one that the simulated Home Assistant leads to.
"""

import asyncio
import json
import os
import tempfile

import aiohttp

from checks import Checks
from home_assistant import BASE, HomeAssistant, wait_for
from home_assistant_supplies_client import Controller

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures/way-in")
PATH = "/api/move-in/from/homeassistant"


def fixture(name):
    with open(f"{FIXTURES}/{name}.json", encoding="utf8") as file:
        return json.load(file)


HOME, KINDS = fixture("home"), fixture("kinds")
# Not of this home: the remote has no template of its own in the older one, webhooks and a broker are other integrations.
LEFT_OUT = {"k06_remote", "k15_foreign"}
VERDICTS = {
    **{"Hall light by motion": "exact", "Lamp before dusk": "exact", "Door left open": "exact", "Blind when hot": "exact"},
    **{"Warm on weekdays": "exact", "Motion by time of day": "exact", "Blink three times": "exact", "Evening level": "none"},
    **{"Heat by presence": "differences", "Pump every quarter": "differences", "Dinner time": "exact", "Templates": "exact"},
    **{"Two triggers": "exact", "Waits for a template": "none", "Bedtime": "differences"},
}
CONFIGURATION = """
websocket_api:
automation: !include automations.yaml
script: !include scripts.yaml
scene: !include scenes.yaml
input_boolean:
  away: {name: Away}
  lit: {name: Lit}
  moved: {name: Moved}
  opened: {name: Opened}
input_number:
  evening: {name: Evening Level, min: 0, max: 100, unit_of_measurement: "%"}
  warmth: {name: Warmth, min: -20, max: 50, initial: 21}
template:
  - sensor:
      - {name: Outdoor, unique_id: sensor.outdoor, unit_of_measurement: "°F", device_class: temperature, state_class: measurement, state: "{{ states('input_number.warmth') }}"}
  - binary_sensor:
      - {name: Hall Motion, unique_id: binary_sensor.motion, device_class: motion, state: "{{ is_state('input_boolean.moved', 'on') }}"}
      - {name: Front Door Contact, unique_id: binary_sensor.door, device_class: door, state: "{{ is_state('input_boolean.opened', 'on') }}"}
"""
# The form of template devices that both releases read.
LEGACY = """
light:
  - platform: template
    lights:
      hall: {friendly_name: Hall Lamp, unique_id: light.hall, level_template: "{{ 255 }}", value_template: "{{ is_state('input_boolean.lit', 'on') }}", turn_on: [], turn_off: [], set_level: []}
      sofa: {friendly_name: Sofa Lamp, unique_id: light.sofa, level_template: "{{ 255 }}", value_template: "{{ is_state('input_boolean.lit', 'on') }}", turn_on: [], turn_off: [], set_level: []}
switch:
  - platform: template
    switches:
      pump: {friendly_name: Pond Pump, unique_id: switch.pump, value_template: "{{ is_state('input_boolean.lit', 'on') }}", turn_on: [], turn_off: []}
cover:
  - platform: template
    covers:
      blind: {friendly_name: Lounge Blind, unique_id: cover.blind, position_template: "{{ 100 }}", open_cover: [], close_cover: [], set_cover_position: []}
climate:
  - {platform: generic_thermostat, name: Lounge Heating, unique_id: climate.lounge, heater: switch.pump, target_sensor: sensor.outdoor, min_temp: 45, max_temp: 86, target_temp: 68, initial_hvac_mode: heat}
"""


class Socket:
    """Commands of its own page, which make what has no other API."""

    def __init__(self, socket):
        self.socket = socket
        self.last = 0

    async def ask(self, kind, **fields):
        self.last += 1
        await self.socket.send_json({"id": self.last, "type": kind, **fields})
        while True:
            answer = await self.socket.receive_json()
            if answer.get("id") == self.last and answer["type"] == "result":
                if not answer["success"]:
                    raise RuntimeError(f"{kind}: {answer['error']}")
                return answer["result"]


async def furnish(home_assistant, session):
    async with session.ws_connect(f"{BASE.replace('http', 'ws')}/api/websocket", max_msg_size=0) as opened:
        await opened.receive_json()
        await opened.send_json({"type": "auth", "access_token": home_assistant.token})
        await opened.receive_json()
        socket = Socket(opened)
        floors = {each["floor_id"]: (await socket.ask("config/floor_registry/create", name=each["name"]))["floor_id"] for each in HOME["floors"]}
        areas = {}
        for area in HOME["areas"]:
            floor = floors.get(area["floor_id"])
            made = await socket.ask("config/area_registry/create", name=area["name"], **({"floor_id": floor} if floor else {}))
            areas[area["area_id"]] = made["area_id"]
        for row in await socket.ask("config/entity_registry/list"):
            wanted = row["unique_id"]
            if wanted in HOME["entities"]:
                renamed = {} if wanted == row["entity_id"] else {"new_entity_id": wanted}
                area = areas.get(HOME["entities"][wanted].get("area"))
                await socket.ask("config/entity_registry/update", entity_id=row["entity_id"], area_id=area, **renamed)
        for name, config in HOME["configs"].items():
            kind, _, script = name.rpartition(".")
            path = f"script/config/{script}" if kind else f"scene/config/{name}"
            text = json.dumps(config)
            for area, made in areas.items():
                text = text.replace(f'"{area}"', f'"{made}"')
            await home_assistant.call("POST", f"/api/config/{path}", {key: value for key, value in json.loads(text).items() if key != "id"})
        for name, config in KINDS.items():
            if name not in LEFT_OUT:
                await home_assistant.call("POST", f"/api/config/automation/config/{name}", config)


async def run(checks, home_assistant, session):
    for name, text in {"automations": "[]", "scripts": "{}", "scenes": "[]"}.items():
        with open(f"{home_assistant.folder}/{name}.yaml", "w", encoding="utf8") as file:
            file.write(text)
    await home_assistant.start()
    await home_assistant.log_in()
    await furnish(home_assistant, session)
    controller = Controller(session)
    await controller.log_in()

    async def programs():
        listed = (await controller.call("GET", "/api/programs"))["data"]
        return [each for each in listed if "From Home Assistant" in json.dumps(each) or each.get("comment", "").startswith("Home Assistant, ")]

    before = len((await controller.call("GET", "/api/programs"))["data"])
    added = []
    for kind, name, settings in (
        ("homeassistant", "Home Assistant", {"url": BASE, "token": home_assistant.token}),
        ("ntfy", "phone", {"url": "http://127.0.0.1:9/home"}),
    ):
        answer = await controller.call("POST", "/api/integrations", {"type": kind, "name": name, "settings": settings, "enabled": True})
        checks.equal(f"the integration {kind} is added", answer.get("successful"), True)
        added.append(answer["data"]["id"])

    async def plan():
        return (await controller.call("GET", PATH)).get("data") or {}

    async def settled():
        """A plan that stays: while devices still come, it becomes another one."""
        first = await plan()
        await asyncio.sleep(3)
        second = await plan()
        return second if first.get("digest") == second.get("digest") else {}

    def verdicts(found):
        return {each["name"]: each["verdict"] for each in found.get("automations", [])}

    read = await wait_for(settled, lambda found: verdicts(found) == VERDICTS, 90)
    checks.equal("the problems of the plan", read.get("problems"), [])
    checks.equal("its verdicts", verdicts(read), VERDICTS)
    paths = {" / ".join(each["path"]) for each in read["folders"]}
    checks.equal("its folders", {"Ground Floor / Entrance", "Ground Floor / Lounge", "Back Garden"} - paths, set())
    checks.equal("its scenes", [(each["name"], each["state"]) for each in read["scenes"]], [("Dinner", "new")])
    done = await controller.call("POST", PATH, {"digest": read["digest"]})
    checks.equal("it is carried out", done.get("successful"), True)
    after = (await controller.call("GET", "/api/programs"))["data"]
    checks.check("programs came", len(after) > before + 15, f"{before} and then {len(after)}")
    again = await plan()
    checks.equal("a second time adds nothing", {each["state"] for each in again["automations"] if each["programs"]}, {"there"})
    undone = await controller.call("POST", f"/api/edits/{done['data']['edit']}/undo", {})
    checks.equal("it is undone", undone.get("successful"), True)
    checks.equal("no program is left", len((await controller.call("GET", "/api/programs"))["data"]), before)
    for each in added:
        await controller.call("DELETE", f"/api/integrations/{each}")


async def main():
    checks = Checks()
    async with aiohttp.ClientSession() as session:
        with tempfile.TemporaryDirectory() as folder:
            home_assistant = HomeAssistant(folder, "--skip-pip", more=CONFIGURATION + LEGACY)
            try:
                await run(checks, home_assistant, session)
            finally:
                home_assistant.stop()
                await home_assistant.session.close()
    checks.finish()


asyncio.run(main())
