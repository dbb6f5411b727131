import { InvalidArgumentError } from "./errors.js";

/** Options of one call. */
export interface CallOptions {
    /** Cancels the call; a renewal of the session that other calls share continues. */
    signal?: AbortSignal;
    /** The deadline of each request, including its response's body. */
    timeoutMs?: number;
}

/** A value with the `ETag` of its version. */
export interface Tagged<T> {
    value: T;
    etag: string;
}

/** A call of the HTTP API. */
export interface Call {
    method: string;
    path: string;
    /** `session`: with the access token; `proof`: with a DPoP proof that binds a session or proves the key. */
    access: "session" | "proof" | "none";
    query?: { [name: string]: string | number | undefined };
    headers?: { [name: string]: string | undefined };
    body?: unknown;
    tagged?: boolean;
}

/** Returns a path parameter. Others than UUIDs, such as `..`, could address another resource. */
export function uuid(value: string): string {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) throw new InvalidArgumentError("Not a UUID.");
    return value;
}

/** Returns a path parameter of 32 hex digits. */
export function hexID(value: string): string {
    if (!/^[0-9a-f]{32}$/.test(value)) throw new InvalidArgumentError("Not an ID of 32 hex digits.");
    return value;
}

/** Returns the value of a header field. Line breaks would add fields, other bytes are read differently by proxies. */
export function fieldValue(value: string): string {
    if (!/^[\x20-\x7e]*$/.test(value)) throw new InvalidArgumentError("A header field must be printable ASCII.");
    return value;
}

/** Returns an address without query, fragment, user and trailing slashes. HTTPS, or HTTP on loopback. */
export function address(text: string | URL): string {
    let url: URL;
    try {
        url = new URL(text);
    } catch {
        throw new InvalidArgumentError("Not a URL.");
    }
    const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
        throw new InvalidArgumentError("The address must be HTTPS, or HTTP on loopback.");
    }
    if (url.username || url.password || url.search || url.hash) {
        throw new InvalidArgumentError("The address must have no user, query and fragment.");
    }
    return url.origin + url.pathname.replace(/\/+$/, "");
}
