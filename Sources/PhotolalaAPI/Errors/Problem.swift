import Foundation

/// The body of every error response: RFC 9457 `application/problem+json` with additional members.
public struct Problem: Codable, Sendable, Equatable {
    /// `about:blank`: the code identifies the problem (RFC 9457 section 4.2.1).
    public let type: String
    /// The reason phrase of the HTTP status.
    public let title: String
    /// The HTTP status.
    public let status: Int
    /// A description of the error and the next step, for a person. Never contains internal details.
    public let detail: String
    /// The error's stable name.
    public let code: ErrorCode
    /// The request ID, as in the response's `X-Request-ID` and the server's log; of a traced request, the trace's ID.
    public let requestID: String
    /// With `no_account_found`: the verified identity, valid for 10 minutes and for one Create Account or Link call.
    public let pendingIdentity: String?
    /// When `pendingIdentity` expires.
    public let pendingIdentityExpiresAt: Date?
    /// With `no_account_found`: the providers with which the owner of the verified e-mail address signs in.
    public let hints: [AccountHint]?

    /// Creates an error response.
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

/// A provider that opens an existing account. Disclosed only to a caller that has just verified the account's e-mail
/// address.
public struct AccountHint: Codable, Sendable, Equatable {
    /// A provider that opens the account.
    public let provider: ProviderName

    /// Creates a hint.
    public init(provider: ProviderName) { self.provider = provider }
}
