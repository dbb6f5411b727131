import { DeviceKey } from "./device-key.js";
import type { Session } from "./schemas.js";

/** A session in a store. It contains tokens: store it where only the app reads it. */
export interface StoredSession {
    /** The same for all tokens of one sign-in. */
    readonly id: string;
    /** The address of the server that issued the tokens, which are sent to no other. */
    readonly server: string;
    readonly session: Session;
    /** The key of a bound session. */
    readonly deviceKey?: DeviceKey;
    /** When the access token is renewed, in milliseconds since 1970 by this device's clock. */
    readonly renewAt: number;
}

/** Keeps the session of a device. Errors should be `SessionStoreError`s. */
export interface SessionStore {
    /** Creates the key of the next session. Without a key, its tokens are bearer tokens. */
    newKey(): Promise<DeviceKey | undefined>;
    load(): Promise<StoredSession | undefined>;
    save(session: StoredSession): Promise<void>;
    /** Removes the session and its key. */
    clear(): Promise<void>;
    /**
     * Runs `change` while no other client of the store does, also in other tabs. In it, the client loads the session again
     * and uses its refresh token. `change` never calls `exclusively`.
     */
    exclusively<T>(change: () => Promise<T>): Promise<T>;
}

/** Keeps a session until the program or page ends. */
export class MemorySessionStore implements SessionStore {
    #stored: StoredSession | undefined;
    readonly #bindsSessions: boolean;
    #last: Promise<unknown> = Promise.resolve();

    /** @param options `bindsSessions`: whether new sessions are bound to a key, which is the default. */
    constructor(options: { session?: StoredSession; bindsSessions?: boolean } = {}) {
        this.#stored = options.session;
        this.#bindsSessions = options.bindsSessions ?? true;
    }

    async newKey(): Promise<DeviceKey | undefined> {
        return this.#bindsSessions ? DeviceKey.generate() : undefined;
    }

    async load(): Promise<StoredSession | undefined> {
        return this.#stored;
    }

    async save(session: StoredSession): Promise<void> {
        this.#stored = session;
    }

    async clear(): Promise<void> {
        this.#stored = undefined;
    }

    exclusively<T>(change: () => Promise<T>): Promise<T> {
        const result = this.#last.then(change);
        this.#last = result.catch(() => {});
        return result;
    }
}
