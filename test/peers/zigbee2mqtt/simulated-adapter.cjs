/*
 * Loaded into Zigbee2MQTT (node -r) in place of the serial adapter: devices that take commands and report what became of them.
 * Everything above the adapter is the real program. Lines on the standard input let a device act by itself:
 * {"report": [network address, endpoint, cluster, attribute, value]}, {"silent": "0x…"}, {"leave": "0x…", "address": 5}.
 */

const { createInterface } = require("node:readline");
const { Adapter } = require("zigbee-herdsman/dist/adapter/adapter");
const Zcl = require("zigbee-herdsman/dist/zspec/zcl");
const Zdo = require("zigbee-herdsman/dist/zspec/zdo");

const ANSWER_MS = 8;
const EFFECT_MS = 20;
const UNSUPPORTED_ATTRIBUTE = 0x86;

/** Attributes that a command changes, as cluster.attribute. */
const EFFECTS = {
  on: () => ({ "genOnOff.onOff": 1 }),
  off: () => ({ "genOnOff.onOff": 0 }),
  moveToLevel: ({ level }) => ({ "genLevelCtrl.currentLevel": level }),
  moveToLevelWithOnOff: ({ level }) => ({ "genLevelCtrl.currentLevel": level, "genOnOff.onOff": level > 0 ? 1 : 0 }),
  moveToColorTemp: ({ colortemp }) => ({ "lightingColorCtrl.colorTemperature": colortemp }),
  goToLiftPercentage: ({ percentageliftvalue: value }) => ({
    "closuresWindowCovering.currentPositionLiftPercentage": value,
  }),
  upOpen: () => ({ "closuresWindowCovering.currentPositionLiftPercentage": 0 }),
  downClose: () => ({ "closuresWindowCovering.currentPositionLiftPercentage": 100 }),
  lockDoor: () => ({ "closuresDoorLock.lockState": 1 }),
  unlockDoor: () => ({ "closuresDoorLock.lockState": 2 }),
};

class SimulatedAdapter extends Adapter {
  values = new Map();
  silent = new Set();
  sequence = 1;

  async start() {
    return "resumed";
  }
  async stop() {}
  async reset() {}
  async getCoordinatorIEEE() {
    return "0x00124b0000000001";
  }
  async getCoordinatorVersion() {
    return { type: "Simulated", meta: { revision: "1" } };
  }
  async getNetworkParameters() {
    return { panID: 0x1a62, extendedPanID: "0xdddddddddddddddd", channel: 11, nwkUpdateID: 0 };
  }
  async supportsBackup() {
    return false;
  }
  async permitJoin() {}
  async addInstallCode() {}
  async sendZclFrameToAll() {}
  async sendZclFrameToGroup() {}
  waitFor() {
    return { promise: new Promise(() => {}), cancel() {} };
  }

  async sendZdo(_ieee, address) {
    const table = { entryList: [], neighborTableEntries: 0, routingTableEntries: 0, startIndex: 0 };
    return [Zdo.Status.SUCCESS, { nwkAddress: address, status: 0, ...table }];
  }

  async sendZclFrameToEndpoint(ieee, address, endpoint, { cluster, header, command, payload }) {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    if (this.silent.has(ieee)) throw new Error("The device does not answer.");
    const nameOf = (id) => Object.values(cluster.attributes).find(({ ID }) => ID === id);
    const keyOf = (attribute) => `${address}/${endpoint}/${cluster.name}.${attribute.name}`;
    const answer = (name, body) =>
      this.message(address, endpoint, header.transactionSequenceNumber, name, cluster.name, body);
    if (header.isGlobal && command.name === "read") {
      const body = payload.map(({ attrId }) => {
        const attribute = nameOf(attrId);
        const value = attribute && this.values.get(keyOf(attribute));
        if (value === undefined) return { attrId, status: UNSUPPORTED_ATTRIBUTE };
        return { attrId, status: 0, dataType: attribute.type, attrData: value };
      });
      return answer("readRsp", body);
    }
    if (header.isGlobal && command.name === "write") {
      for (const { attrId, attrData } of payload) {
        const attribute = nameOf(attrId);
        if (attribute) this.values.set(keyOf(attribute), attrData);
      }
      return answer("writeRsp", [{ status: 0 }]);
    }
    for (const [path, value] of Object.entries(EFFECTS[command.name]?.(payload) ?? {})) {
      const [changed, attribute] = path.split(".");
      setTimeout(() => this.report(address, endpoint, changed, attribute, value), EFFECT_MS);
    }
    return answer("defaultRsp", { cmdId: command.ID, statusCode: 0 });
  }

  message(address, endpoint, sequence, name, cluster, body) {
    const [type, direction] = [Zcl.FrameType.GLOBAL, Zcl.Direction.SERVER_TO_CLIENT];
    const frame = Zcl.Frame.create(type, direction, true, undefined, sequence, name, cluster, body, {});
    const route = { address, endpoint, linkquality: 180, groupID: 0, wasBroadcast: false, destinationEndpoint: 1 };
    return { clusterID: frame.cluster.ID, header: frame.header, data: frame.toBuffer(), ...route };
  }

  report(address, endpoint, clusterName, attribute, value) {
    const { ID: attrId, type: dataType } = Zcl.Utils.getCluster(clusterName, undefined, {}).attributes[attribute];
    this.values.set(`${address}/${endpoint}/${clusterName}.${attribute}`, value);
    this.sequence = (this.sequence + 1) & 255;
    const body = [{ attrId, dataType, attrData: value }];
    this.emit("zclPayload", this.message(address, endpoint, this.sequence, "report", clusterName, body));
  }
}

let adapter = null;
Adapter.create = async (...given) => {
  adapter = new SimulatedAdapter(...given);
  return adapter;
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { report, silent, leave, address } = JSON.parse(line);
  if (report) adapter.report(...report);
  if (silent) adapter.silent.add(silent);
  if (leave) adapter.emit("deviceLeave", { ieeeAddr: leave, networkAddress: address });
});
