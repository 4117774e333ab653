"""An example of a plugin server in Python: a controller node that counts polls, and a lamp that does what it is told."""

import udi_interface


class Lamp(udi_interface.Node):
    id = "LAMP"
    drivers = [{"driver": "ST", "value": 0, "uom": 51}]

    def on(self, command):
        self.setDriver("ST", int(command.get("value") or 100))
        self.reportCmd("DON")

    def off(self, command):
        self.setDriver("ST", 0)
        self.reportCmd("DOF")

    commands = {"DON": on, "DOF": off}


class Controller(udi_interface.Node):
    id = "CTL"
    drivers = [{"driver": "ST", "value": 1, "uom": 25}, {"driver": "GV1", "value": 0, "uom": 56}]

    def __init__(self, poly):
        super().__init__(poly, "controller", "controller", "Example controller")
        self.polls = 0
        self.room = "Attic"
        self.notices = udi_interface.Custom(poly, "notices")
        self.parameters = udi_interface.Custom(poly, "customparams")
        poly.subscribe(poly.START, self.start, self.address)
        poly.subscribe(poly.CUSTOMPARAMS, self.parameters_changed)
        poly.subscribe(poly.POLL, self.poll)
        poly.subscribe(poly.STOP, poly.stop)
        poly.ready()
        poly.addNode(self, conn_status="ST")

    def start(self):
        self.poly.updateProfile()
        self.poly.addNode(Lamp(self.poly, self.address, "lamp1", f"{self.room} lamp"))

    def parameters_changed(self, parameters):
        self.parameters.load(parameters)
        self.notices.clear()
        if self.parameters["room"]:
            self.room = self.parameters["room"]
        else:
            self.notices["room"] = "Say in which room the lamp is: set the parameter room."

    def poll(self, kind):
        if kind == "shortPoll":
            self.polls += 1
            self.setDriver("GV1", self.polls)

    def query(self, command=None):
        self.reportDrivers()

    commands = {"QUERY": query}


if __name__ == "__main__":
    interface = udi_interface.Interface([])
    interface.start("1.0.0")
    Controller(interface)
    interface.runForever()
