import type { DeviceKey } from "./device-key.js";
import { InvalidArgumentError, NetworkError, NotSignedInError, ProblemError, ResponseError } from "./errors.js";
import type { Session } from "./schemas.js";
import type { SessionStore, StoredSession } from "./session-store.js";

/** The deadline of one attempt of a renewal. Three attempts fit into the server's 30 seconds. */
export const attemptTimeoutMs = 8_000;
/** In milliseconds after the first use of a refresh token. Until then the server returns the same successor again. */
const grace = 25_000;
const attempts = 3;
/** The remaining lifetime, in milliseconds, below which an access token is renewed before use. */
const margin = 60_000;

/** The session in a client's store. One client at a time renews it. */
export class CurrentSession {
    readonly #store: SessionStore;
    readonly #server: string;
    readonly #now: () => Date;
    readonly #request: (stored: StoredSession) => Promise<Session>;
    /** What this client last read or wrote. */
    #known: StoredSession | undefined;
    #renewal: Promise<void> | undefined;
    /** Milliseconds by which the server's clock is ahead. */
    #ahead = 0;

    /** @param request Exchanges the refresh token. */
    constructor(
        store: SessionStore, server: string, now: () => Date, request: (stored: StoredSession) => Promise<Session>,
    ) {
        this.#store = store;
        this.#server = server;
        this.#now = now;
        this.#request = request;
    }

    /** Sets the server's time from a response. */
    setServerTime(date: string | null): void {
        const time = Date.parse(date ?? "");
        if (!Number.isNaN(time)) this.#ahead = time - this.#now().getTime();
    }

    /** Reads the session from the store. */
    async load(): Promise<StoredSession | undefined> {
        const stored = await this.#store.load();
        if (stored && stored.server !== this.#server) {
            throw new InvalidArgumentError(`The stored session belongs to ${stored.server}.`);
        }
        if (stored?.session.tokenType === "DPoP" && !stored.deviceKey) {
            throw new InvalidArgumentError("The session is bound to a device key.");
        }
        this.#known = stored;
        return stored;
    }

    async get(): Promise<StoredSession> {
        const stored = this.#known ?? (await this.load());
        if (!stored) throw new NotSignedInError();
        return stored;
    }

    /** Returns the session for a call, renewed if its access token expires within a minute. */
    async usable(): Promise<StoredSession> {
        await this.#renewal?.catch(() => {});
        const stored = await this.get();
        if (!this.#isDue(stored)) return stored;
        try {
            return await this.renewed(stored);
        } catch (error) {
            // The access token may still be valid: only the server decides.
            if (retryDelay(error) === undefined) throw error;
            return stored;
        }
    }

    /** Returns the successor of an outdated session. */
    async renewed(outdated: StoredSession): Promise<StoredSession> {
        if (this.#known?.session.accessToken === outdated.session.accessToken) await this.renew(outdated);
        // A call of one account must not be made for another.
        if (this.#known?.id !== outdated.id) throw new NotSignedInError();
        return this.#known;
    }

    /** Renews a session, unless another client has. Concurrent calls share one renewal. */
    async renew(outdated: StoredSession): Promise<void> {
        const renewal = (this.#renewal ??= this.#renew(outdated).finally(() => {
            this.#renewal = undefined;
        }));
        await renewal;
    }

    /** Stores the session that `request` opens with a new key. */
    open<T>(request: (key: DeviceKey | undefined) => Promise<{ result: T; session: Session }>): Promise<T> {
        return this.#store.exclusively(async () => {
            const deviceKey = await this.#store.newKey();
            const { result, session } = await request(deviceKey);
            await this.#save({
                id: crypto.randomUUID(), server: this.#server, session, renewAt: this.#renewalTime(session),
                ...(session.tokenType === "DPoP" && deviceKey ? { deviceKey } : {}),
            });
            return result;
        });
    }

    /** Stores new tokens of a session, unless another sign-in has replaced it. */
    async update(old: StoredSession, tokens: Partial<Session>): Promise<void> {
        await this.#ifCurrent(old, async (stored) => {
            const session = { ...stored.session, ...tokens };
            await this.#save({ ...stored, session, renewAt: this.#renewalTime(session) });
        });
    }

    /** Removes a session, unless another sign-in has replaced it. */
    async forget(old: StoredSession): Promise<void> {
        await this.#ifCurrent(old, () => this.#clear());
    }

    /** Makes a last call with the session, and removes it; also one that cannot be read. */
    async end(call: (stored: StoredSession) => Promise<void>): Promise<void> {
        await this.#store.exclusively(async () => {
            try {
                const stored = await this.load();
                if (stored) await call(stored);
            } catch (error) {
                // A session of another server is not this client's.
                if (!(error instanceof InvalidArgumentError)) await this.#clear();
                throw error;
            }
            await this.#clear();
        });
    }

    /** Requests the successor, again if its response is lost, while the server returns the same one. */
    async #renew(outdated: StoredSession): Promise<void> {
        let [token, attempt, startedAt] = ["", 0, 0];
        for (;;) {
            try {
                return await this.#store.exclusively(async () => {
                    const stored = await this.load();
                    if (!stored) throw new NotSignedInError();
                    if (stored.session.accessToken !== outdated.session.accessToken && !this.#isDue(stored)) return;
                    if (stored.session.refreshToken !== token) {
                        [token, attempt, startedAt] = [stored.session.refreshToken, 0, this.#now().getTime()];
                    }
                    attempt += 1;
                    await this.#exchange(stored);
                });
            } catch (error) {
                const delay = retryDelay(error);
                const elapsed = this.#now().getTime() - startedAt;
                if (delay === undefined || attempt >= attempts || elapsed + delay >= grace) throw error;
                if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
            }
        }
    }

    /** Uses the refresh token and stores its successor before it can be used. */
    async #exchange(stored: StoredSession): Promise<void> {
        try {
            const session = await this.#request(stored);
            await this.#save({ ...stored, session, renewAt: this.#renewalTime(session) });
        } catch (error) {
            if (error instanceof ProblemError && error.code === "session_ended") await this.#clear();
            throw error;
        }
    }

    #ifCurrent(old: StoredSession, change: (stored: StoredSession) => Promise<void>): Promise<void> {
        return this.#store.exclusively(async () => {
            const stored = await this.load();
            if (stored?.id === old.id) await change(stored);
        });
    }

    async #save(stored: StoredSession): Promise<void> {
        await this.#store.save(stored);
        this.#known = stored;
    }

    async #clear(): Promise<void> {
        await this.#store.clear();
        this.#known = undefined;
    }

    #isDue(stored: StoredSession): boolean {
        return this.#now().getTime() >= stored.renewAt;
    }

    /** Returns a time of this device's clock, which may be wrong. */
    #renewalTime(session: Session): number {
        const expiry = Date.parse(session.accessTokenExpiresAt) - this.#ahead;
        if (Number.isNaN(expiry)) return Number.MAX_SAFE_INTEGER;
        return expiry - Math.min(margin, (expiry - this.#now().getTime()) / 2);
    }
}

/** Returns the milliseconds after which a renewal is repeated; `undefined` if the server has decided. */
function retryDelay(error: unknown): number | undefined {
    if (error instanceof NetworkError) return 0;
    if (error instanceof ResponseError && error.status >= 500) return 0;
    if (error instanceof ProblemError && error.code === "temporarily_unavailable") return (error.retryAfter ?? 0) * 1000;
    return undefined;
}
