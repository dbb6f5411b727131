import { DeviceKey } from "./device-key.js";
import { SessionStoreError } from "./errors.js";
import type { SessionStore, StoredSession } from "./session-store.js";

/** The stored form: IndexedDB keeps a key pair without making its private key extractable. */
type Entry = Omit<StoredSession, "deviceKey"> & { keys?: CryptoKeyPair };

interface Lease {
    owner: string;
    expiresAt: number;
}

const table = "values";
/** In milliseconds. A tab that does not extend its lease has been closed or suspended. */
const lease = { duration: 10_000, extension: 3_000, poll: 50 };

/** Keeps a session in IndexedDB, with a key that no script can extract, for all tabs of an origin. */
export class BrowserSessionStore implements SessionStore {
    readonly #name: string;
    #database: Promise<IDBDatabase> | undefined;
    /** This tab's lease, in browsers without Web Locks. */
    #owner: string | undefined;

    /** @param name The name of the database. Sessions of several servers need several databases. */
    constructor(name = "photolala-session") {
        this.#name = name;
    }

    newKey(): Promise<DeviceKey> {
        return DeviceKey.generate();
    }

    async load(): Promise<StoredSession | undefined> {
        const entry = await this.#run("readonly", (values) => values.get("session") as IDBRequest<Entry | undefined>);
        if (!entry) return undefined;
        const { keys, ...stored } = entry;
        return keys ? { ...stored, deviceKey: new DeviceKey(keys) } : stored;
    }

    async save({ deviceKey, ...stored }: StoredSession): Promise<void> {
        const entry: Entry = deviceKey ? { ...stored, keys: deviceKey.pair } : stored;
        await this.#change((values) => values.put(entry, "session"));
    }

    async clear(): Promise<void> {
        await this.#change((values) => values.delete("session"));
    }

    async exclusively<T>(change: () => Promise<T>): Promise<T> {
        // The browser releases the lock of a tab that ends.
        if (navigator.locks) return navigator.locks.request(this.#name, change);
        const owner = crypto.randomUUID();
        while (!(await this.#takeLease(owner))) await new Promise((resolve) => setTimeout(resolve, lease.poll));
        this.#owner = owner;
        const extensions = setInterval(() => void this.#takeLease(owner).catch(() => {}), lease.extension);
        try {
            return await change();
        } finally {
            clearInterval(extensions);
            if (this.#owner === owner) this.#owner = undefined;
            // If this fails, the lease expires.
            await this.#changeIfOwner(owner, (values) => values.delete("lease")).catch(() => {});
        }
    }

    /** Takes or extends a lease, unless another tab has one. Transactions of all tabs run one after the other. */
    #takeLease(owner: string): Promise<boolean> {
        let isTaken = false;
        return this.#run("readwrite", (values) => {
            const request = values.get("lease") as IDBRequest<Lease | undefined>;
            request.onsuccess = () => {
                const found = request.result;
                const remaining = (found?.expiresAt ?? 0) - Date.now();
                // A lease that ends later was written before the clock was set back.
                if (found && found.owner !== owner && remaining > 0 && remaining <= lease.duration) return;
                isTaken = true;
                values.put({ owner, expiresAt: Date.now() + lease.duration }, "lease");
            };
            return request;
        }).then(() => isTaken);
    }

    /** Changes the session, unless this tab has lost its lease: it could restore a session that was signed out. */
    async #change(change: (values: IDBObjectStore) => IDBRequest): Promise<void> {
        if (!this.#owner) {
            await this.#run("readwrite", change);
        } else if (!(await this.#changeIfOwner(this.#owner, change))) {
            throw new SessionStoreError("Another tab has changed the session in the meantime.");
        }
    }

    #changeIfOwner(owner: string, change: (values: IDBObjectStore) => IDBRequest): Promise<boolean> {
        let isOwner = false;
        return this.#run("readwrite", (values) => {
            const request = values.get("lease") as IDBRequest<Lease | undefined>;
            request.onsuccess = () => {
                isOwner = request.result?.owner === owner;
                if (isOwner) change(values);
            };
            return request;
        }).then(() => isOwner);
    }

    /** Runs a transaction and waits until it is on disk: a refresh token that is used needs its successor. */
    async #run<T>(mode: IDBTransactionMode, body: (values: IDBObjectStore) => IDBRequest<T>): Promise<T> {
        try {
            const database = await (this.#database ??= this.#open());
            return await new Promise<T>((resolve, reject) => {
                const transaction = database.transaction(table, mode, { durability: "strict" });
                const request = body(transaction.objectStore(table));
                transaction.oncomplete = () => resolve(request.result);
                transaction.onabort = () => reject(transaction.error);
            });
        } catch (error) {
            // The next call opens the database again.
            this.#database = undefined;
            throw new SessionStoreError("The browser's storage failed.", { cause: error });
        }
    }

    #open(): Promise<IDBDatabase> {
        return new Promise((resolve, reject) => {
            const request = indexedDB.open(this.#name, 1);
            request.onupgradeneeded = () => void request.result.createObjectStore(table);
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
                const database = request.result;
                const close = () => {
                    database.close();
                    this.#database = undefined;
                };
                // Another tab deletes the database, or the browser has.
                database.onversionchange = close;
                database.onclose = close;
                resolve(database);
            };
        });
    }
}
