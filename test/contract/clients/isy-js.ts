/**
 * isy-js as its author published it. It has no TLS, and throws past its caller when the network fails, so it is ended
 * before the controller is. The types of what a test uses are declared here.
 */

import { createRequire } from "node:module";

export type IsyJsDevice = {
  readonly constructor: { readonly name: string };
  readonly deviceType: string;
  readonly address: string;
  readonly name: string;
  readonly currentState: number;
  getCurrentLightState(): boolean;
  getCurrentLightDimState(): number;
  sendLightCommand(isOn: boolean, done: Done): void;
  sendLightDimCommand(percent: number, done: Done): void;
  // Of devices that are one.
  getCurrentFanState(): string;
  sendFanCommand(level: "Off" | "Low" | "Medium" | "High", done: Done): void;
  getCurrentLockState(): boolean;
  sendLockCommand(isLocked: boolean, done: Done): void;
  getCurrentDoorWindowState(): boolean;
  getCurrentOutletState(): boolean;
  sendOutletCommand(isOn: boolean, done: Done): void;
  readonly childDevices: readonly IsyJsDevice[];
  getAreAllLightsInSpecifiedState(isOn: boolean): boolean;
};

type IsyJsVariable = {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly value: number;
  readonly init: number;
  readonly lastChanged: Date;
  sendSetValue(value: number, done: Done): void;
};

type Done = (success: boolean) => void;
type Frame = { readonly data: string };
type Socket = {
  close(): void;
  on(event: "close", listener: () => void): void;
  on(event: "message", listener: (frame: Frame) => void): void;
  off(event: "message", listener: (frame: Frame) => void): void;
};

type IsyJs = {
  readonly webSocket: Socket;
  readonly guardianTimer: NodeJS.Timeout;
  initialize(done: () => void): void;
  getDeviceList(): readonly IsyJsDevice[];
  getDevice(address: string): IsyJsDevice | undefined;
  getSceneList(): readonly IsyJsDevice[];
  getScene(address: string): IsyJsDevice | undefined;
  getVariableList(): readonly IsyJsVariable[];
  getVariable(type: string, id: string): IsyJsVariable | null;
  sendGetVariable(id: string, type: string, done: (value: number, init: number) => void): void;
};

type Constructor = new (
  host: string,
  username: string,
  password: string,
  hasElk: boolean,
  onDevice: (isy: IsyJs, device: IsyJsDevice) => void,
  useHttps: boolean,
  listsScenes: boolean,
  logs: boolean,
  onVariable: (isy: IsyJs, variable: IsyJsVariable) => void,
) => IsyJs;

type IsyJsOptions = { readonly url: string; readonly username: string; readonly password: string };

export type RunningIsyJs = {
  readonly isy: IsyJs;
  /** Settles with the next heartbeat that it reads: what was sent before has been read too. */
  heartbeat(): Promise<void>;
  /** Settles when it has reported a change of this device, or variable as `type:id`, and the condition holds. */
  changed(address: string, holds: () => boolean): Promise<void>;
  end(): Promise<void>;
};

/** Loaded, with its stream requested. */
export async function startIsyJs({ url, username, password }: IsyJsOptions): Promise<RunningIsyJs> {
  const { ISY } = createRequire(import.meta.url)("isy-js") as { readonly ISY: Constructor };
  const waiting = new Set<(address: string) => void>();
  const note = (address: string) => {
    for (const look of [...waiting]) look(address);
  };
  const isy = new ISY(
    new URL(url).host,
    username,
    password,
    false,
    (_isy, { address }) => note(address),
    false,
    true,
    false,
    (_isy, { type, id }) => note(`${type}:${id}`),
  );
  await new Promise<void>((resolve) => isy.initialize(resolve));
  return {
    isy,
    heartbeat: () => hearHeartbeat(isy),
    changed: (wanted, holds) =>
      new Promise((resolve) => {
        const look = (address: string) => {
          if (address !== wanted || !holds()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
      }),
    end: () => end(isy),
  };
}

/** Its own listener was added first, so it has read the frame when this one is called. */
function hearHeartbeat({ webSocket }: IsyJs): Promise<void> {
  return new Promise((resolve) => {
    const look = ({ data }: Frame) => {
      if (!data.includes("<control>_0</control>")) return;
      webSocket.off("message", look);
      resolve();
    };
    webSocket.on("message", look);
  });
}

async function end({ guardianTimer, webSocket }: IsyJs): Promise<void> {
  clearInterval(guardianTimer);
  const closed = new Promise<void>((resolve) => webSocket.on("close", resolve));
  webSocket.close();
  await closed;
}
