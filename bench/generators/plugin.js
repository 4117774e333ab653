// A plugin of the bench: adds nodes, then reports values at a steady rate until it is commanded to stop, and tells how many it sent.
// It speaks MQTT by itself, so that it takes little of the machine that is measured.
const { connect } = require("node:tls");
const { NODES, PER_SECOND } = require("./rates.json");

const TICK_MS = 100;
const init = JSON.parse(Buffer.from(process.env.PG3INIT ?? "", "base64").toString());
const id = `${init.uuid}_${init.profileNum}`;
const socket = connect({ host: init.mqttHost, port: init.mqttPort, rejectUnauthorized: false }, start);
let sent = 0;
let timer = null;
let rest = 0;

function field(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

function write(type, ...parts) {
  const body = Buffer.concat(parts);
  const length = [];
  for (let left = body.length; length.length === 0 || left > 0; left = Math.floor(left / 128)) {
    length.push((left % 128) + (left >= 128 ? 128 : 0));
  }
  socket.write(Buffer.concat([Buffer.from([type, ...length]), body]));
}

function publish(kind, message) {
  write(0x30, field(`udi/pg3/ns/${kind}/${id}`), Buffer.from(JSON.stringify(message)));
}

function start() {
  write(0x10, field("MQTT"), Buffer.from([4, 0xc2, 1, 44]), field(id), field(id), field(init.token));
  write(0x82, Buffer.from([0, 1]), field(`udi/pg3/ns/clients/${id}`), Buffer.from([0]));
  const node = (at) => ({ address: `d${at}`, name: `Device ${at}`, nodeDefId: "D", primaryNode: "d0", drivers: [] });
  publish("command", { addnode: Array.from({ length: NODES }, (_, at) => node(at)) });
  timer = setInterval(report, TICK_MS);
}

function report() {
  for (rest += (PER_SECOND * TICK_MS) / 1000; rest >= 1; rest -= 1) {
    sent += 1;
    publish("status", { set: [{ address: `d${sent % NODES}`, driver: "GV1", value: String(sent), uom: 56 }] });
  }
}

socket.on("data", (bytes) => {
  const text = bytes.toString("latin1");
  if (text.includes('"cmd":"DOF"') && timer !== null) {
    clearInterval(timer);
    timer = null;
    publish("status", { set: [{ address: "d0", driver: "GV2", value: String(sent), uom: 56 }] });
  }
  if (text.includes('{"stop"')) process.exit(0);
});
socket.on("error", () => process.exit(1));
