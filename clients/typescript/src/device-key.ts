import { InvalidArgumentError } from "./errors.js";

const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/** The key of a device, to which its session is bound (RFC 9449). */
export class DeviceKey {
    /** @param pair An ECDSA P-256 key pair, for example of an earlier `generate()`, stored in IndexedDB. */
    constructor(readonly pair: CryptoKeyPair) {
        const { name, namedCurve } = pair.privateKey.algorithm as EcKeyAlgorithm;
        if (name !== algorithm.name || namedCurve !== algorithm.namedCurve) {
            throw new InvalidArgumentError("The device key must be ECDSA with P-256.");
        }
    }

    /** Creates a key that cannot be extracted. */
    static async generate(): Promise<DeviceKey> {
        return new DeviceKey(await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]));
    }

    /** Returns a DPoP proof for one request. The server checks the nonce, not the time. */
    async proof(request: {
        method: string; url: string; nonce?: string; accessToken?: string; id: string; issuedAt: Date;
    }): Promise<string> {
        const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", this.pair.publicKey);
        const claims: Record<string, unknown> = {
            jti: request.id, htm: request.method, htu: request.url, iat: Math.floor(request.issuedAt.getTime() / 1000),
        };
        if (request.nonce !== undefined) claims.nonce = request.nonce;
        if (request.accessToken !== undefined) {
            claims.ath = base64url(await crypto.subtle.digest("SHA-256", utf8(request.accessToken)));
        }
        const header = { typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } };
        const input = [header, claims].map((part) => base64url(utf8(JSON.stringify(part)))).join(".");
        // WebCrypto's signature is the concatenation of r and s, as in a JWS.
        const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, this.pair.privateKey, utf8(input));
        return `${input}.${base64url(signature)}`;
    }
}

function utf8(text: string): Uint8Array {
    return new TextEncoder().encode(text);
}

function base64url(bytes: ArrayBuffer | Uint8Array): string {
    const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
    return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
