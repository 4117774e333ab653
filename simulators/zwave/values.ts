/** The values of a simulated device by endpoint, command class and name. Models read and write nothing else. */

import { CommandClasses } from "@zwave-js/core";
import type { ClassName, DevicePlan, EndpointPlan } from "./device-plan.ts";

export class Values {
  readonly #values = new Map<string, unknown>();

  constructor(plan: DevicePlan) {
    this.#seed(0, plan);
    plan.endpoints.forEach((endpoint, index) => {
      this.#seed(index + 1, endpoint);
    });
  }

  number(endpoint: number, cc: number, name: string, fallback: number): number {
    const value = this.#values.get(keyOf(endpoint, cc, name));
    return typeof value === "number" ? value : typeof value === "boolean" ? Number(value) : fallback;
  }

  set(endpoint: number, cc: number, name: string, value: unknown): void {
    this.#values.set(keyOf(endpoint, cc, name), value);
  }

  /** Numbers of a list or a table's keys, for what a device supports. */
  list(endpoint: number, cc: number, name: string): readonly number[] {
    const value = this.#values.get(keyOf(endpoint, cc, name));
    return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
  }

  /** The names that have a value here. */
  names(endpoint: number, cc: number): readonly string[] {
    const prefix = keyOf(endpoint, cc, "");
    return [...this.#values.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  }

  #seed(endpoint: number, plan: EndpointPlan): void {
    for (const [name, { values }] of Object.entries(plan.classes)) {
      const cc: number = CommandClasses[name as ClassName]; // The plan's classes are named by ClassName.
      for (const [key, value] of Object.entries(values ?? {})) this.set(endpoint, cc, key, value);
    }
  }
}

function keyOf(endpoint: number, cc: number, name: string): string {
  return `${endpoint}/${cc}/${name}`;
}
