/** Bodies of the JSON interface, by route. Written by `npm run client:types` from the schemas of the controller. */

export type Routes = {
  readonly "GET /api/accounts": {
    readonly data: readonly Account[];
  };
  readonly "POST /api/accounts": {
    readonly body: {
      /** portal: logs in with an e-mail address and gets tokens. local: basic authentication. */
      readonly kind: "portal" | "local";
      readonly login: string;
      readonly role: "owner" | "user" | "guest";
      /** 8 characters or more. Without it one is generated. */
      readonly password?: string;
      /** The things that the account can reach, at least one; null: the whole home. */
      readonly limits?: Limits | null;
      /** When the account can be used; null: at all times. */
      readonly hours?: readonly {
        readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        /** Local time of the home, such as 07:30. */
        readonly from: string;
        /** At or before `from`: on the next day. */
        readonly to: string;
      }[] | null;
      /** The account is that of an assistant, which makes these kinds of changes without asking; null: of a person. */
      readonly assistant?: readonly ("program" | "name")[] | null;
    };
    readonly data: {
      readonly id: string;
      /** portal: logs in with an e-mail address and gets tokens. local: basic authentication. */
      readonly kind: "portal" | "local";
      readonly login: string;
      readonly role: "owner" | "user" | "guest";
      /** The things that it can reach; null: the whole home. */
      readonly limits: {
        /** Addresses of folders, each with everything in it. */
        readonly folders: readonly string[];
        /** Addresses of nodes. */
        readonly nodes: readonly string[];
        /** Addresses of scenes. */
        readonly scenes: readonly string[];
        /** Whether scenes of the folders that also command devices outside of the limits are left out. */
        readonly scenesWithin: boolean;
        /** Ids of programs, and of program folders with everything in them. */
        readonly programs: readonly string[];
        /** Type and id, for example 2/5. */
        readonly variables: readonly string[];
        /** Ids of network resources. */
        readonly resources: readonly number[];
        /** The only commands that it may send. Left out, or null: all that its role allows. */
        readonly commands: readonly string[] | null;
      } | null;
      /** When the account can be used; null: at all times. */
      readonly hours: readonly {
        readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        /** Local time of the home, such as 07:30. */
        readonly from: string;
        /** At or before `from`: on the next day. */
        readonly to: string;
      }[] | null;
      /** ISO 8601 in UTC. */
      readonly createdAt: string;
      /** The password, when it was generated. It is not shown again. */
      readonly password: string | null;
      /** Only of an assistant: what it changes without asking. */
      readonly assistant?: readonly ("program" | "name")[];
    };
  };
  readonly "DELETE /api/accounts/:id": {
    readonly data: null;
  };
  readonly "POST /api/accounts/:id": {
    readonly body: {
      readonly role?: "owner" | "user" | "guest";
      /** The things that the account can reach, at least one; null: the whole home. */
      readonly limits?: Limits | null;
      /** When the account can be used; null: at all times. */
      readonly hours?: readonly {
        readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        /** Local time of the home, such as 07:30. */
        readonly from: string;
        /** At or before `from`: on the next day. */
        readonly to: string;
      }[] | null;
      /** The account is that of an assistant, which makes these kinds of changes without asking; null: of a person. */
      readonly assistant?: readonly ("program" | "name")[] | null;
    };
    readonly data: Account;
  };
  readonly "POST /api/accounts/:id/password": {
    readonly body: {
      /** 8 characters or more. Without it one is generated. */
      readonly password?: string;
    } | null;
    readonly data: {
      /** The password, when it was generated. It is not shown again. */
      readonly password: string | null;
    };
  };
  readonly "GET /api/accounts/:id/sessions": {
    readonly data: readonly AccountSession[];
  };
  readonly "DELETE /api/accounts/:id/sessions/:session": {
    readonly data: null;
  };
  readonly "GET /api/alerts": {
    readonly data: readonly Alert[];
  };
  readonly "POST /api/alerts/:node/answer": {
    readonly body: {
      /** Number of the button; 0, the default: it only confirms. */
      readonly button?: number;
    };
    readonly data: AlertAnswered;
  };
  readonly "GET /api/backup": {
    readonly data: readonly Backup[];
  };
  readonly "POST /api/backup": {
    readonly body: {
      /** Encrypts it, secrets included; 12 characters or more. */
      readonly passphrase?: string;
      /** Includes the journal and the trace of the programs. */
      readonly history?: boolean;
    } | null;
    readonly data: Backup;
  };
  readonly "DELETE /api/backup/:id": {
    readonly data: null;
  };
  readonly "GET /api/backup/:id": {
    readonly data: Backup;
  };
  readonly "POST /api/backup/:id/test": {
    readonly data: Backup;
  };
  readonly "POST /api/channels/:id/test": {
    readonly body: {
      /** Default: the name of the controller. */
      readonly subject?: string;
      /** Default: a sentence that marks it as a test. */
      readonly text?: string;
    } | null;
    readonly data: null;
  };
  readonly "GET /api/edits": {
    readonly data: readonly EditSummary[];
  };
  readonly "GET /api/edits/:edit": {
    readonly data: EditDetail;
  };
  readonly "POST /api/edits/:edit/undo": {
    readonly data: EditSummary;
  };
  readonly "GET /api/groups/links/:group": {
    readonly data: {
      readonly groups: readonly {
        /** Address of the scene. */
        readonly id: string;
        /** A block per controller, the scene's own block last. */
        readonly ctl: readonly {
          /** Address of the controller. */
          readonly id: string;
          readonly links: readonly {
            readonly type: "native" | "cmd" | "default" | "ignore";
            /** Address of the responder. */
            readonly node: string;
            /** The link definition. Native links only. */
            readonly linkdef?: string;
            /** The command for the responder. Command links only. */
            readonly cmd?: string;
            /** Parameters of the link definition or of the command. */
            readonly params?: readonly {
              readonly type: "val";
              /** OL level, RR ramp rate, … ; empty for the unnamed first parameter. */
              readonly id: string;
              readonly val: {
                /** Unit of measure. */
                readonly uom: number;
                readonly prec: number;
                /** Raw; displayed = value / 10^prec. */
                readonly value: number;
              };
            }[];
            /** Only in the answers about one scene, of the links of a controller to another node. */
            readonly device?: {
              /** done: the device carries it out. pending: it is not written, or not removed, yet. failed: the device did not take the change. software: the controller carries it out. */
              readonly state: "done" | "pending" | "failed" | "software";
              /** The reason; empty when it is done. */
              readonly detail: string;
            };
          }[];
        }[];
      }[];
    };
  };
  readonly "PATCH /api/groups/links/:group": {
    readonly body: {
      /** A link as in `GET /api/groups/links`, or a node with `level` and `ramp`. */
      readonly link: {
        readonly node: string;
        readonly type?: string;
        /** Percent, in place of a type. */
        readonly level?: number;
        /** Seconds; the nearest that the device knows. */
        readonly ramp?: number;
      };
      /** Left out: the scene itself, that is, commands to the scene. */
      readonly controllerAddress?: string;
    };
    readonly data: {
      /** Address of the scene. */
      readonly id: string;
      /** A block per controller, the scene's own block last. */
      readonly ctl: readonly {
        /** Address of the controller. */
        readonly id: string;
        readonly links: readonly {
          readonly type: "native" | "cmd" | "default" | "ignore";
          /** Address of the responder. */
          readonly node: string;
          /** The link definition. Native links only. */
          readonly linkdef?: string;
          /** The command for the responder. Command links only. */
          readonly cmd?: string;
          /** Parameters of the link definition or of the command. */
          readonly params?: readonly {
            readonly type: "val";
            /** OL level, RR ramp rate, … ; empty for the unnamed first parameter. */
            readonly id: string;
            readonly val: {
              /** Unit of measure. */
              readonly uom: number;
              readonly prec: number;
              /** Raw; displayed = value / 10^prec. */
              readonly value: number;
            };
          }[];
          /** Only in the answers about one scene, of the links of a controller to another node. */
          readonly device?: {
            /** done: the device carries it out. pending: it is not written, or not removed, yet. failed: the device did not take the change. software: the controller carries it out. */
            readonly state: "done" | "pending" | "failed" | "software";
            /** The reason; empty when it is done. */
            readonly detail: string;
          };
        }[];
      }[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "POST /api/groups/links/:group/capture": {
    readonly data: {
      /** Address of the scene. */
      readonly id: string;
      /** A block per controller, the scene's own block last. */
      readonly ctl: readonly {
        /** Address of the controller. */
        readonly id: string;
        readonly links: readonly {
          readonly type: "native" | "cmd" | "default" | "ignore";
          /** Address of the responder. */
          readonly node: string;
          /** The link definition. Native links only. */
          readonly linkdef?: string;
          /** The command for the responder. Command links only. */
          readonly cmd?: string;
          /** Parameters of the link definition or of the command. */
          readonly params?: readonly {
            readonly type: "val";
            /** OL level, RR ramp rate, … ; empty for the unnamed first parameter. */
            readonly id: string;
            readonly val: {
              /** Unit of measure. */
              readonly uom: number;
              readonly prec: number;
              /** Raw; displayed = value / 10^prec. */
              readonly value: number;
            };
          }[];
          /** Only in the answers about one scene, of the links of a controller to another node. */
          readonly device?: {
            /** done: the device carries it out. pending: it is not written, or not removed, yet. failed: the device did not take the change. software: the controller carries it out. */
            readonly state: "done" | "pending" | "failed" | "software";
            /** The reason; empty when it is done. */
            readonly detail: string;
          };
        }[];
      }[];
      /** Addresses of members without a level to store. */
      readonly skipped: readonly string[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "POST /api/groups/links/:group/members": {
    readonly body: {
      readonly members: readonly {
        readonly nodeAddress: string;
        /** false when left out. */
        readonly isController?: boolean;
        /** Accepted and not used. */
        readonly name?: string;
        /** Percent, in place of a type. */
        readonly level?: number;
        /** Seconds; the nearest that the device knows. */
        readonly ramp?: number;
      }[];
    };
    readonly data: {
      /** Address of the scene. */
      readonly id: string;
      /** A block per controller, the scene's own block last. */
      readonly ctl: readonly {
        /** Address of the controller. */
        readonly id: string;
        readonly links: readonly {
          readonly type: "native" | "cmd" | "default" | "ignore";
          /** Address of the responder. */
          readonly node: string;
          /** The link definition. Native links only. */
          readonly linkdef?: string;
          /** The command for the responder. Command links only. */
          readonly cmd?: string;
          /** Parameters of the link definition or of the command. */
          readonly params?: readonly {
            readonly type: "val";
            /** OL level, RR ramp rate, … ; empty for the unnamed first parameter. */
            readonly id: string;
            readonly val: {
              /** Unit of measure. */
              readonly uom: number;
              readonly prec: number;
              /** Raw; displayed = value / 10^prec. */
              readonly value: number;
            };
          }[];
          /** Only in the answers about one scene, of the links of a controller to another node. */
          readonly device?: {
            /** done: the device carries it out. pending: it is not written, or not removed, yet. failed: the device did not take the change. software: the controller carries it out. */
            readonly state: "done" | "pending" | "failed" | "software";
            /** The reason; empty when it is done. */
            readonly detail: string;
          };
        }[];
      }[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "POST /api/groups/links/:group/test": {
    readonly body: {
      /** Links to test instead of the stored ones. */
      readonly links?: readonly {
        readonly node: string;
        readonly type?: string;
        /** Percent, in place of a type. */
        readonly level?: number;
        /** Seconds; the nearest that the device knows. */
        readonly ramp?: number;
      }[];
    };
    readonly data: {
      /** The first of its commands. */
      readonly commandId: string;
      /** The outcome of the command at each node. */
      readonly members: readonly {
        readonly address: string;
        /** The command that its link chose. */
        readonly command: string;
        /** State of the command as in /api/commands. `skipped`: the link sends nothing to this member. */
        readonly state: string;
        /** Code of the error, or null. */
        readonly code: string | null;
        readonly detail: string;
      }[];
    };
  };
  readonly "POST /api/groups/links/:group/write": {
    readonly data: null;
  };
  readonly "DELETE /api/groups/members/:group": {
    readonly body: {
      readonly nodeAddress: string;
    };
    readonly data: {
      /** Address of the scene. */
      readonly id: string;
      /** A block per controller, the scene's own block last. */
      readonly ctl: readonly {
        /** Address of the controller. */
        readonly id: string;
        readonly links: readonly {
          readonly type: "native" | "cmd" | "default" | "ignore";
          /** Address of the responder. */
          readonly node: string;
          /** The link definition. Native links only. */
          readonly linkdef?: string;
          /** The command for the responder. Command links only. */
          readonly cmd?: string;
          /** Parameters of the link definition or of the command. */
          readonly params?: readonly {
            readonly type: "val";
            /** OL level, RR ramp rate, … ; empty for the unnamed first parameter. */
            readonly id: string;
            readonly val: {
              /** Unit of measure. */
              readonly uom: number;
              readonly prec: number;
              /** Raw; displayed = value / 10^prec. */
              readonly value: number;
            };
          }[];
          /** Only in the answers about one scene, of the links of a controller to another node. */
          readonly device?: {
            /** done: the device carries it out. pending: it is not written, or not removed, yet. failed: the device did not take the change. software: the controller carries it out. */
            readonly state: "done" | "pending" | "failed" | "software";
            /** The reason; empty when it is done. */
            readonly detail: string;
          };
        }[];
      }[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "POST /api/groups/members/:group": {
    readonly body: {
      readonly nodeAddress: string;
      /** false when left out. */
      readonly isController?: boolean;
      /** Accepted and not used. */
      readonly name?: string;
      /** Percent, in place of a type. */
      readonly level?: number;
      /** Seconds; the nearest that the device knows. */
      readonly ramp?: number;
    };
    readonly data: {
      /** Address of the scene. */
      readonly id: string;
      /** A block per controller, the scene's own block last. */
      readonly ctl: readonly {
        /** Address of the controller. */
        readonly id: string;
        readonly links: readonly {
          readonly type: "native" | "cmd" | "default" | "ignore";
          /** Address of the responder. */
          readonly node: string;
          /** The link definition. Native links only. */
          readonly linkdef?: string;
          /** The command for the responder. Command links only. */
          readonly cmd?: string;
          /** Parameters of the link definition or of the command. */
          readonly params?: readonly {
            readonly type: "val";
            /** OL level, RR ramp rate, … ; empty for the unnamed first parameter. */
            readonly id: string;
            readonly val: {
              /** Unit of measure. */
              readonly uom: number;
              readonly prec: number;
              /** Raw; displayed = value / 10^prec. */
              readonly value: number;
            };
          }[];
          /** Only in the answers about one scene, of the links of a controller to another node. */
          readonly device?: {
            /** done: the device carries it out. pending: it is not written, or not removed, yet. failed: the device did not take the change. software: the controller carries it out. */
            readonly state: "done" | "pending" | "failed" | "software";
            /** The reason; empty when it is done. */
            readonly detail: string;
          };
        }[];
      }[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "GET /api/guests": {
    readonly data: readonly GuestLink[];
  };
  readonly "POST /api/guests": {
    readonly body: {
      readonly name: string;
      /** The things that the account can reach, at least one; null: the whole home. */
      readonly limits: Limits | null;
      /** guest when it is left out. */
      readonly role?: "user" | "guest";
      /** When the account can be used; null: at all times. */
      readonly hours?: readonly {
        readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        /** Local time of the home, such as 07:30. */
        readonly from: string;
        /** At or before `from`: on the next day. */
        readonly to: string;
      }[] | null;
      /** Until its end. Left out: until it is revoked. */
      readonly seconds?: number;
    };
    readonly data: {
      readonly id: string;
      readonly name: string;
      /** guest when it is left out. */
      readonly role: "user" | "guest";
      readonly limits: {
        /** Addresses of folders, each with everything in it. */
        readonly folders: readonly string[];
        /** Addresses of nodes. */
        readonly nodes: readonly string[];
        /** Addresses of scenes. */
        readonly scenes: readonly string[];
        /** Whether scenes of the folders that also command devices outside of the limits are left out. */
        readonly scenesWithin: boolean;
        /** Ids of programs, and of program folders with everything in them. */
        readonly programs: readonly string[];
        /** Type and id, for example 2/5. */
        readonly variables: readonly string[];
        /** Ids of network resources. */
        readonly resources: readonly number[];
        /** The only commands that it may send. Left out, or null: all that its role allows. */
        readonly commands: readonly string[] | null;
      };
      /** When the account can be used; null: at all times. */
      readonly hours: readonly {
        readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        /** Local time of the home, such as 07:30. */
        readonly from: string;
        /** At or before `from`: on the next day. */
        readonly to: string;
      }[] | null;
      /** ISO 8601 in UTC. */
      readonly createdAt: string;
      /** ISO 8601 in UTC; null: until it is revoked. */
      readonly expiresAt: string | null;
      /** Start of the latest visit; null: none since the controller started. */
      readonly visitedAt: string | null;
      /** The bearer token, and the fragment of the link. It is not shown again. */
      readonly token: string;
    };
  };
  readonly "DELETE /api/guests/:id": {
    readonly data: null;
  };
  readonly "GET /api/history/:address/:property": {
    readonly data: {
      readonly address: string;
      readonly property: string;
      /** ISO 8601 in UTC. */
      readonly from: string;
      /** ISO 8601 in UTC. */
      readonly to: string;
      /** Parts of the span in order, without those before the first value and after now. */
      readonly points: readonly {
        /** Begin of the part, ISO 8601 in UTC. */
        readonly time: string;
        /** Changes in this part. */
        readonly count: number;
        /** Smallest value that held; null when the value was unknown in all of the part, raw; displayed = value / 10^prec. */
        readonly min: number | null;
        /** Largest value that held; null as min, raw; displayed = value / 10^prec. */
        readonly max: number | null;
        /** Mean, weighted by the time that each value held; null as min, raw; displayed = value / 10^prec. */
        readonly mean: number | null;
        /** Value at the end of the part; null when it is unknown, raw; displayed = value / 10^prec. */
        readonly last: number | null;
        /** Unit of measure. */
        readonly uom: number;
        /** Decimal places. */
        readonly prec: number;
      }[];
    };
  };
  readonly "GET /api/integrations": {
    readonly data: readonly Integration[];
  };
  readonly "POST /api/integrations": {
    readonly body: {
      readonly type: string;
      /** Id of a removed integration, to adopt the nodes that were kept from it. */
      readonly id?: string;
      readonly name?: string;
      /** Settings by name, as the type describes them. Answers leave out secrets. */
      readonly settings?: Readonly<Record<string, unknown>>;
      /** false: it is added and not started. */
      readonly enabled?: boolean;
    };
    readonly data: SavedIntegration;
  };
  readonly "DELETE /api/integrations/:id": {
    readonly data: null;
  };
  readonly "GET /api/integrations/:id": {
    readonly data: Integration;
  };
  readonly "PATCH /api/integrations/:id": {
    readonly body: {
      readonly name?: string;
      /** Merged into the present settings; null resets a setting. */
      readonly settings?: Readonly<Record<string, unknown>>;
      /** Whether it runs, and starts with the controller. */
      readonly enabled?: boolean;
    };
    readonly data: SavedIntegration;
  };
  readonly "DELETE /api/integrations/:id/operation": {
    readonly data: IntegrationOperationRecord | null;
  };
  readonly "GET /api/integrations/:id/operation": {
    readonly data: IntegrationOperationRecord | null;
  };
  readonly "POST /api/integrations/:id/operation": {
    readonly body: {
      readonly kind: string;
      /** Fits the schema of the kind. */
      readonly input?: Readonly<Record<string, unknown>>;
    };
    readonly data: IntegrationOperationRecord | null;
  };
  readonly "POST /api/integrations/:id/operation/answer": {
    readonly body: {
      /** Kind of the question that is answered, or `refuse`. */
      readonly kind: string;
    } & Readonly<Record<string, unknown>>;
    readonly data: IntegrationOperationRecord | null;
  };
  readonly "GET /api/integrations/:id/operations": {
    readonly data: readonly {
      readonly kind: string;
      readonly name: string;
      /** The operation in a sentence. */
      readonly about: string;
      /** JSON Schema 2020-12 of the input. */
      readonly input: Readonly<Record<string, unknown>>;
    }[];
  };
  readonly "POST /api/integrations/:id/restart": {
    readonly data: Integration;
  };
  readonly "POST /api/integrations/:id/start": {
    readonly data: Integration;
  };
  readonly "POST /api/integrations/:id/stop": {
    readonly data: Integration;
  };
  readonly "GET /api/integrations/found": {
    readonly data: readonly {
      /** The type that could use it. One thing can be listed for several. */
      readonly type: string;
      /** As its maker calls it. */
      readonly label: string;
      /** Settings by name, as the type describes them. Answers leave out secrets. */
      readonly settings: Readonly<Record<string, unknown>>;
    }[];
  };
  readonly "GET /api/integrations/types": {
    readonly data: readonly {
      readonly type: string;
      readonly name: string;
      /** The devices or services that it connects. */
      readonly about: string;
      /** Families of its nodes. */
      readonly families: readonly number[];
      readonly instancesMax: number;
      /** It is a notification channel. */
      readonly notifies: boolean;
      /** JSON Schema 2020-12 of the settings. A setting with writeOnly is a secret. */
      readonly settings: Readonly<Record<string, unknown>>;
    }[];
  };
  readonly "GET /api/matter": {
    readonly data: MatterRecord;
  };
  readonly "DELETE /api/matter/bridge/fabrics/:index": {
    readonly data: MatterRecord;
  };
  readonly "POST /api/matter/bridge/window": {
    readonly body: {
      /** How long a further ecosystem can be added. */
      readonly seconds: number;
    };
    readonly data: MatterRecord;
  };
  readonly "POST /api/nodes": {
    readonly body: {
      readonly nodeType: "node" | "group" | "folder";
      /** 1 to 200 characters. */
      readonly name?: string;
      readonly address?: string;
      /** Where it lies; null, empty or 0 is the top of the tree. */
      readonly parentAddress?: string | null;
      /** node, group or folder. Without it the address decides. */
      readonly parentNodeType?: string | null;
    };
    readonly data: {
      readonly address: string;
      readonly nodeType: "node" | "group" | "folder";
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "DELETE /api/nodes/:address": {
    readonly body: {
      readonly nodeType?: "node" | "group" | "folder";
      /** Family of a node. Refused when the node has another family. */
      readonly family?: number;
      /** What happens to a folder that is not empty: refuse (the default), keep its contents, or delete them too. */
      readonly contents?: "refuse" | "keep" | "delete";
    };
    readonly data: {
      readonly address: string;
      readonly nodeType: "node" | "group" | "folder";
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "PATCH /api/nodes/:address": {
    readonly body: {
      /** 1 to 200 characters. */
      readonly name?: string;
      readonly nodeType?: "node" | "group" | "folder";
      readonly enabled?: boolean;
      /** Why the node is disabled, at most 200 characters. */
      readonly reason?: string;
      /** Where it lies; null, empty or 0 is the top of the tree. */
      readonly parentAddress?: string | null;
      /** node, group or folder. Without it the address decides. */
      readonly parentNodeType?: string | null;
      /** What a contact, switch or outlet is used for; null: not said. Programs by room and role read it. */
      readonly use?: "window" | "door" | "gate" | "lamp" | "grid" | "solar" | "battery" | "gas" | "water" | "other" | null;
    };
    readonly data: {
      readonly address: string;
      readonly nodeType: "node" | "group" | "folder";
      /** Programs by room and role for which the change makes a difference. Of a folder 100 nodes are looked at. */
      readonly programs: readonly {
        /** Four hex digits. */
        readonly id: string;
        readonly name: string;
        /** true: the program means more of these nodes now; false: fewer. */
        readonly isMeant: boolean;
      }[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "GET /api/nodes/:address/events": {
    readonly data: {
      readonly events: readonly NodeEvent[];
      /** How far back the journal was searched; null: it is empty. */
      readonly searchedTo: string | null;
    };
  };
  readonly "GET /api/nodes/:address/parameters": {
    readonly data: readonly KnownParameter[];
  };
  readonly "GET /api/nodes/:address/parameters/:number": {
    readonly data: {
      /** Its number. */
      readonly number: number;
      /** Bytes. */
      readonly size: 1 | 2 | 4;
      /** Raw; displayed = value / 10^prec. */
      readonly value: number;
    };
  };
  readonly "PUT /api/nodes/:address/parameters/:number": {
    readonly body: {
      /** Raw; displayed = value / 10^prec. */
      readonly value: number;
      /** Bytes. Default: those that it is known to have. */
      readonly size?: 1 | 2 | 4;
    };
    readonly data: null;
  };
  readonly "POST /api/nodes/:address/replace": {
    readonly body: {
      /** Address of the first node of the new device. */
      readonly by: string;
      /** Also where the new device cannot do all that the old one did. */
      readonly force?: boolean;
      /** Only programs name the other node; both nodes keep their name, place and scenes. */
      readonly programsOnly?: boolean;
    };
    readonly data: Replacement;
  };
  readonly "GET /api/past": {
    readonly data: PastMoment;
  };
  readonly "GET /api/persons": {
    readonly data: readonly Person[];
  };
  readonly "POST /api/persons/:id/address": {
    readonly body: {
      /** How the phone reaches the portal. Left out: the address of this request. */
      readonly base?: string;
    };
    readonly data: PersonAddress;
  };
  readonly "GET /api/place": {
    readonly data: Place;
  };
  readonly "PATCH /api/place": {
    readonly body: {
      /** Name of the controller and its root group. */
      readonly name?: string;
      /** IANA zone, such as Europe/Berlin. */
      readonly timeZone?: string;
      /** Degrees north, −90 to 90. */
      readonly latitude?: number;
      /** Degrees east, −180 to 180. */
      readonly longitude?: number;
      readonly elevation?: number;
      /** Units for temperatures and lengths. */
      readonly units?: "metric" | "us";
      /** What a kilowatt-hour of the grid costs; null: not said. */
      readonly tariff?: {
        /** ISO 4217, such as EUR. */
        readonly currency: string;
        readonly prices: readonly {
          /** Minute of the day from which it holds, until the next one. */
          readonly from: number;
          readonly price: number;
        }[];
        /** Address of a node whose status is the price; the prices hold while it is not known. */
        readonly node: string | null;
      } | null;
    };
    readonly data: {
      /** Name of the controller and its root group. */
      readonly name: string;
      /** IANA zone, such as Europe/Berlin. */
      readonly timeZone: string;
      /** Degrees north, −90 to 90. */
      readonly latitude: number;
      /** Degrees east, −180 to 180. */
      readonly longitude: number;
      /** Meters above sea level, −500 to 9000. */
      readonly elevation: number | null;
      /** Units for temperatures and lengths. */
      readonly units: "metric" | "us";
      /** What a kilowatt-hour of the grid costs; null: not said. */
      readonly tariff: {
        /** ISO 4217, such as EUR. */
        readonly currency: string;
        readonly prices: readonly {
          /** Minute of the day from which it holds, until the next one. */
          readonly from: number;
          readonly price: number;
        }[];
        /** Address of a node whose status is the price; the prices hold while it is not known. */
        readonly node: string | null;
      } | null;
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "DELETE /api/plugin/:slot": {
    readonly data: null;
  };
  readonly "GET /api/plugin/:slot": {
    readonly data: PluginRecord;
  };
  readonly "GET /api/plugin/:slot/config": {
    readonly data: PluginSettings;
  };
  readonly "POST /api/plugin/:slot/config": {
    readonly body: {
      /** Merged into the present parameters; null removes one. */
      readonly parameters?: Readonly<Record<string, string | null>>;
      /** Replaces the values of its form. */
      readonly typedData?: Readonly<Record<string, unknown>> | readonly unknown[];
      readonly shortPoll?: number;
      readonly longPoll?: number;
      readonly logLevel?: string;
      /** The rights of its own account at the REST interface. The plugin is restarted. */
      readonly access?: "none" | "guest" | "user" | "owner";
      /** Whether it has a web address; each turning on makes a new one. */
      readonly webHook?: boolean;
    };
    readonly data: PluginSettings;
  };
  readonly "POST /api/plugin/:slot/custom/:key": {
    readonly body: {
      /** Any value; null removes it. */
      readonly value: unknown;
    };
    readonly data: {
      readonly key: string;
      /** Null: nothing is stored. */
      readonly value: unknown;
    };
  };
  readonly "POST /api/plugin/:slot/discover": {
    readonly data: null;
  };
  readonly "POST /api/plugin/:slot/download": {
    readonly body: {
      /** Address of a .tgz or .zip archive, https:// or http://. */
      readonly url: string;
    };
    readonly data: PluginRecord;
  };
  readonly "GET /api/plugin/:slot/log": {
    readonly data: {
      readonly text: string;
    };
  };
  readonly "DELETE /api/plugin/:slot/notice/:key": {
    readonly data: PluginSettings;
  };
  readonly "POST /api/plugin/:slot/oauth/start": {
    readonly body: {
      /** Under which the browser reaches the portal. */
      readonly origin: string;
    };
    readonly data: {
      /** The page of the service. */
      readonly url: string;
      /** Where the browser returns. It has to be registered at the service. */
      readonly redirectUrl: string;
    };
  };
  readonly "POST /api/plugin/:slot/restart": {
    readonly data: PluginRecord;
  };
  readonly "POST /api/plugin/:slot/start": {
    readonly data: PluginRecord;
  };
  readonly "POST /api/plugin/:slot/stop": {
    readonly data: PluginRecord;
  };
  readonly "POST /api/plugin/:slot/upgrade": {
    readonly data: PluginRecord;
  };
  readonly "GET /api/plugins": {
    readonly data: readonly PluginRecord[];
  };
  readonly "POST /api/plugins": {
    readonly data: PluginRecord;
  };
  readonly "POST /api/plugins/download": {
    readonly body: {
      /** Address of a .tgz or .zip archive, https:// or http://. */
      readonly url: string;
      /** Its name. Default: as the plugin calls itself. */
      readonly name?: string;
      /** python3, node or binary, where the plugin has no server.json. */
      readonly type?: string;
      /** The file to run, where the plugin has no server.json. */
      readonly executable?: string;
    };
    readonly data: PluginRecord;
  };
  readonly "GET /api/proposals": {
    readonly data: readonly Proposal[];
  };
  readonly "POST /api/proposals": {
    readonly body: {
      readonly kind: "program" | "name" | "command";
      readonly why: string;
      /** `program`: the text form of docs/programs.md. */
      readonly text?: string;
      /** `name`, `command`: the node, scene or folder. */
      readonly address?: string;
      /** `name`: the new one. */
      readonly name?: string;
      /** `command`: its id. */
      readonly command?: string;
      /** `command`: its parameter, if it has one. */
      readonly value?: number;
    };
    readonly data: Proposal;
  };
  readonly "POST /api/proposals/:id/approve": {
    readonly data: Proposal;
  };
  readonly "POST /api/proposals/:id/reject": {
    readonly data: Proposal;
  };
  readonly "POST /api/proposals/stop": {
    readonly body: {
      readonly account: string;
    };
    readonly data: {
      /** Proposals that were waiting. */
      readonly rejected: number;
      /** Titles of the edits that were undone. */
      readonly undone: readonly string[];
      /** Edits that stay, each with the reason. */
      readonly kept: readonly string[];
    };
  };
  readonly "GET /api/radios": {
    readonly data: readonly {
      /** Name of its driver. */
      readonly name: string;
      /** Family of its nodes. */
      readonly family: number;
      /** In lower case, it names the network as well. */
      readonly protocol: string;
      readonly state: "starting" | "ready" | "degraded" | "failed" | "stopped";
      readonly detail: string;
      /** null while the adapter is not running. */
      readonly about: RadioAbout | null;
      readonly operation: IntegrationOperationRecord | null;
    }[];
  };
  readonly "GET /api/radios/:radio": {
    readonly data: {
      /** Name of its driver. */
      readonly name: string;
      /** Family of its nodes. */
      readonly family: number;
      /** In lower case, it names the network as well. */
      readonly protocol: string;
      readonly state: "starting" | "ready" | "degraded" | "failed" | "stopped";
      readonly detail: string;
      /** null while the adapter is not running. */
      readonly about: RadioAbout | null;
      readonly operation: IntegrationOperationRecord | null;
    };
  };
  readonly "GET /api/radios/:radio/diagnostics": {
    readonly data: {
      readonly format: 1;
      /** ISO 8601 in UTC. */
      readonly time: string;
      readonly versions: Readonly<Record<string, string>>;
      /** The driver and the latest operation. */
      readonly radio: Readonly<Record<string, unknown>>;
      /** Adapter, queues, devices; null while the adapter is not running. */
      readonly network: Readonly<Record<string, unknown>> | null;
      /** The nodes of the devices. */
      readonly nodes: readonly Readonly<Record<string, unknown>>[];
      readonly nodedefs: readonly Readonly<Record<string, unknown>>[];
      /** The latest commands that failed, newest first. */
      readonly failures: readonly Readonly<Record<string, unknown>>[];
      /** Errors of the adapter and its devices, oldest first. */
      readonly troubles: readonly Readonly<Record<string, unknown>>[];
    };
  };
  readonly "PUT /api/radios/:radio/memory": {
    readonly data: IntegrationOperationRecord | null;
  };
  readonly "GET /api/radios/:radio/nodes": {
    readonly data: readonly RadioDevice[];
  };
  readonly "POST /api/radios/:radio/nodes/:address/firmware": {
    readonly data: IntegrationOperationRecord | null;
  };
  readonly "GET /api/radios/:radio/nodes/:address/health": {
    readonly data: RadioDevice;
  };
  readonly "POST /api/radios/:radio/nodes/:address/ping": {
    readonly data: RadioDevice;
  };
  readonly "GET /api/radios/:radio/provisioning": {
    readonly data: readonly ProvisionedDevice[];
  };
  readonly "PUT /api/radios/:radio/provisioning": {
    readonly body: {
      /** Eight groups of five digits, with hyphens. */
      readonly dsk?: string;
      /** The security classes to grant. */
      readonly security?: readonly ("S2-access-control" | "S2-authenticated" | "S2-unauthenticated" | "S0")[];
      /** false: listed, but not included. Default: true. */
      readonly active?: boolean;
      /** Digits of the printed QR code, instead of the key. */
      readonly qr?: string;
    };
    readonly data: ProvisionedDevice;
  };
  readonly "DELETE /api/radios/:radio/provisioning/:dsk": {
    readonly data: null;
  };
  readonly "GET /api/replays": {
    readonly data: readonly {
      readonly id: string;
      readonly state: "running" | "done" | "failed";
      readonly progress: number;
      /** ISO 8601 in UTC. */
      readonly from: string;
      /** ISO 8601 in UTC. */
      readonly until: string;
      /** A sentence; null unless it failed. */
      readonly failure: string | null;
    }[];
  };
  readonly "POST /api/replays": {
    readonly body: {
      /** ISO 8601 in UTC. */
      readonly from: string;
      /** Now when it is left out. */
      readonly until?: string;
      readonly changes?: readonly {
        /** The text form of docs/programs.md. */
        readonly text: string;
        /** Id or name. Without it the text names the program, or it is a new one. */
        readonly program?: string;
      }[];
    };
    readonly data: Replay;
  };
  readonly "DELETE /api/replays/:id": {
    readonly data: null;
  };
  readonly "GET /api/replays/:id": {
    readonly data: Replay;
  };
  readonly "GET /api/resource-targets": {
    readonly data: {
      readonly targets: readonly string[];
    };
  };
  readonly "PUT /api/resource-targets": {
    readonly body: {
      readonly targets: readonly string[];
    };
    readonly data: {
      readonly targets: readonly string[];
    };
  };
  readonly "POST /api/resources": {
    readonly body: {
      readonly name: string;
      /** http://, https://, tcp:// or udp:// with host, port, path and query. */
      readonly url: string;
      /** The body to send. Never shown. */
      readonly body?: string;
      /** HTTP only: GET (when left out), POST, PUT, DELETE, PATCH or HEAD. */
      readonly method?: string;
      /** HTTP only. Values that may be secret are shown as (hidden). */
      readonly headers?: readonly {
        readonly name: string;
        readonly value: string;
      }[];
      /** Milliseconds; 10000 when left out. */
      readonly timeoutMs?: number;
    };
    readonly data: {
      readonly id: number;
      /** Owners see it with an ellipsis for what may be a key; for others path and query are an ellipsis. */
      readonly url: string;
      /** Length of the body, which is never shown. */
      readonly bodyBytes: number;
      /** False: requests to its target are refused until /api/resource-targets or a setting allows it. */
      readonly allowed: boolean;
      readonly name: string;
      /** HTTP only: GET (when left out), POST, PUT, DELETE, PATCH or HEAD. */
      readonly method: string;
      /** HTTP only. Values that may be secret are shown as (hidden). */
      readonly headers: readonly {
        readonly name: string;
        readonly value: string;
      }[];
      /** Milliseconds; 10000 when left out. */
      readonly timeoutMs: number;
      /** Values in its texts that name nothing of the home; each is sent as a question mark. */
      readonly unknownValues: readonly string[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "DELETE /api/resources/:id": {
    readonly data: {
      readonly id: number;
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "GET /api/resources/:id": {
    readonly data: {
      readonly id: number;
      /** Owners see it with an ellipsis for what may be a key; for others path and query are an ellipsis. */
      readonly url: string;
      /** Length of the body, which is never shown. */
      readonly bodyBytes: number;
      /** False: requests to its target are refused until /api/resource-targets or a setting allows it. */
      readonly allowed: boolean;
      readonly name: string;
      /** HTTP only: GET (when left out), POST, PUT, DELETE, PATCH or HEAD. */
      readonly method: string;
      /** HTTP only. Values that may be secret are shown as (hidden). */
      readonly headers: readonly {
        readonly name: string;
        readonly value: string;
      }[];
      /** Milliseconds; 10000 when left out. */
      readonly timeoutMs: number;
    };
  };
  readonly "PATCH /api/resources/:id": {
    readonly body: {
      /** http://, https://, tcp:// or udp:// with host, port, path and query. */
      readonly url?: string;
      /** The body to send. Never shown. */
      readonly body?: string;
      readonly name?: string;
      /** HTTP only: GET (when left out), POST, PUT, DELETE, PATCH or HEAD. */
      readonly method?: string;
      /** HTTP only. Values that may be secret are shown as (hidden). */
      readonly headers?: readonly {
        readonly name: string;
        readonly value: string;
      }[];
      /** Milliseconds; 10000 when left out. */
      readonly timeoutMs?: number;
    };
    readonly data: {
      readonly id: number;
      /** Owners see it with an ellipsis for what may be a key; for others path and query are an ellipsis. */
      readonly url: string;
      /** Length of the body, which is never shown. */
      readonly bodyBytes: number;
      /** False: requests to its target are refused until /api/resource-targets or a setting allows it. */
      readonly allowed: boolean;
      readonly name: string;
      /** HTTP only: GET (when left out), POST, PUT, DELETE, PATCH or HEAD. */
      readonly method: string;
      /** HTTP only. Values that may be secret are shown as (hidden). */
      readonly headers: readonly {
        readonly name: string;
        readonly value: string;
      }[];
      /** Milliseconds; 10000 when left out. */
      readonly timeoutMs: number;
      /** Values in its texts that name nothing of the home; each is sent as a question mark. */
      readonly unknownValues: readonly string[];
      /** Number of the edit, to undo it; null when nothing is different. */
      readonly edit: number | null;
    };
  };
  readonly "POST /api/resources/:id/test": {
    readonly data: {
      readonly outcome: "done" | "failed";
      readonly detail: string;
      readonly request: {
        readonly id: number;
        /** Owners see it with an ellipsis for what may be a key; for others path and query are an ellipsis. */
        readonly url: string;
        /** Length of the body, which is never shown. */
        readonly bodyBytes: number;
        /** False: requests to its target are refused until /api/resource-targets or a setting allows it. */
        readonly allowed: boolean;
        readonly name: string;
        /** HTTP only: GET (when left out), POST, PUT, DELETE, PATCH or HEAD. */
        readonly method: string;
        /** HTTP only. Values that may be secret are shown as (hidden). */
        readonly headers: readonly {
          readonly name: string;
          readonly value: string;
        }[];
        /** Milliseconds; 10000 when left out. */
        readonly timeoutMs: number;
      };
      readonly answer: {
        readonly status: number | null;
        readonly contentType: string;
        /** The answer's body, cut after networkAnswerBytesMax bytes. */
        readonly text: string;
      } | null;
    };
  };
  readonly "GET /api/uses/:kind/*": {
    readonly data: readonly Use[];
  };
  readonly "GET /api/why/node/:address": {
    readonly data: {
      readonly address: string;
      readonly property: string;
      /** The value at that time, in words; null when it is no longer stored. */
      readonly value: string | null;
      /** ISO 8601 in UTC; null when it is not known. */
      readonly since: string | null;
      readonly name: string;
      /** The whole answer for a person; times are those of the zone of the home. */
      readonly sentences: readonly string[];
      /** The same as the sentences. */
      readonly messages: readonly Message[];
      /** Steps of the cause chain, from the event back to its origin. */
      readonly steps: readonly WhyStep[];
      /** A sentence about missing records; null when nothing is missing. */
      readonly missing: string | null;
    };
  };
  readonly "GET /api/why/program/:id": {
    readonly data: {
      readonly id: string;
      /** `nothing`: nothing made the controller look at it. */
      readonly answer: "then" | "else" | "not-run" | "cut" | "evaluated" | "nothing";
      /** ISO 8601 in UTC; null when it is not known. */
      readonly time: string | null;
      /** Every condition with its result at that time. */
      readonly conditions: readonly {
        /** The statement as in the program's text. */
        readonly text: string;
        readonly isTrue: boolean;
        /** The value that was compared, in words. */
        readonly found: string | null;
      }[];
      readonly name: string;
      /** The whole answer for a person; times are those of the zone of the home. */
      readonly sentences: readonly string[];
      /** The same as the sentences. */
      readonly messages: readonly Message[];
      /** Steps of the cause chain, from the event back to its origin. */
      readonly steps: readonly WhyStep[];
      /** A sentence about missing records; null when nothing is missing. */
      readonly missing: string | null;
    };
  };
};

export type Account = {
  readonly id: string;
  /** portal: logs in with an e-mail address and gets tokens. local: basic authentication. */
  readonly kind: "portal" | "local";
  readonly login: string;
  readonly role: "owner" | "user" | "guest";
  /** The things that it can reach; null: the whole home. */
  readonly limits: {
    /** Addresses of folders, each with everything in it. */
    readonly folders: readonly string[];
    /** Addresses of nodes. */
    readonly nodes: readonly string[];
    /** Addresses of scenes. */
    readonly scenes: readonly string[];
    /** Whether scenes of the folders that also command devices outside of the limits are left out. */
    readonly scenesWithin: boolean;
    /** Ids of programs, and of program folders with everything in them. */
    readonly programs: readonly string[];
    /** Type and id, for example 2/5. */
    readonly variables: readonly string[];
    /** Ids of network resources. */
    readonly resources: readonly number[];
    /** The only commands that it may send. Left out, or null: all that its role allows. */
    readonly commands: readonly string[] | null;
  } | null;
  /** When the account can be used; null: at all times. */
  readonly hours: readonly {
    readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
    /** Local time of the home, such as 07:30. */
    readonly from: string;
    /** At or before `from`: on the next day. */
    readonly to: string;
  }[] | null;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** Only of an assistant: what it changes without asking. */
  readonly assistant?: readonly ("program" | "name")[];
};

export type AccountSession = {
  readonly id: string;
  /** The login, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** The latest use of a refresh token, or the login. */
  readonly renewedAt: string;
  /** The end, unless it is used again before. */
  readonly expiresAt: string;
  /** User-Agent of the login; null: not known. */
  readonly client: string | null;
  /** Whether this request belongs to it. */
  readonly isCurrent: boolean;
};

export type Alert = {
  /** Address of its node. */
  readonly node: string;
  /** That of its node. */
  readonly name: string;
  /** water, smoke, gas, carbon-monoxide, break-in or jam; empty: its owner added it. */
  readonly kind: string;
  readonly status: "off" | "ringing" | "confirmed";
  /** What rings, as a sentence; empty: it does not ring. */
  readonly text: string;
  readonly urgency: "low" | "normal" | "high" | "critical";
  /** ISO 8601 in UTC; null: it does not ring. */
  readonly since: string | null;
  /** Nodes that say so, as far as the account sees them. */
  readonly sources: readonly string[];
  /** Who gets it, and when. */
  readonly order: string;
  readonly buttons: readonly {
    /** For people. */
    readonly label: string;
    /** What it does, as programs write it. */
    readonly action: string;
  }[];
  /** Who got it. Empty for accounts with limits. */
  readonly told: readonly {
    /** Name. */
    readonly channel: string;
    /** ISO 8601 in UTC. */
    readonly at: string;
    /** Why it was not delivered, or empty. */
    readonly failure: string;
  }[];
  /** When the next step of the order comes, ISO 8601 in UTC; null: none does. */
  readonly nextAt: string | null;
  readonly answer: AlertAnswer | null;
};

export type AlertAnswer = {
  /** Login name, or the channel where that belongs to no account; empty: a program, or not for this account. */
  readonly by: string;
  /** The page or the API, a channel's message, or a command. */
  readonly way: "page" | "channel" | "command";
  /** Channel whose message was answered, or empty. */
  readonly channel: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Label of the button; empty: it was only confirmed. */
  readonly button: string;
  /** What came of the button, as a sentence; empty: nothing yet, or no button. */
  readonly outcome: string;
};

export type AlertAnswered = {
  /** false: another answer was first, which `answer` shows. */
  readonly first: boolean;
  readonly answer: AlertAnswer;
};

export type Backup = {
  readonly id: string;
  readonly kind: "asked" | "nightly";
  /** proving: it is restored into memory and compared; ready: that went well. */
  readonly state: "making" | "proving" | "ready" | "failed";
  /** When the home was copied. ISO 8601 in UTC. */
  readonly time: string;
  readonly encrypted: boolean;
  /** Progress of writing and verifying the backup. */
  readonly progress: number;
  /** null until it is ready. */
  readonly bytes: number | null;
  /** Checksum of the file. SHA-256 in lower-case hex; null until it is ready, and after a restart of the controller. */
  readonly sha256: string | null;
  /** Checksum of the home's logical state. SHA-256 in lower-case hex; null until it is ready, and after a restart of the controller. */
  readonly logicalHash: string | null;
  /** A sentence; null unless it failed. */
  readonly failure: string | null;
  /** The last self-test, when it was of this backup: it was read again and restored into memory. */
  readonly test: {
    readonly time: string;
    /** A sentence; null: it restores. */
    readonly failure: string | null;
  } | null;
};

export type EditDetail = {
  /** Its number. */
  readonly edit: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The account, or null. */
  readonly by: string | null;
  /** The edit as a sentence. */
  readonly title: string;
  /** Number of the edit that it took back. */
  readonly undoes: number | null;
  /** Number of the edit that took it back. */
  readonly undoneBy: number | null;
  /** The reason why it cannot be undone; null when it can. */
  readonly obstacle: string | null;
  readonly things: readonly EditedThing[];
};

export type EditSummary = {
  /** Its number. */
  readonly edit: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The account, or null. */
  readonly by: string | null;
  /** The edit as a sentence. */
  readonly title: string;
  /** Number of the edit that it took back. */
  readonly undoes: number | null;
  /** Number of the edit that took it back. */
  readonly undoneBy: number | null;
};

export type EditedThing = {
  readonly kind: string;
  readonly key: string;
  /** The state before: a program as text, other things as members; null: it did not exist. */
  readonly before: Readonly<Record<string, unknown>> | string | null;
  /** The same afterwards; null: it was removed. */
  readonly after: Readonly<Record<string, unknown>> | string | null;
};

export type GuestLink = {
  readonly id: string;
  readonly name: string;
  /** guest when it is left out. */
  readonly role: "user" | "guest";
  readonly limits: {
    /** Addresses of folders, each with everything in it. */
    readonly folders: readonly string[];
    /** Addresses of nodes. */
    readonly nodes: readonly string[];
    /** Addresses of scenes. */
    readonly scenes: readonly string[];
    /** Whether scenes of the folders that also command devices outside of the limits are left out. */
    readonly scenesWithin: boolean;
    /** Ids of programs, and of program folders with everything in them. */
    readonly programs: readonly string[];
    /** Type and id, for example 2/5. */
    readonly variables: readonly string[];
    /** Ids of network resources. */
    readonly resources: readonly number[];
    /** The only commands that it may send. Left out, or null: all that its role allows. */
    readonly commands: readonly string[] | null;
  };
  /** When the account can be used; null: at all times. */
  readonly hours: readonly {
    readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
    /** Local time of the home, such as 07:30. */
    readonly from: string;
    /** At or before `from`: on the next day. */
    readonly to: string;
  }[] | null;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** ISO 8601 in UTC; null: until it is revoked. */
  readonly expiresAt: string | null;
  /** Start of the latest visit; null: none since the controller started. */
  readonly visitedAt: string | null;
};

export type Integration = {
  /** The type, with a number where there are several. Nodes name it. */
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** Whether it runs, and starts with the controller. */
  readonly enabled: boolean;
  readonly state: "starting" | "ready" | "degraded" | "failed" | "stopped";
  /** Why it is in this state: a sentence, or empty. */
  readonly reason: string;
  /** Settings by name, as the type describes them. Answers leave out secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of the secret settings that are set. */
  readonly secrets: readonly string[];
  /** Number of its nodes. */
  readonly nodes: number;
  /** The setting of the controller that configures it; null: it is configured here. */
  readonly setting: string | null;
};

export type IntegrationOperationRecord = {
  readonly id: string;
  readonly kind: string;
  /** done, failed and cancelled end it. */
  readonly stage: string;
  /** The present question to a person. */
  readonly question: {
    /** The answer repeats it. */
    readonly kind: string;
    /** Information for the person's decision. */
    readonly data: Readonly<Record<string, unknown>>;
    /** JSON Schema 2020-12 of the members of the answer beside `kind`. */
    readonly answer: Readonly<Record<string, unknown>>;
  } | null;
  /** First node of the device, once it is known. */
  readonly address: string | null;
  /** Where the length of the way is known. */
  readonly percent: number | null;
  /** Facts about the outcome. */
  readonly result: Readonly<Record<string, unknown>>;
  /** A sentence for people. */
  readonly detail: string;
  /** ISO 8601 in UTC. */
  readonly startedTime: string;
  /** When it last moved. */
  readonly lastTime: string;
};

export type KnownParameter = {
  /** Its number. */
  readonly number: number;
  /** Bytes. */
  readonly size: 1 | 2 | 4;
  /** Empty: it has a number only. */
  readonly name: string;
  /** Symbol, or empty. */
  readonly unit: string;
  readonly prec: number;
  /** Raw; displayed = value / 10^prec. */
  readonly min: number | null;
  /** Raw; displayed = value / 10^prec. */
  readonly max: number | null;
  /** Names of values; without bounds no others are taken. */
  readonly choices: readonly {
    /** Raw; displayed = value / 10^prec. */
    readonly value: number;
    readonly name: string;
  }[];
};

export type Limits = {
  /** Addresses of folders, each with everything in it. */
  readonly folders?: readonly string[];
  /** Addresses of nodes. */
  readonly nodes?: readonly string[];
  /** Addresses of scenes. */
  readonly scenes?: readonly string[];
  /** Whether scenes of the folders that also command devices outside of the limits are left out. */
  readonly scenesWithin?: boolean;
  /** Ids of programs, and of program folders with everything in them. */
  readonly programs?: readonly string[];
  /** Type and id, for example 2/5. */
  readonly variables?: readonly string[];
  /** Ids of network resources. */
  readonly resources?: readonly number[];
  /** The only commands that it may send. Left out, or null: all that its role allows. */
  readonly commands?: readonly string[] | null;
};

export type MatterRecord = {
  readonly bridge: {
    /** Off: there is no integration of the type matterbridge. */
    readonly state: "off" | "starting" | "ready" | "degraded" | "failed" | "stopped";
    /** A sentence for people, or empty. */
    readonly reason: string;
    /** Whether it is in an ecosystem. */
    readonly commissioned: boolean;
    /** Nodes that it shows. */
    readonly nodes: number;
    /** The ecosystems in which it is. */
    readonly fabrics: readonly {
      /** Its number at this bridge. */
      readonly index: number;
      /** As the ecosystem calls it. */
      readonly label: string;
      /** The ecosystem's maker in the list of the standard. */
      readonly vendorId: number;
    }[];
    /** Text of the QR code. Only while an ecosystem can be added. */
    readonly qrPairingCode?: string;
    /** The code in digits. Only while an ecosystem can be added. */
    readonly manualPairingCode?: string;
  };
};

export type Message = {
  /** Stable; src/messages.ts lists them with their English sentences. */
  readonly code: string;
  /** By name; a value may be a message. */
  readonly values: Readonly<Record<string, unknown>>;
};

export type NodeEvent = {
  readonly id: number;
  /** The node. */
  readonly address: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** `sent`: by the device itself. */
  readonly kind: "value" | "command" | "sent";
  /** Name of the property or the command. */
  readonly name: string;
  /** The property with its new value; null for commands. */
  readonly property: {
    readonly id: string;
    /** Raw; displayed = value / 10^prec. null: unknown. */
    readonly value: number | null;
    readonly uom: number;
    readonly prec: number;
  } | null;
  /** Id of the property or the command. */
  readonly control: string;
  /** What the command was sent with. Numbers for locks, alarms and the like are left out. */
  readonly parameters: readonly {
    /** Label of the parameter, or empty. */
    readonly name: string;
    /** Raw; displayed = value / 10^prec. */
    readonly value: number;
    readonly uom: number;
    readonly prec: number;
    /** In words. */
    readonly text: string;
  }[];
  /** The new value, or the values of the command, in words; null: it has none. */
  readonly value: string | null;
  /** State of a command to the node; else null. */
  readonly state: "accepted" | "sent" | "queued" | "acknowledged" | "confirmed" | "failed" | null;
  /** A sentence on how the command went, or empty. */
  readonly detail: string;
  readonly by: {
    readonly kind: "program" | "account" | "device" | "controller";
    /** null where it is not known or not shown. */
    readonly name: string | null;
    /** Id of the program. */
    readonly program: string | null;
    /** The run in the trace. */
    readonly runId: string | null;
  };
};

export type PastMoment = {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Time of the first journal entry; null when the journal is empty. */
  readonly begins: string | null;
  /** The last change before `at`; null when there is none nearby. */
  readonly before: string | null;
  /** The first change after `at`; null when there is none nearby. */
  readonly after: string | null;
  /** Number of things whose value at this time is not in the journal. */
  readonly unknown: {
    readonly properties: number;
    readonly others: number;
  };
  /** ISO 8601 in UTC. */
  readonly from: string;
  /** ISO 8601 in UTC. */
  readonly to: string;
  /** Parts of the span with at least one change, in order. */
  readonly parts: readonly {
    /** Begin of the part. */
    readonly time: string;
    readonly count: number;
  }[];
};

export type Person = {
  /** Its number. */
  readonly id: string;
  /** That of its node. */
  readonly name: string;
  /** Login name of the person's account, or empty. */
  readonly account: string;
  /** Address of its node. */
  readonly node: string;
  /** Notification channels; none: that of the account's browsers. */
  readonly channels: readonly string[];
  /** null: not known. */
  readonly says: "home" | "away" | null;
  /** ISO 8601 in UTC; null: its node was removed. */
  readonly since: string | null;
  /** What says where the person is. */
  readonly sources: readonly {
    readonly kind: "phone" | "broker" | "node";
    /** Address of a node, topic of a phone at a broker; else empty. */
    readonly from: string;
    /** null: not known. */
    readonly says: "home" | "away" | null;
    /** ISO 8601 in UTC; null: never. */
    readonly heardAt: string | null;
    /** A sentence for people: why it is in this state. */
    readonly reason: string;
  }[];
};

export type PersonAddress = {
  /** Where the person's phone sends to. It holds the token, which is not shown again. */
  readonly url: string;
  /** Opens OwnTracks with its settings; as a QR code for the phone's camera. */
  readonly link: string;
};

export type Place = {
  /** Name of the controller and its root group. */
  readonly name: string;
  /** IANA zone, such as Europe/Berlin. */
  readonly timeZone: string;
  /** Degrees north, −90 to 90. */
  readonly latitude: number;
  /** Degrees east, −180 to 180. */
  readonly longitude: number;
  /** Meters above sea level, −500 to 9000. */
  readonly elevation: number | null;
  /** Units for temperatures and lengths. */
  readonly units: "metric" | "us";
  /** What a kilowatt-hour of the grid costs; null: not said. */
  readonly tariff: {
    /** ISO 4217, such as EUR. */
    readonly currency: string;
    readonly prices: readonly {
      /** Minute of the day from which it holds, until the next one. */
      readonly from: number;
      readonly price: number;
    }[];
    /** Address of a node whose status is the price; the prices hold while it is not known. */
    readonly node: string | null;
  } | null;
};

export type PluginRecord = {
  /** The id of its integration. */
  readonly id: string;
  /** Its slot. */
  readonly profileNum: number;
  /** The same as `id`. */
  readonly nsid: string;
  readonly name: string;
  readonly isLocal: boolean;
  /** Whether it brings tools for assistants: never. */
  readonly aiSupport: boolean;
  readonly desc: null;
  /** Whether it runs, and starts with the controller. */
  readonly enabled: boolean;
  /** `running` only while the plugin is connected. */
  readonly state: "starting" | "running" | "stopped" | "failed" | "crashed";
  /** Why it is in this state: a sentence, or empty. */
  readonly reason: string;
  readonly version: string;
  readonly pid: number | null;
  /** Its directory. */
  readonly home: string;
  readonly nodes: number;
  /** Memory of its processes; null while it does not run. */
  readonly memoryMiB: number | null;
  /** Processor time in percent of one processor, averaged over pluginCpuWindowMs. */
  readonly cpuPercent: number | null;
  /** Number of its processes. */
  readonly processes: number | null;
  /** Open files and sockets of the process that has the most. */
  readonly openFiles: number | null;
  /** Size of its directory; measured after it has written much. */
  readonly diskMiB: number | null;
  /** Messages that it sent in the latest full second. */
  readonly messagesPerSecond: number;
  /** Whether the controller's data and processes are hidden from it. */
  readonly sandboxed: boolean;
  /** Number of notices that the plugin shows. */
  readonly notices: number;
};

export type PluginSettings = {
  /** Values by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The definition of its form, as the plugin wrote it, or null. */
  readonly typedParameters: unknown;
  /** The values of the form, or null. */
  readonly typedData: unknown;
  /** Texts by key. They may hold HTML, unchecked. */
  readonly notices: Readonly<Record<string, string>>;
  /** The plugin's own page about its parameters, as HTML, unchecked. */
  readonly help: string;
  /** Seconds between two short polls. */
  readonly shortPoll: number;
  /** Seconds between two long polls. */
  readonly longPoll: number;
  readonly logLevel: string;
  /** The levels that it knows. */
  readonly logLevels: readonly string[];
  /** The rights of its own account at the REST interface. */
  readonly access: "none" | "guest" | "user" | "owner";
  /** Path of its web address; null without one. */
  readonly webHook: string | null;
  /** Whether it has settings of a sign-in (OAuth). */
  readonly signIn: boolean;
};

export type Proposal = {
  readonly id: string;
  /** Login of the account that proposes. */
  readonly account: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly kind: "program" | "name" | "command";
  /** What would be done, in a sentence without a period. */
  readonly title: string;
  /** The reason that the assistant gives. */
  readonly why: string;
  /** Of a program: its text afterwards. */
  readonly text: string | null;
  /** Of a program: its text until now; null: it is a new one. */
  readonly before: string | null;
  /** What verification finds in the program. */
  readonly findings: readonly {
    readonly severity: string;
    readonly sentence: string;
    readonly line: number | null;
  }[];
  /** What the program would have done otherwise in the last week; null: it could not be replayed in time. */
  readonly lastWeek: {
    readonly differences: number;
    readonly lines: readonly string[];
  } | null;
  /** It always asks: it may move a lock, a garage door, a siren or an alarm. */
  readonly isSecured: boolean;
  readonly state: "waiting" | "approved" | "rejected";
  /** The person who decided; null: none, or allowed without asking. */
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
};

export type ProvisionedDevice = {
  /** Eight groups of five digits, with hyphens. */
  readonly dsk: string;
  /** The security classes to grant. */
  readonly security: readonly ("S2-access-control" | "S2-authenticated" | "S2-unauthenticated" | "S0")[];
  /** false: listed, but not included. Default: true. */
  readonly active: boolean;
  /** First node of the device once it is in. */
  readonly address: string | null;
};

export type RadioAbout = {
  /** Eight hexadecimal digits; null, as all that only a mesh with keys has, in another network. */
  readonly homeId: string | null;
  readonly nodeId: number | null;
  readonly firmware: string | null;
  readonly library: string | null;
  readonly region: string | null;
  readonly nodes: number;
  /** The adapter finds no free moment to send. */
  readonly isJammed: boolean;
  readonly acceptsProvisioned: boolean | null;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  /** Frames that the adapter refused or did not answer. */
  readonly refused: number | null;
  readonly collisions: number | null;
  readonly timeouts: number;
  /** Background noise of each channel in dBm. */
  readonly noiseDbm: readonly number[] | null;
};

export type RadioDevice = {
  readonly address: string;
  readonly state: "alive" | "asleep" | "dead" | "unknown";
  readonly responding: boolean;
  /** Battery level as last reported; null for a device without one. */
  readonly batteryPercent: number | null;
  /** ISO 8601 in UTC. */
  readonly lastSeenTime: string | null;
  /** Average of commands to it and back. */
  readonly roundTripMs: number | null;
  /** Received signal strength. */
  readonly signalDbm: number | null;
  /** Addresses of the devices that repeat for it, in order; null while unknown. */
  readonly route: readonly string[] | null;
  readonly firmware: string | null;
  /** null: it is not encrypted. */
  readonly security: string | null;
  /** null in a network without keys. */
  readonly interviewStage: "none" | "protocol" | "node-info" | "command-classes" | "configuration" | "complete" | null;
  readonly interviewed: boolean;
  /** kbit/s. */
  readonly routeSpeed: number | null;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly timeouts: number;
};

export type Replacement = {
  /** Old address to new one. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The abilities that the new device lacks, as sentences. */
  readonly misfits: readonly string[];
  /** Number of the edit, to undo it; null when nothing is different. */
  readonly edit: number | null;
};

export type Replay = {
  readonly id: string;
  readonly state: "running" | "done" | "failed";
  readonly progress: number;
  /** ISO 8601 in UTC. */
  readonly from: string;
  /** ISO 8601 in UTC. */
  readonly until: string;
  /** A sentence; null unless it failed. */
  readonly failure: string | null;
  /** null until it is done. */
  readonly result: ReplayResult | null;
};

export type ReplayResult = {
  /** ISO 8601 in UTC. */
  readonly from: string;
  /** ISO 8601 in UTC. */
  readonly until: string;
  /** IANA time zone of the local times. */
  readonly zone: string;
  /** When the last recorded entry was made. */
  readonly journalEnds: string;
  readonly entries: number;
  /** Entries that the journal lacks. */
  readonly missing: number;
  /** Unknown parts of the home at the beginning. */
  readonly unknown: {
    readonly properties: number;
    readonly others: number;
  };
  /** Commands that programs sent, and those of them that the unchanged programs send again. */
  readonly faithful: {
    readonly recorded: number;
    readonly repeated: number;
  };
  readonly programs: readonly {
    readonly id: string;
    readonly name: string;
    readonly changed: boolean;
    readonly runsBefore: number;
    readonly runsAfter: number;
  }[];
  /** The actions of the programs; empty with changes. */
  readonly actions: readonly ReplayedAction[];
  readonly differences: readonly ReplayedDifference[];
  /** Also those that are left out. */
  readonly actionsTotal: number;
  /** Also those that are left out. */
  readonly differencesTotal: number;
};

export type ReplayedAction = {
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** Local time of the home. */
  readonly localTime: string;
  readonly program: {
    readonly id: string;
    readonly name: string;
  };
  readonly action: "command" | "resource" | "notify" | "variable" | "link";
  /** Node, scene, network resource or variable; null for a notification. */
  readonly target: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** null for anything but commands. */
  readonly command: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** Parameters of the command, or the value of the variable. */
  readonly values: readonly string[];
  /** The statement as in the text of a program. */
  readonly text: string;
  /** false: it rests on a device that was commanded otherwise than recorded. */
  readonly certain: boolean;
};

export type ReplayedDifference = {
  readonly kind: "added" | "removed" | "moved" | "changed";
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** Local time of the home. */
  readonly localTime: string;
  readonly program: {
    readonly id: string;
    readonly name: string;
  };
  readonly action: "command" | "resource" | "notify" | "variable" | "link";
  /** Node, scene, network resource or variable; null for a notification. */
  readonly target: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** null for anything but commands. */
  readonly command: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** Parameters of the command, or the value of the variable. */
  readonly values: readonly string[];
  /** The statement as in the text of a program. */
  readonly text: string;
  /** false: it rests on a device that was commanded otherwise than recorded. */
  readonly certain: boolean;
  /** When it really took place; null unless it is moved. */
  readonly was: string | null;
  /** The same in the time zone of the home. */
  readonly localWas: string | null;
  /** What was done in its place; null unless it is changed. */
  readonly wasText: string | null;
};

export type SavedIntegration = {
  /** The type, with a number where there are several. Nodes name it. */
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** Whether it runs, and starts with the controller. */
  readonly enabled: boolean;
  readonly state: "starting" | "ready" | "degraded" | "failed" | "stopped";
  /** Why it is in this state: a sentence, or empty. */
  readonly reason: string;
  /** Settings by name, as the type describes them. Answers leave out secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of the secret settings that are set. */
  readonly secrets: readonly string[];
  /** Number of its nodes. */
  readonly nodes: number;
  /** The setting of the controller that configures it; null: it is configured here. */
  readonly setting: string | null;
  /** Values that the texts of a channel name, and that do not exist: `?` is sent in their place. */
  readonly unknownValues: readonly string[];
};

export type Use = {
  readonly as: "member" | "reference" | "role" | "child";
  readonly kind: string;
  readonly key: string;
  /** Name of the thing that uses it. */
  readonly name: string;
  /** How it is used, as a sentence. */
  readonly text: string;
};

export type WhyStep = {
  readonly kind: "program" | "account" | "device" | "controller";
  readonly sentence: string;
  /** ISO 8601 in UTC; null when it is not known. */
  readonly time: string | null;
  /** Id of the program that acted. */
  readonly program: string | null;
  /** Line of its text that acted. */
  readonly line: number | null;
  readonly runId: string | null;
  readonly commandId: string | null;
};

export type NodeRole = "dimmer" | "switch" | "color-lamp" | "white-lamp" | "outlet" | "appliance" | "fan" | "cover" | "valve" | "garage-door" | "lock" | "siren" | "alarm" | "thermostat" | "person" | "alert" | "motion" | "contact" | "leak" | "leak-dry" | "smoke" | "carbon-monoxide" | "gas" | "heat" | "cold" | "safety" | "temperature" | "humidity" | "light" | "weather" | "meter" | "binary-sensor" | "sensor" | "button" | "repeater" | "other" | "heartbeat" | "low-battery" | "dusk" | "tamper" | "problem" | "heating" | "cooling" | "opposite";

export type NodeUse = "window" | "door" | "gate" | "lamp" | "grid" | "solar" | "battery" | "gas" | "water" | "other";
