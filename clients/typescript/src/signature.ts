import { InvalidArgumentError } from "./errors.js";

/** Returns the value of `Authorization` for S3 (AWS Signature Version 4). Signs the host and all given headers. */
export async function authorization(
    request: { method: string; url: URL; headers: Record<string, string> },
    credentials: { accessKeyID: string; secretAccessKey: string; region: string },
): Promise<string> {
    const headers: Record<string, string> = { ...request.headers, host: request.url.host };
    const names = Object.keys(headers).sort();
    const time = headers["x-amz-date"] ?? "";
    const scope = `${time.slice(0, 8)}/${credentials.region}/s3/aws4_request`;
    const canonical = [
        request.method,
        request.url.pathname,
        "",
        ...names.map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, " ")}`),
        "",
        names.join(";"),
        headers["x-amz-content-sha256"],
    ].join("\n");
    const text = ["AWS4-HMAC-SHA256", time, scope, await sha256(utf8(canonical))].join("\n");
    let key = utf8(`AWS4${credentials.secretAccessKey}`);
    for (const part of scope.split("/")) key = await hmac(key, part);
    const signature = hex(await hmac(key, text));
    const credential = `${credentials.accessKeyID}/${scope}`;
    return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
}

/** Encodes a path as S3 requires: all but unreserved characters and slashes. */
export function encodedPath(path: string): string {
    try {
        const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
        return encodeURIComponent(path).replace(/%2F/g, "/").replace(/[!'()*]/g, encode);
    } catch {
        throw new InvalidArgumentError("A key must be well-formed Unicode.");
    }
}

/** Returns the SHA-256 of bytes in lower-case hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

async function hmac(key: Uint8Array, text: string): Promise<Uint8Array> {
    const hash = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key, hash, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

function hex(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function utf8(text: string): Uint8Array {
    return new TextEncoder().encode(text);
}
