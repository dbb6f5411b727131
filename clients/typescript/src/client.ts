import { type Call, type CallOptions, type Tagged, address, fieldValue } from "./call.js";
import { CurrentSession, attemptTimeoutMs } from "./current-session.js";
import type { DeviceKey } from "./device-key.js";
import { ProblemError, ResponseError } from "./errors.js";
import { type Exchange, type Fetch, type Limits, exchange, limits } from "./exchange.js";
import { Operations } from "./operations.js";
import type {
    Challenge, ChallengeRequest, DeletionOverview, DeletionRequest, Problem, Reauthenticated, ReauthenticationRequest,
    Session, SessionResponse, SignInRequest, SignUpRequest, SignedIn,
} from "./schemas.js";
import { MemorySessionStore, type SessionStore, type StoredSession } from "./session-store.js";

export interface ClientOptions {
    /** The server's public URL, with or without a path. */
    baseURL: string | URL;
    /** Keeps the session; in memory by default. Several clients may share one store. */
    store?: SessionStore;
    /** The deadline of a request; 30 seconds by default. */
    timeoutMs?: number;
    /** The most bytes of a response; 64 MiB by default. */
    maximumBytes?: number;
    fetch?: Fetch;
    /** The device's clock. If it is wrong, the client renews tokens by the server's time. */
    now?: () => Date;
}

/** A device at a Photolala server. Renews its session a minute before the access token expires. */
export class Client extends Operations {
    readonly #baseURL: string;
    readonly #limits: Limits;
    readonly #now: () => Date;
    readonly #session: CurrentSession;
    #nonce: string | undefined;

    constructor(options: ClientOptions) {
        super();
        this.#baseURL = address(options.baseURL);
        this.#limits = limits(options);
        this.#now = options.now ?? (() => new Date());
        this.#session = new CurrentSession(
            options.store ?? new MemorySessionStore(), this.#baseURL, this.#now, (stored) => this.#requestRenewal(stored));
    }

    /** Returns the session in the store, if any; it contains tokens. Sends nothing. */
    async currentSession(): Promise<Session | undefined> {
        return (await this.#session.load())?.session;
    }

    /** Issues a challenge for the provider's `nonce`. `POST /auth/challenge` */
    createChallenge(body: ChallengeRequest, options?: CallOptions): Promise<Challenge> {
        const access = body.purpose === "link" || body.purpose === "reauthenticate" ? "session" : "none";
        return this.send({ method: "POST", path: "/auth/challenge", access, body }, options);
    }

    /** Creates an account. `POST /auth/signup` */
    signUp(body: SignUpRequest, options?: CallOptions): Promise<SignedIn> {
        return this.#open("/auth/signup", body, options);
    }

    /** Signs in to an existing account. `POST /auth/signin` */
    signIn(body: SignInRequest, options?: CallOptions): Promise<SignedIn> {
        return this.#open("/auth/signin", body, options);
    }

    /** Signs in, or creates an account, if the deployment allows it. `POST /auth/continue` */
    continueSignIn(body: SignUpRequest, options?: CallOptions): Promise<SignedIn> {
        return this.#open("/auth/continue", body, options);
    }

    override async reauthenticate(body: ReauthenticationRequest, options?: CallOptions): Promise<Reauthenticated> {
        const session = await this.#session.usable();
        const result = await super.reauthenticate(body, options);
        // A bearer session keeps its refresh token, which the response does not repeat.
        await this.#session.update(session, result.session);
        return result;
    }

    /** Renews the tokens; calls do this themselves. Concurrent calls share one request. `POST /auth/refresh` */
    async refresh(): Promise<void> {
        await this.#session.renew(await this.#session.get());
    }

    /**
     * Ends the session, also with an expired access token. The store is empty afterwards, even if the server does not
     * answer and the call fails. `POST /auth/signout`
     */
    async signOut(options?: CallOptions): Promise<void> {
        await this.#session.end(async ({ session, deviceKey }) => {
            const body = { refreshToken: session.refreshToken };
            const call: Call = { method: "POST", path: "/auth/signout", access: "proof", body };
            try {
                await this.#request(call, undefined, deviceKey, options);
            } catch (error) {
                if (!(error instanceof ProblemError && error.code === "session_ended")) throw error;
            }
        });
    }

    override async signOutEverywhere(options?: CallOptions): Promise<void> {
        const session = await this.#session.usable();
        await super.signOutEverywhere(options);
        await this.#session.forget(session);
    }

    override async requestDeletion(body: DeletionRequest, options?: CallOptions): Promise<DeletionOverview> {
        const session = await this.#session.usable();
        const result = await super.requestDeletion(body, options);
        await this.#session.forget(session);
        return result;
    }

    protected override async send<T>(call: Call, options?: CallOptions): Promise<T> {
        if (call.access !== "session") return this.#request(call, undefined, undefined, options);
        const session = await this.#session.usable();
        try {
            return await this.#attempt(call, session, options);
        } catch (error) {
            if (!(error instanceof ProblemError && error.code === "unauthorized")) throw error;
        }
        // Nothing was done: the access token has expired. The device's clock may be wrong, so only the server decides.
        return this.#attempt(call, await this.#session.renewed(session), options);
    }

    async #attempt<T>(call: Call, stored: StoredSession, options?: CallOptions): Promise<T> {
        try {
            return await this.#request(call, stored.session, stored.deviceKey, options);
        } catch (error) {
            if (error instanceof ProblemError && error.code === "session_ended") await this.#session.forget(stored);
            throw error;
        }
    }

    #open(path: string, body: SignInRequest | SignUpRequest, options?: CallOptions): Promise<SignedIn> {
        const call: Call = { method: "POST", path, access: "proof", body };
        return this.#session.open(async (key) => {
            const result = await this.#request<SignedIn>(call, undefined, key, options);
            return { result, session: checked(result.session) };
        });
    }

    async #requestRenewal({ session, deviceKey }: StoredSession): Promise<Session> {
        const body = { refreshToken: session.refreshToken };
        const call: Call = { method: "POST", path: "/auth/refresh", access: "proof", body };
        const timeoutMs = Math.min(this.#limits.timeoutMs, attemptTimeoutMs);
        return checked((await this.#request<SessionResponse>(call, undefined, deviceKey, { timeoutMs })).session);
    }

    /** Sends a call, and repeats it once with the nonce that the server demands. */
    async #request<T>(
        call: Call, session: Session | undefined, deviceKey: DeviceKey | undefined, options?: CallOptions,
    ): Promise<T> {
        const url = this.#baseURL + call.path;
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries(call.query ?? {})) {
            if (value !== undefined) query.set(name, `${value}`);
        }
        const target = query.toString() ? `${url}?${query}` : url;
        const headers: Record<string, string> = { Accept: "application/json, application/problem+json" };
        for (const [name, value] of Object.entries(call.headers ?? {})) {
            if (value !== undefined) headers[name] = fieldValue(value);
        }
        if (session) headers.Authorization = fieldValue(`${session.tokenType} ${session.accessToken}`);
        if (call.body !== undefined) headers["Content-Type"] = "application/json";
        const body = call.body === undefined ? undefined : JSON.stringify(call.body);
        const key = session?.tokenType === "Bearer" ? undefined : deviceKey;
        for (let isFirst = true; ; isFirst = false) {
            if (key) {
                headers.DPoP = await key.proof({
                    method: call.method, url, nonce: this.#nonce, accessToken: session?.accessToken,
                    id: crypto.randomUUID(), issuedAt: this.#now(),
                });
            }
            const response = await exchange(target, { method: call.method, headers, body }, this.#limits, options);
            const nonce = response.headers.get("DPoP-Nonce");
            if (nonce) this.#nonce = nonce;
            this.#session.setServerTime(response.headers.get("Date"));
            if (response.status < 300) return success<T>(response, call);
            const error = failure(response);
            if (!(error instanceof ProblemError && error.code === "use_dpop_nonce" && nonce && isFirst)) throw error;
        }
    }
}

/** Returns a session of a response, which must have what the client uses. */
function checked(session: Session): Session {
    const strings = [session?.accessToken, session?.refreshToken];
    const known = session?.tokenType === "Bearer" || session?.tokenType === "DPoP";
    if (!known || strings.some((value) => typeof value !== "string")) throw new ResponseError(200, "malformed");
    return session;
}

function success<T>(response: Exchange, call: Call): T {
    if (response.status === 204) return undefined as T;
    const value = json(response.body);
    if (typeof value !== "object" || value === null) throw new ResponseError(response.status, "malformed");
    if (!call.tagged) return value as T;
    return { value, etag: response.headers.get("ETag") ?? "" } as Tagged<unknown> as unknown as T;
}

function failure(response: Exchange): ProblemError | ResponseError {
    const problem = json(response.body) as Partial<Problem> | undefined | null;
    if (typeof problem?.code !== "string") return new ResponseError(response.status, "malformed");
    const seconds = Number(response.headers.get("Retry-After") ?? NaN);
    const complete = { detail: problem.code, ...problem } as Problem;
    return new ProblemError(response.status, complete, seconds >= 0 ? seconds : undefined);
}

function json(body: Uint8Array): unknown {
    try {
        return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    } catch {
        return undefined;
    }
}
