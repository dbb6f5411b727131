import { type CallOptions, address, fieldValue } from "./call.js";
import { InvalidArgumentError, StorageError } from "./errors.js";
import { type Exchange, type Fetch, type Limits, exchange, limits } from "./exchange.js";
import type { ReservedUpload, StorageCredentials } from "./schemas.js";
import { authorization, encodedPath, sha256 } from "./signature.js";

export interface StorageOptions {
    /** The deadline of a request; 30 seconds by default. Raise it for large files. */
    timeoutMs?: number;
    /** The most bytes of a response; 64 MiB by default. */
    maximumBytes?: number;
    fetch?: Fetch;
    /** The device's clock. If it is wrong, the client uses the store's time. */
    now?: () => Date;
}

export interface PutOptions extends CallOptions {
    contentType?: string;
    /** Leaves the bytes out of the signature, which saves reading them twice. */
    isPayloadUnsigned?: boolean;
}

/** Reads and writes objects with the temporary credentials of `issueCredentials()` (AWS Signature Version 4). */
export class StorageClient {
    readonly #credentials: StorageCredentials;
    readonly #endpoint: string;
    readonly #limits: Limits;
    readonly #now: () => Date;
    /** Milliseconds by which the store's clock is ahead. */
    #ahead = 0;

    constructor(credentials: StorageCredentials, options: StorageOptions = {}) {
        this.#credentials = credentials;
        this.#endpoint = address(credentials.endpoint);
        this.#limits = limits(options);
        this.#now = options.now ?? (() => new Date());
    }

    /** Writes an object below one of the credentials' prefixes. */
    async put(key: string, bytes: Uint8Array, options: PutOptions = {}): Promise<void> {
        const hash = options.isPayloadUnsigned ? "UNSIGNED-PAYLOAD" : await sha256(bytes);
        await this.#send("PUT", key, hash, bytes, options);
    }

    /** Reads an object. */
    async get(key: string, options: CallOptions = {}): Promise<Uint8Array> {
        return (await this.#send("GET", key, await sha256(new Uint8Array()), undefined, options)).body;
    }

    async #send(
        method: string, key: string, payloadHash: string, bytes: Uint8Array | undefined, options: PutOptions,
    ): Promise<Exchange> {
        // URL parsers remove these segments, which would address another object.
        if (key === "" || key.split("/").some((part) => part === "." || part === "..")) {
            throw new InvalidArgumentError("A key must not be empty and have no segment . or ..");
        }
        const url = new URL(`${this.#endpoint}/${encodedPath(`${this.#credentials.bucket}/${key}`)}`);
        for (let isFirst = true; ; isFirst = false) {
            const at = new Date(this.#now().getTime() + this.#ahead);
            const headers: Record<string, string> = {
                "x-amz-content-sha256": payloadHash,
                "x-amz-date": at.toISOString().replace(/[:-]|\.\d{3}/g, ""),
                "x-amz-security-token": fieldValue(this.#credentials.sessionToken),
            };
            if (options.contentType !== undefined) headers["content-type"] = fieldValue(options.contentType);
            headers.authorization = await authorization({ method, url, headers }, this.#credentials);
            const response = await exchange(url.href, { method, headers, body: bytes }, this.#limits, options);
            if (response.status < 300) return response;
            const error = storageError(response);
            const storeTime = Date.parse(response.headers.get("Date") ?? "");
            if (error.code !== "RequestTimeTooSkewed" || !isFirst || Number.isNaN(storeTime)) throw error;
            this.#ahead = storeTime - this.#now().getTime();
        }
    }
}

/** Uploads the bytes for which `reserveUpload` reserved quota headroom. */
export async function uploadReserved(
    upload: ReservedUpload, bytes: Uint8Array, options: StorageOptions & CallOptions = {},
): Promise<void> {
    const target = new URL(upload.url);
    address(target.origin);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(upload.headers)) {
        // `fetch` sets it from the body.
        if (name.toLowerCase() !== "content-length") headers[name] = fieldValue(value);
    }
    const response = await exchange(target.href, { method: "PUT", headers, body: bytes }, limits(options), options);
    if (response.status >= 300) throw storageError(response);
}

function storageError(response: Exchange): StorageError {
    const text = new TextDecoder().decode(response.body.subarray(0, 1 << 16));
    const code = /<Code>([A-Za-z0-9.]{1,100})<\/Code>/.exec(text);
    return new StorageError(response.status, code?.[1] ?? "");
}
