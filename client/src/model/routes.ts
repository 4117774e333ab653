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
      /** What the account reaches; null: the whole home. It names at least one thing. */
      readonly limits?: Limits | null;
    };
    readonly data: {
      readonly id: string;
      /** portal: logs in with an e-mail address and gets tokens. local: basic authentication. */
      readonly kind: "portal" | "local";
      readonly login: string;
      readonly role: "owner" | "user" | "guest";
      /** What it reaches; null: the whole home. */
      readonly limits: {
        /** Addresses of folders, each with everything in it. */
        readonly folders: readonly string[];
        /** Addresses of nodes. */
        readonly nodes: readonly string[];
        /** Addresses of scenes. */
        readonly scenes: readonly string[];
        /** Ids of programs, and of program folders with everything in them. */
        readonly programs: readonly string[];
        /** Type and id, for example 2/5. */
        readonly variables: readonly string[];
        /** Ids of network resources. */
        readonly resources: readonly number[];
        /** The only commands that it may send. Left out, or null: all that its role allows. */
        readonly commands: readonly string[] | null;
      } | null;
      /** ISO 8601 in UTC. */
      readonly createdAt: string;
      /** The password, when it was generated. It is not shown again. */
      readonly password: string | null;
    };
  };
  readonly "POST /api/accounts/:id": {
    readonly body: {
      readonly role?: "owner" | "user" | "guest";
      /** What the account reaches; null: the whole home. It names at least one thing. */
      readonly limits?: Limits | null;
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
  readonly "DELETE /api/accounts/:id": {
    readonly data: null;
  };
  readonly "GET /api/guests": {
    readonly data: readonly GuestLink[];
  };
  readonly "POST /api/guests": {
    readonly body: {
      readonly name: string;
      /** What the account reaches; null: the whole home. It names at least one thing. */
      readonly limits: Limits | null;
      /** guest when it is left out. */
      readonly role?: "user" | "guest";
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
        /** Ids of programs, and of program folders with everything in them. */
        readonly programs: readonly string[];
        /** Type and id, for example 2/5. */
        readonly variables: readonly string[];
        /** Ids of network resources. */
        readonly resources: readonly number[];
        /** The only commands that it may send. Left out, or null: all that its role allows. */
        readonly commands: readonly string[] | null;
      };
      /** ISO 8601 in UTC. */
      readonly createdAt: string;
      /** ISO 8601 in UTC; null: until it is revoked. */
      readonly expiresAt: string | null;
      /** When the latest visit began; null: none since the start of the controller. */
      readonly visitedAt: string | null;
      /** The bearer token, and the fragment of the link. It is not shown again. */
      readonly token: string;
    };
  };
  readonly "DELETE /api/guests/:id": {
    readonly data: null;
  };
  readonly "GET /api/backup": {
    readonly data: readonly Backup[];
  };
  readonly "POST /api/backup": {
    readonly body: {
      /** Encrypts it, secrets included; 12 characters or more. */
      readonly passphrase?: string;
      /** With the journal and the trace of the programs. */
      readonly history?: boolean;
    } | null;
    readonly data: Backup;
  };
  readonly "GET /api/backup/:id": {
    readonly data: Backup;
  };
  readonly "POST /api/backup/:id/test": {
    readonly data: Backup;
  };
  readonly "DELETE /api/backup/:id": {
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
        /** Id or name; left out, the text says it, or it is a new program. */
        readonly program?: string;
      }[];
    };
    readonly data: Replay;
  };
  readonly "GET /api/replays/:id": {
    readonly data: Replay;
  };
  readonly "DELETE /api/replays/:id": {
    readonly data: null;
  };
};

export type Account = {
  readonly id: string;
  /** portal: logs in with an e-mail address and gets tokens. local: basic authentication. */
  readonly kind: "portal" | "local";
  readonly login: string;
  readonly role: "owner" | "user" | "guest";
  /** What it reaches; null: the whole home. */
  readonly limits: {
    /** Addresses of folders, each with everything in it. */
    readonly folders: readonly string[];
    /** Addresses of nodes. */
    readonly nodes: readonly string[];
    /** Addresses of scenes. */
    readonly scenes: readonly string[];
    /** Ids of programs, and of program folders with everything in them. */
    readonly programs: readonly string[];
    /** Type and id, for example 2/5. */
    readonly variables: readonly string[];
    /** Ids of network resources. */
    readonly resources: readonly number[];
    /** The only commands that it may send. Left out, or null: all that its role allows. */
    readonly commands: readonly string[] | null;
  } | null;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
};

export type Backup = {
  readonly id: string;
  readonly kind: "asked" | "nightly";
  /** proving: it is restored into memory and compared; ready: that went well. */
  readonly state: "making" | "proving" | "ready" | "failed";
  /** Of the home that it holds. ISO 8601 in UTC. */
  readonly time: string;
  readonly encrypted: boolean;
  /** Of making and proving. */
  readonly progress: number;
  /** null until it is ready. */
  readonly bytes: number | null;
  /** Of the file. SHA-256 in lower-case hex; null until it is ready, and after a restart of the controller. */
  readonly sha256: string | null;
  /** Of the home's logical state. SHA-256 in lower-case hex; null until it is ready, and after a restart of the controller. */
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
    /** Ids of programs, and of program folders with everything in them. */
    readonly programs: readonly string[];
    /** Type and id, for example 2/5. */
    readonly variables: readonly string[];
    /** Ids of network resources. */
    readonly resources: readonly number[];
    /** The only commands that it may send. Left out, or null: all that its role allows. */
    readonly commands: readonly string[] | null;
  };
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** ISO 8601 in UTC; null: until it is revoked. */
  readonly expiresAt: string | null;
  /** When the latest visit began; null: none since the start of the controller. */
  readonly visitedAt: string | null;
};

export type Limits = {
  /** Addresses of folders, each with everything in it. */
  readonly folders?: readonly string[];
  /** Addresses of nodes. */
  readonly nodes?: readonly string[];
  /** Addresses of scenes. */
  readonly scenes?: readonly string[];
  /** Ids of programs, and of program folders with everything in them. */
  readonly programs?: readonly string[];
  /** Type and id, for example 2/5. */
  readonly variables?: readonly string[];
  /** Ids of network resources. */
  readonly resources?: readonly number[];
  /** The only commands that it may send. Left out, or null: all that its role allows. */
  readonly commands?: readonly string[] | null;
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
  /** What was not known of the home at the beginning. */
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
  /** What the programs did; empty with changes. */
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
  /** In the time zone of the home. */
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
  /** null for what is no command. */
  readonly command: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** Parameters of the command, or the value of the variable. */
  readonly values: readonly string[];
  /** As in the text of a program. */
  readonly text: string;
  /** false: it rests on a device that was commanded otherwise than recorded. */
  readonly certain: boolean;
};

export type ReplayedDifference = {
  readonly kind: "added" | "removed" | "moved";
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** In the time zone of the home. */
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
  /** null for what is no command. */
  readonly command: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** Parameters of the command, or the value of the variable. */
  readonly values: readonly string[];
  /** As in the text of a program. */
  readonly text: string;
  /** false: it rests on a device that was commanded otherwise than recorded. */
  readonly certain: boolean;
  /** When it really took place; null unless it is moved. */
  readonly was: string | null;
  /** The same in the time zone of the home. */
  readonly localWas: string | null;
};
