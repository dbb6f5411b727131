import Foundation

/// The body of every error: RFC 9457 `application/problem+json` with our members.
public struct Problem: Codable, Sendable, Equatable {
    /// `about:blank`: the code says what it is (RFC 9457 section 4.2.1).
    public let type: String
    /// The HTTP status' phrase.
    public let title: String
    /// The HTTP status.
    public let status: Int
    /// What went wrong and what to do, for a person. Never internal detail.
    public let detail: String
    /// The error's stable name.
    public let code: ErrorCode
    /// The request's id, as in the answer's `X-Request-ID` and the server's log.
    public let requestID: String
    /// With `no_account_found`: the proof, kept for Create Account or Link for 10 minutes and one use.
    public let pendingIdentity: String?
    /// When `pendingIdentity` ends.
    public let pendingIdentityExpiresAt: Date?
    /// With `no_account_found`: providers that the owner of the proven e-mail address signs in with.
    public let hints: [AccountHint]?

    /// Describes an error.
    public init(
        title: String, status: Int, detail: String, code: ErrorCode, requestID: String,
        pendingIdentity: String? = nil, pendingIdentityExpiresAt: Date? = nil, hints: [AccountHint]? = nil
    ) {
        type = "about:blank"
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.requestID = requestID
        self.pendingIdentity = pendingIdentity
        self.pendingIdentityExpiresAt = pendingIdentityExpiresAt
        self.hints = hints
    }
}

/// "You have an account with Apple": told only to someone who has just proved the e-mail address.
public struct AccountHint: Codable, Sendable, Equatable {
    /// A provider that opens the account.
    public let provider: ProviderName

    /// Gives a hint.
    public init(provider: ProviderName) { self.provider = provider }
}
