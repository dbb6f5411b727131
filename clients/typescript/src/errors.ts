import type { ErrorCode, NoAccountProblem, Problem } from "./schemas.js";

/** An error of this client. Every call rejects only with subclasses of it, or with what the app's own `SessionStore` throws. */
export class PhotolalaError extends Error {
    constructor(message: string, options?: { cause?: unknown }) {
        super(message, options);
        this.name = new.target.name;
    }
}

/** The server answered with a problem document (RFC 9457). Handle an unknown `code` by `status`. */
export class ProblemError extends PhotolalaError {
    readonly code: ErrorCode | (string & {});

    constructor(
        readonly status: number,
        readonly problem: Problem,
        /** The seconds to wait, of 429 and 503. */
        readonly retryAfter?: number,
    ) {
        super(problem.detail);
        this.code = problem.code;
    }

    /** The problem of a sign-in with an identity that has no account. */
    get noAccount(): NoAccountProblem | undefined {
        return this.code === "no_account_found" ? (this.problem as NoAccountProblem) : undefined;
    }
}

/** No response: no connection, none in time, or cancelled by the caller. The request may have taken effect. */
export class NetworkError extends PhotolalaError {
    constructor(readonly reason: "unreachable" | "timeout" | "aborted", options?: { cause?: unknown }) {
        const texts = { unreachable: "The server is unreachable.", timeout: "No response in time.", aborted: "Cancelled." };
        super(texts[reason], options);
    }
}

/** A response that no Photolala server gives: for example the page of a proxy, or a redirect, which is not followed. */
export class ResponseError extends PhotolalaError {
    constructor(readonly status: number, readonly reason: "malformed" | "redirect" | "too_large") {
        super(`Unexpected response with status ${status}: ${reason}.`);
    }
}

/** The object store refused a request. */
export class StorageError extends PhotolalaError {
    constructor(
        readonly status: number,
        /** The code of S3, for example `NoSuchKey` or `ExpiredToken`; empty if the response has none. */
        readonly code: string,
    ) {
        super(`The object store answered ${status} ${code}`.trimEnd());
    }
}

/** There is no session, or another sign-in has replaced that of the call. */
export class NotSignedInError extends PhotolalaError {
    constructor() {
        super("Not signed in.");
    }
}

/** The session cannot be stored or read. */
export class SessionStoreError extends PhotolalaError {}

/** An argument that cannot be sent. Nothing was sent. */
export class InvalidArgumentError extends PhotolalaError {}
