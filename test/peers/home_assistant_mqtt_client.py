"""The home's announcements on a message broker, read by the schemas and templates of Home Assistant's own MQTT integration.

The announcement of a whole device is newer than the Home Assistant for this Python, so it is split into its components first.
"""

import asyncio
import importlib
import json
import os
import subprocess
import sys
import tempfile

from checks import Checks
from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = {
    "binary_sensor": {"ON", "OFF", "None"},
    "cover": {"open", "closed", "None"},
    "light": {"ON", "OFF", "None"},
    "lock": {"LOCKED", "UNLOCKED", "JAMMED", "None"},
    "siren": {"ON", "OFF", "None"},
    "switch": {"ON", "OFF", "None"},
}


def components(announcement):
    base = announcement["~"]

    def whole(config):
        return {
            key: value.replace("~", base, 1) if key.endswith("topic") and value.startswith("~") else value
            for key, value in config.items()
        }

    shared = {
        "availability": [whole(each) for each in announcement["availability"]],
        "availability_mode": announcement["availability_mode"],
        "device": announcement["device"],
    }
    for component in announcement["components"].values():
        config = whole(component)
        yield config.pop("platform"), {**config, **shared}


def check(checks, hass, kept, platform, config):
    name = f"{platform} of {config['device']['name']}"
    module = importlib.import_module(f"homeassistant.components.mqtt.{platform}")
    try:
        module.DISCOVERY_SCHEMA(dict(config))
        checks.check(name, True)
    except Exception as error:
        checks.check(name, False, error)
    value = kept.get(config.get("state_topic", ""))
    template = config.get("value_template") or config.get("state_value_template")
    if value is not None and template is not None:
        word = Template(template, hass).async_render({"value": value}, parse_result=False)
        checks.check(f"state of {name}", word in WORDS[platform], f"{value} is {word}")


async def main():
    checks = Checks()
    folder = tempfile.mkdtemp()
    subprocess.run(["node", f"{HERE}/write-announcements.ts", f"{folder}/kept.json"], check=True, capture_output=True)
    with open(f"{folder}/kept.json", encoding="utf-8") as file:
        kept = json.load(file)
    hass = HomeAssistant(folder)
    found = 0
    for topic, payload in kept.items():
        if not topic.endswith("/config") or payload == "":
            continue
        for platform, config in components(json.loads(payload)):
            found += 1
            check(checks, hass, kept, platform, config)
    checks.check("the demo home announces its nodes", found > 40, found)
    print(f"  {found} components, {checks.passed} checks passed, {len(checks.failed)} failed")
    sys.exit(1 if checks.failed else 0)


asyncio.run(main())
