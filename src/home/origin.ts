/** Who did something at a device in the system that supplies it, such as Home Assistant. */
export type Origin = {
  readonly kind: "automation" | "person";
  /** As it is called there; "" when the system does not say. */
  readonly name: string;
};
