import PhotolalaAPI

/// Why something asked of Photolala did not happen.
///
/// A structure with an open `code`, so that new errors do not break old programs: handle the codes you know and treat
/// the others by their `status`.
public struct PhotolalaError: Error, Sendable, Equatable {
    /// The error's stable name: the server's, or one of the SDK's own (`notSignedIn`, `serverUnreachable`, …).
    public var code: ErrorCode
    /// The HTTP status, `nil` when no answer is the reason.
    public var status: Int?
    /// What went wrong and what to do, for a person.
    public var detail: String
    /// The request's id in the server's log.
    public var requestID: String?
    /// Seconds after which the server wants to be asked again.
    public var retryAfter: Int?
    /// With `noAccountFound`: the proof, good for one sign-up or link within 10 minutes, without asking the provider
    /// again. `PhotolalaSession` keeps it too.
    public var pendingIdentity: PendingIdentity?
    /// With `noAccountFound`: providers that the owner of the proven e-mail address signs in with.
    public var hints: [AccountHint]

    /// Describes an error.
    public init(
        code: ErrorCode, status: Int? = nil, detail: String, requestID: String? = nil, retryAfter: Int? = nil,
        pendingIdentity: PendingIdentity? = nil, hints: [AccountHint] = []
    ) {
        self.code = code
        self.status = status
        self.detail = detail
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
