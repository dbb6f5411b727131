import { type Call, type CallOptions, type Tagged, address, fieldValue } from "./call.js";
import type { DeviceKey } from "./device-key.js";
import { InvalidArgumentError, NotSignedInError, ProblemError, ResponseError } from "./errors.js";
import { type Exchange, type Fetch, type Limits, exchange, limits } from "./exchange.js";
import { Operations } from "./operations.js";
import type {
    Challenge, ChallengeRequest, DeletionOverview, DeletionRequest, Problem, Reauthenticated, ReauthenticationRequest,
    Session, SessionResponse, SignInRequest, SignUpRequest, SignedIn,
} from "./schemas.js";

export interface ClientOptions {
    /** The server's public URL, with or without a path. */
    baseURL: string | URL;
    /** Binds sessions to this key. Without it they have bearer tokens. */
    deviceKey?: DeviceKey;
    /** The stored session. */
    session?: Session;
    /** Stores each new session, `undefined` after its end. Calls wait for it; a used refresh token is worthless. */
    onSession?: (session: Session | undefined) => void | Promise<void>;
    /** The deadline of a request; 30 seconds by default. */
    timeoutMs?: number;
    /** The most bytes of a response; 64 MiB by default. */
    maximumBytes?: number;
    fetch?: Fetch;
    /** The time of DPoP proofs, which the server does not check. */
    now?: () => Date;
}

/** A device at a Photolala server. Renews its session when the access token has expired. */
export class Client extends Operations {
    readonly #baseURL: string;
    readonly #deviceKey: DeviceKey | undefined;
    readonly #onSession: NonNullable<ClientOptions["onSession"]>;
    readonly #limits: Limits;
    readonly #now: () => Date;
    #session: Session | undefined;
    #renewal: Promise<void> | undefined;
    #nonce: string | undefined;

    constructor(options: ClientOptions) {
        super();
        this.#baseURL = address(options.baseURL);
        this.#deviceKey = options.deviceKey;
        this.#session = options.session;
        this.#onSession = options.onSession ?? (() => {});
        this.#limits = limits(options);
        this.#now = options.now ?? (() => new Date());
        if (options.session?.tokenType === "DPoP" && !options.deviceKey) {
            throw new InvalidArgumentError("The session is bound to a device key.");
        }
    }

    /** The current session. It contains tokens: store it where only the app reads it. */
    get session(): Session | undefined {
        return this.#session;
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
        const result = await super.reauthenticate(body, options);
        // A bearer session keeps its refresh token, which the response does not repeat.
        if (this.#session) await this.#store({ ...this.#session, ...result.session });
        return result;
    }

    /** Renews the tokens; calls do this themselves. Concurrent calls share one request. `POST /auth/refresh` */
    async refresh(): Promise<void> {
        if (!this.#session) throw new NotSignedInError();
        await this.#renew(this.#session);
    }

    /** Ends the session, also with an expired access token. `POST /auth/signout` */
    async signOut(options?: CallOptions): Promise<void> {
        await this.#renewal?.catch(() => {});
        const session = this.#session;
        if (!session) return;
        const body = { refreshToken: session.refreshToken };
        try {
            await this.#request({ method: "POST", path: "/auth/signout", access: "proof", body }, undefined, options);
        } catch (error) {
            if (!(error instanceof ProblemError && error.code === "session_ended")) throw error;
        }
        await this.#drop(session);
    }

    override async signOutEverywhere(options?: CallOptions): Promise<void> {
        await super.signOutEverywhere(options);
        await this.#store(undefined);
    }

    override async requestDeletion(body: DeletionRequest, options?: CallOptions): Promise<DeletionOverview> {
        const result = await super.requestDeletion(body, options);
        await this.#store(undefined);
        return result;
    }

    protected override async send<T>(call: Call, options?: CallOptions): Promise<T> {
        if (call.access !== "session") return this.#request(call, undefined, options);
        await this.#renewal?.catch(() => {});
        for (let isFirst = true; ; isFirst = false) {
            const session = this.#session;
            if (!session) throw new NotSignedInError();
            try {
                return await this.#request(call, session, options);
            } catch (error) {
                if (!(error instanceof ProblemError)) throw error;
                if (error.code === "session_ended") await this.#drop(session);
                if (error.code !== "unauthorized" || !isFirst) throw error;
                // The access token has expired and nothing was done. Only the server decides: the device's clock may be wrong.
                await this.#renew(session);
            }
        }
    }

    async #open(path: string, body: SignInRequest | SignUpRequest, options?: CallOptions): Promise<SignedIn> {
        const call: Call = { method: "POST", path, access: "proof", body };
        const result = await this.#request<SignedIn>(call, undefined, options);
        await this.#store(checked(result.session));
        return result;
    }

    /** Renews a session unless another call has replaced it. One request at a time: each refresh token is used once. */
    async #renew(session: Session): Promise<void> {
        while (this.#renewal && this.#session === session) await this.#renewal;
        if (this.#session !== session) return;
        const renewal = this.#requestRenewal(session).finally(() => {
            if (this.#renewal === renewal) this.#renewal = undefined;
        });
        this.#renewal = renewal;
        await renewal;
    }

    async #requestRenewal(session: Session): Promise<void> {
        const body = { refreshToken: session.refreshToken };
        try {
            const call: Call = { method: "POST", path: "/auth/refresh", access: "proof", body };
            const result = await this.#request<SessionResponse>(call, undefined);
            if (this.#session === session) await this.#store(checked(result.session));
        } catch (error) {
            if (error instanceof ProblemError && error.code === "session_ended") await this.#drop(session);
            throw error;
        }
    }

    async #store(session: Session | undefined): Promise<void> {
        this.#session = session;
        await this.#onSession(session);
    }

    async #drop(session: Session): Promise<void> {
        if (this.#session === session) await this.#store(undefined);
    }

    /** Sends a call, and repeats it once with the nonce that the server demands. */
    async #request<T>(call: Call, session: Session | undefined, options?: CallOptions): Promise<T> {
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
        const key = session ? session.tokenType === "DPoP" : call.access === "proof";
        for (let isFirst = true; ; isFirst = false) {
            if (key && this.#deviceKey) {
                headers.DPoP = await this.#deviceKey.proof({
                    method: call.method, url, nonce: this.#nonce, accessToken: session?.accessToken,
                    id: crypto.randomUUID(), issuedAt: this.#now(),
                });
            }
            const response = await exchange(target, { method: call.method, headers, body }, this.#limits, options);
            const nonce = response.headers.get("DPoP-Nonce");
            if (nonce) this.#nonce = nonce;
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
