import type { CallOptions } from "./call.js";
import { NetworkError, ResponseError } from "./errors.js";

/** `fetch`, or a function like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Exchange {
    status: number;
    headers: Headers;
    body: Uint8Array;
}

/** The values that all requests of a client share. */
export interface Limits {
    fetch: Fetch;
    timeoutMs: number;
    maximumBytes: number;
}

export function limits(options: Partial<Limits>): Limits {
    return {
        // Browsers require that `fetch` is called on the global object.
        fetch: options.fetch ?? ((url, init) => fetch(url, init)),
        timeoutMs: options.timeoutMs ?? 30_000,
        maximumBytes: options.maximumBytes ?? 64 << 20,
    };
}

/** Sends a request and reads its response within the deadline and size limit. Follows no redirect. */
export async function exchange(
    url: string, init: { method: string; headers: Record<string, string>; body?: BodyInit }, shared: Limits,
    options: CallOptions = {},
): Promise<Exchange> {
    const controller = new AbortController();
    let reason: "timeout" | "aborted" | undefined;
    const stop = (cause: "timeout" | "aborted") => {
        reason ??= cause;
        controller.abort();
    };
    const abort = () => stop("aborted");
    if (options.signal?.aborted) throw new NetworkError("aborted");
    options.signal?.addEventListener("abort", abort);
    const timer = setTimeout(() => stop("timeout"), options.timeoutMs ?? shared.timeoutMs);
    try {
        const response = await shared.fetch(url, {
            ...init, redirect: "manual", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer",
            signal: controller.signal,
        });
        if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
            await response.body?.cancel();
            throw new ResponseError(response.status, "redirect");
        }
        const body = await read(response, shared.maximumBytes);
        return { status: response.status, headers: response.headers, body };
    } catch (error) {
        if (error instanceof ResponseError) throw error;
        throw new NetworkError(reason ?? "unreachable", { cause: error });
    } finally {
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", abort);
    }
}

async function read(response: Response, maximum: number): Promise<Uint8Array> {
    const reader = response.body?.getReader();
    if (!reader) return new Uint8Array();
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        if (size > maximum) {
            await reader.cancel();
            throw new ResponseError(response.status, "too_large");
        }
        parts.push(value);
    }
    const body = new Uint8Array(size);
    let offset = 0;
    for (const part of parts) {
        body.set(part, offset);
        offset += part.length;
    }
    return body;
}
