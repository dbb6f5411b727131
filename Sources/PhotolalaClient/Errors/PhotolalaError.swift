import Foundation
import PhotolalaAPI

/// The error that the SDK's calls throw, except those of ``SecretStorage``, ``PhotoSource`` and ``ThumbnailMaker``.
///
/// It is a structure with an extensible `code`, so that new errors do not break existing programs: handle the known
/// codes and treat the others by their `status`.
public struct PhotolalaError: Error, Sendable, Equatable {
    /// The error's stable name: the server's, or one defined by the SDK (`notSignedIn`, `serverUnreachable`, …).
    public var code: ErrorCode
    /// The HTTP status; `nil` if the error is not a response.
    public var status: Int?
    /// A description of the error and the next step, for a person.
    public var detail: String
    /// What made the operation fail, if the code leaves that open; `nil` otherwise.
    public var cause: FailureCause?
    /// The request ID in the server's log.
    public var requestID: String?
    /// The number of seconds after which to retry, as requested by the server.
    public var retryAfter: Int?
    /// With `noAccountFound`: the pending identity, valid for one sign-up or link within 10 minutes without another
    /// authentication at the provider. `PhotolalaSession` also stores it.
    public var pendingIdentity: PendingIdentity?
    /// With `noAccountFound`: the providers with which the owner of the verified e-mail address signs in.
    public var hints: [AccountHint]

    /// Creates an error.
    public init(
        code: ErrorCode, status: Int? = nil, detail: String, cause: FailureCause? = nil, requestID: String? = nil,
        retryAfter: Int? = nil, pendingIdentity: PendingIdentity? = nil, hints: [AccountHint] = []
    ) {
        self.code = code
        self.status = status
        self.detail = detail
        self.cause = cause
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.pendingIdentity = pendingIdentity
        self.hints = hints
    }

    init(problem: Problem, status: Int, retryAfter: Int?, provider: ProviderName?) {
        self.init(
            code: problem.code, status: status, detail: problem.detail, requestID: problem.requestID,
            retryAfter: retryAfter,
            pendingIdentity: problem.pendingIdentity.map {
                PendingIdentity(value: $0, provider: provider, expiresAt: problem.pendingIdentityExpiresAt)
            },
            hints: problem.hints ?? []
        )
    }
}

extension PhotolalaError: LocalizedError {
    /// The ``detail``, so that `localizedDescription` is it, too.
    public var errorDescription: String? { detail }
}
