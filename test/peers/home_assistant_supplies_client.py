"""Home Assistant as a supplier: its entities are nodes, commands have honest outcomes, a kill of it loses nothing."""

import asyncio
import os
import ssl
import tempfile

import aiohttp

from checks import Checks
from home_assistant import BASE, PORT, HomeAssistant, wait_for

PORTAL = f"https://127.0.0.1:{os.environ['PORTAL_PORT']}"
ENTITIES = """
websocket_api:
input_boolean:
  lit: {name: Lit}
  slow: {name: Slow helper}
input_number:
  target: {name: Target, min: 0, max: 50}
template:
  - switch:
      - name: Slow
        state: "{{ is_state('input_boolean.slow', 'on') }}"
        turn_on: [{delay: 3}, {action: input_boolean.turn_on, target: {entity_id: input_boolean.slow}}]
        turn_off: [{action: input_boolean.turn_off, target: {entity_id: input_boolean.slow}}]
      - {name: Deaf, state: "{{ false }}", turn_on: [], turn_off: []}
  - light:
      - name: Template lamp
        state: "{{ is_state('input_boolean.lit', 'on') }}"
        level: "{{ (states('input_number.target') | float(0) * 255 / 50) | int }}"
        turn_on: [{action: input_boolean.turn_on, target: {entity_id: input_boolean.lit}}]
        turn_off: [{action: input_boolean.turn_off, target: {entity_id: input_boolean.lit}}]
        set_level:
          - {action: input_number.set_value, target: {entity_id: input_number.target}, data: {value: "{{ brightness * 50 / 255 }}"}}
          - {action: input_boolean.turn_on, target: {entity_id: input_boolean.lit}}
  - sensor:
      - {name: Outside, unit_of_measurement: "°C", device_class: temperature, state_class: measurement, state: "{{ states('input_number.target') }}"}
  - binary_sensor:
      - {name: Airing, device_class: window, state: "{{ is_state('input_boolean.lit', 'on') }}"}
"""


class Controller:
    def __init__(self, session):
        self.session = session
        self.ssl = ssl.create_default_context()
        self.ssl.check_hostname = False
        self.ssl.verify_mode = ssl.CERT_NONE
        self.headers = {}

    async def log_in(self):
        account = {"username": os.environ["DOMOVOI_OWNER_EMAIL"], "password": os.environ["DOMOVOI_OWNER_PASSWORD"]}
        answer = await self.call("POST", "/api/login", account)
        self.headers = {"Authorization": f"Bearer {answer['data']['accessToken']}"}

    async def call(self, method, path, body=None):
        async with self.session.request(method, f"{PORTAL}{path}", json=body, headers=self.headers, ssl=self.ssl) as answer:
            return await answer.json(content_type=None)

    async def nodes(self):
        nodes = (await self.call("GET", "/api/nodes"))["data"]["nodes"]["node"]
        return {node["name"]: node for node in nodes if node["address"].startswith("n000_h")}

    async def value(self, name, identifier="ST"):
        node = (await self.nodes()).get(name, {})
        async with self.session.get(f"{PORTAL}/rest/nodes/{node.get('address')}/{identifier}", headers=self.headers, ssl=self.ssl) as answer:
            return (await answer.text()).partition('formatted="')[2].partition('"')[0]

    async def command(self, name, command):
        node = (await self.nodes())[name]
        async with self.session.get(f"{PORTAL}/rest/nodes/{node['address']}/cmd/{command}", headers=self.headers, ssl=self.ssl) as answer:
            return answer.status


async def run(checks, home_assistant, session):
    await home_assistant.start()
    await home_assistant.log_in()
    controller = Controller(session)
    await controller.log_in()
    settings = {"url": BASE, "token": home_assistant.token}
    added = await controller.call("POST", "/api/integrations", {"type": "homeassistant", "name": "Home Assistant", "settings": settings})
    checks.equal("the integration is added", added.get("successful"), True)
    nodes = await wait_for(controller.nodes, lambda found: len(found) >= 7, 60)
    print("  " + ", ".join(sorted(nodes)))
    expected = {"Airing", "Deaf", "Lit", "Outside", "Slow", "Target", "Template lamp"}
    checks.equal("its entities are nodes", expected - set(nodes), set())

    checks.equal("the lamp takes a level", await controller.command("Template lamp", "DON/40"), 200)
    checks.equal("its level", await wait_for(lambda: controller.value("Template lamp"), lambda value: value == "40%"), "40%")
    checks.equal("the window is open", await wait_for(lambda: controller.value("Airing"), lambda value: value == "Open"), "Open")
    # The configuration of every peer is in Fahrenheit.
    checks.equal("the sensor's value", await controller.value("Outside", "CLITEMP"), "68°F")
    checks.equal("a slow switch is waited for", await controller.command("Slow", "DON"), 200)
    checks.equal("it is on", await controller.value("Slow"), "On")
    checks.equal("a deaf switch takes the command", await controller.command("Deaf", "DON"), 200)
    checks.equal("it is off", await controller.value("Deaf"), "Off")

    home_assistant.process.kill()
    home_assistant.process.wait(30)

    async def state():
        listed = (await controller.call("GET", "/api/integrations"))["data"]
        return next(each["state"] for each in listed if each["type"] == "homeassistant")

    checks.equal("a kill is noticed", await wait_for(state, lambda found: found == "failed", 40), "failed")
    checks.equal("no node is gone", expected - set(await controller.nodes()), set())
    await home_assistant.start()
    checks.equal("it is back", await wait_for(state, lambda found: found == "ready", 90), "ready")
    checks.equal("it takes commands again", await controller.command("Template lamp", "DON/60"), 200)
    checks.equal("its level", await wait_for(lambda: controller.value("Template lamp"), lambda value: value == "60%"), "60%")


async def main():
    checks = Checks()
    print(f"  Home Assistant on port {PORT}")
    async with aiohttp.ClientSession() as session:
        with tempfile.TemporaryDirectory() as folder:
            home_assistant = HomeAssistant(folder, "--skip-pip", more=ENTITIES)
            try:
                await run(checks, home_assistant, session)
            finally:
                home_assistant.stop()
                await home_assistant.session.close()
    checks.finish()


if __name__ == "__main__":
    asyncio.run(main())
