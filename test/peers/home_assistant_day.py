"""
Records what the automations of test/fixtures/way-in do in a real Home Assistant on one day: its own engine in this process, with a
clock that jumps from timer to timer. Writes test/fixtures/way-in/day.json again; `check` compares instead.
"""

import asyncio
import datetime
import json
import os
import sys
import tempfile
import time
import zoneinfo

import time_machine

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "../fixtures/way-in")
DOMAINS = {
    "light": ["turn_on", "turn_off", "toggle"],
    "switch": ["turn_on", "turn_off"],
    "cover": ["set_cover_position", "open_cover", "close_cover"],
    "climate": ["set_temperature", "set_hvac_mode"],
    "media_player": ["turn_off"],
    "notify": ["mobile_app_phone"],
}


def fixture(name):
    with open(f"{FIXTURES}/{name}.json", encoding="utf8") as file:
        return json.load(file)


HOME, KINDS, DAY = fixture("home"), fixture("kinds"), fixture("day")
ZONE = zoneinfo.ZoneInfo(DAY["zone"])
MIDNIGHT = datetime.datetime.fromisoformat(DAY["date"]).replace(tzinfo=ZONE)
# Those whose triggers need other integrations than this home has.
UNPLAYED = ["k15_foreign"]


class SkippingLoop(asyncio.SelectorEventLoop):
    """Its time is the machine's, and what was skipped."""

    skipped = 0.0

    def time(self):
        return time.monotonic() + self.skipped

    def next_due(self):
        due = [handle.when() for handle in self._scheduled if not handle.cancelled()]
        return min(due, default=None)


def configuration():
    scenes = [config for name, config in HOME["configs"].items() if not name.startswith("script.")]
    scripts = {name.partition(".")[2]: config for name, config in HOME["configs"].items() if name.startswith("script.")}
    automations = [{"id": f"id {name}", **config} for name, config in KINDS.items() if name not in UNPLAYED]
    about = {
        "name": "Day",
        "unit_system": "metric",
        "time_zone": DAY["zone"],
        "latitude": DAY["latitude"],
        "longitude": DAY["longitude"],
        "elevation": 0,
    }
    return {"homeassistant": about, "automation": automations, "script": scripts, "scene": scenes, "sun": None}


class Recorder:
    def __init__(self, hass, clock):
        self.hass = hass
        self.clock = clock
        self.actions = []
        self.automations = {}

    def furnish(self):
        from homeassistant.core import callback
        from homeassistant.helpers import area_registry, entity_registry

        areas, entities = area_registry.async_get(self.hass), entity_registry.async_get(self.hass)
        ids = {area["area_id"]: areas.async_get_or_create(area["name"]).id for area in HOME["areas"]}
        for entity, about in HOME["entities"].items():
            domain, _, name = entity.partition(".")
            if domain in ("scene", "script"):
                continue
            row = entities.async_get_or_create(domain, "day", name, suggested_object_id=name)
            entities.async_update_entity(row.entity_id, area_id=ids.get(about.get("area")))
        self.reset()
        for domain, services in DOMAINS.items():
            for service in services:
                self.hass.services.async_register(domain, service, callback(lambda call: self.act(call)))
        for event in ("automation_triggered", "script_started"):
            self.hass.bus.async_listen(event, callback(lambda fired: self.triggered(fired)))

    def reset(self):
        for entity, about in HOME["entities"].items():
            if entity.partition(".")[0] not in ("scene", "script"):
                self.hass.states.async_set(entity, about["state"], about["attributes"])

    def triggered(self, event):
        self.automations[event.context.id] = event.data["entity_id"]

    def act(self, call):
        """Notes it, and does what the device would do."""
        from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids

        found = async_extract_referenced_entity_ids(self.hass, TargetSelection(call.data))
        entities = sorted(each for each in found.referenced | found.indirectly_referenced if each.startswith(f"{call.domain}."))
        data = {name: value for name, value in call.data.items() if name not in ("entity_id", "area_id", "device_id")}
        for entity in entities or [""]:
            self.note(call, entity, data)

    def note(self, call, entity, data):
        before = self.hass.states.get(entity) if entity else None
        service = call.service
        if service == "toggle":
            service = "turn_off" if before.state == "on" else "turn_on"
        # A timer is late by what the machine needs.
        now = datetime.datetime.now(ZONE) + datetime.timedelta(seconds=0.3)
        by = self.automations.get(call.context.id) or self.automations.get(call.context.parent_id) or ""
        level = data.get("brightness_pct")
        if level is None and "brightness" in data:
            level = round(data["brightness"] * 100 / 255)
        value = next((data[name] for name in ("position", "temperature", "message") if name in data), level)
        action = {"at": now.strftime("%H:%M:%S"), "by": by.partition(".")[2], "entity": entity or f"{call.domain}.{service}", "service": service}
        self.actions.append({**action, **({} if value is None else {"value": value})})
        if before is None:
            return
        states = {"turn_on": "on", "turn_off": "off", "open_cover": "open", "close_cover": "closed"}
        attributes = dict(before.attributes)
        positions = {"open_cover": 100, "close_cover": 0, "set_cover_position": data.get("position")}
        if service in positions:
            attributes["current_position"] = positions[service]
        if "temperature" in data:
            attributes["temperature"] = data["temperature"]
        self.hass.states.async_set(entity, states.get(service, before.state), attributes)

    async def play(self):
        for change in DAY["changes"]:
            await self.until(datetime.datetime.combine(MIDNIGHT.date(), datetime.time.fromisoformat(change["at"]), ZONE))
            before = self.hass.states.get(change["entity"])
            self.hass.states.async_set(change["entity"], change["state"], {**before.attributes, **change.get("attributes", {})})
            await self.settle()
        await self.until(MIDNIGHT + datetime.timedelta(days=1, seconds=-30))

    async def settle(self):
        for _ in range(40):
            await asyncio.sleep(0)

    async def until(self, at):
        """From timer to timer, so that none is late."""
        loop = asyncio.get_running_loop()
        while True:
            await self.settle()
            left = (at - datetime.datetime.now(ZONE)).total_seconds()
            due = loop.next_due()
            step = left if due is None else min(left, due - loop.time())
            if step > 0:
                loop.skipped += step
                self.clock.shift(datetime.timedelta(seconds=step))
            if left <= 0:
                return


async def run():
    from homeassistant import bootstrap, loader, runner

    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/configuration.yaml", "w", encoding="utf8") as file:
            # JSON is YAML.
            json.dump(configuration(), file)
        hass = await bootstrap.async_setup_hass(runner.RuntimeConfig(config_dir=folder, skip_pip=True))
        await hass.async_start()
        await hass.async_block_till_done()
        warm = Recorder(hass, None)
        warm.furnish()
        # What a scene needs is loaded in threads, which take the machine's time.
        await hass.services.async_call("scene", "turn_on", {"entity_id": "scene.dinner"}, blocking=True)
        start = MIDNIGHT - datetime.timedelta(minutes=10)
        with time_machine.travel(start, tick=True) as clock:
            recorder = Recorder(hass, clock)
            recorder.furnish()
            # Timers that were set before count by the time of before.
            for service in ("turn_off", "turn_on"):
                await hass.services.async_call("automation", service, {"entity_id": "all"}, blocking=True)
            problems = [state.entity_id for state in hass.states.async_all("automation") if state.state != "on"]
            if problems:
                raise RuntimeError(f"Not running: {problems}")
            recorder.actions.clear()
            await recorder.play()
        # At one time they come in no order.
        return sorted(recorder.actions, key=lambda action: (action["at"], action["by"], action["entity"]))


def main():
    import homeassistant.const

    loop = SkippingLoop()
    asyncio.set_event_loop(loop)
    actions = loop.run_until_complete(run())
    recorded = {**DAY, "homeAssistant": homeassistant.const.__version__, "actions": actions}
    if sys.argv[1:] == ["check"]:
        same = recorded["actions"] == DAY["actions"]
        print("the day is as recorded" if same else json.dumps(actions, indent=1))
        os._exit(0 if same else 1)
    text = json.dumps(recorded, indent=2, ensure_ascii=False)
    with open(f"{FIXTURES}/day.json", "w", encoding="utf8") as file:
        file.write(text + "\n")
    print(f"{len(actions)} actions")
    # Threads of Home Assistant would wait for each other.
    os._exit(0)


main()
